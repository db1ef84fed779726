import type { Deployment, SignallingDeployment } from "@nodewright/bitcoin-api/types";
import type { BlockRecord } from "@nodewright/bitcoin-indexer";
import type { Network } from "@nodewright/bitcoin-primitives";
import type { Branch } from "./branch.ts";
import { consensusRules, type SignalledDeployment } from "./consensus-rules.ts";
import { countSignals, stateAt, stateSince } from "./version-bits.ts";

/** Returns every deployment of a network as of the block after the tip of a branch, by name, as Bitcoin Core 31 reports it. */
export async function describeDeployments(branch: Branch, network: Network): Promise<Record<string, Deployment>> {
  const { buried, signalled } = consensusRules[network.name];
  const next = branch.tip.height + 1;
  const deployments: Record<string, Deployment> = {};
  for (const { name, height } of buried) deployments[name] = { type: "buried", active: next >= height, height };
  for (const deployment of signalled) {
    const isActive = (await stateAt(branch, deployment, next)) === "active";
    deployments[deployment.name] = {
      type: "bip9",
      ...(isActive ? { height: await stateSince(branch, deployment, next) } : {}),
      active: isActive,
      bip9: await describeSignalling(branch, deployment),
    };
  }
  return deployments;
}

async function describeSignalling(branch: Branch, deployment: SignalledDeployment): Promise<SignallingDeployment> {
  const { height } = branch.tip;
  const status = await stateAt(branch, deployment, height);
  const isSignalling = status === "started" || status === "locked_in";
  const signals = isSignalling ? await countSignals(branch, deployment) : undefined;
  return {
    ...(isSignalling ? { bit: deployment.bit } : {}),
    start_time: deployment.startTime,
    timeout: deployment.timeout,
    min_activation_height: deployment.minimumActivationHeight,
    status,
    since: await stateSince(branch, deployment, height),
    status_next: await stateAt(branch, deployment, height + 1),
    ...(signals === undefined
      ? {}
      : {
          statistics: {
            period: deployment.period,
            elapsed: signals.elapsed,
            count: signals.count,
            ...(status === "started" ? { threshold: deployment.threshold, possible: signals.isPossible } : {}),
          },
          signalling: signals.signals.map((isSignal) => (isSignal ? "#" : "-")).join(""),
        }),
  };
}

/** Script rules that apply to every block except the exceptions. */
const permanentFlags = ["P2SH", "TAPROOT", "WITNESS"];
/** Names of the rules that begin with a buried deployment. */
const flagsByDeployment: Readonly<Record<string, string>> = {
  bip66: "DERSIG",
  bip65: "CHECKLOCKTIMEVERIFY",
  csv: "CHECKSEQUENCEVERIFY",
  segwit: "NULLDUMMY",
};

/** Returns the script rules of a block, in the order of their names. */
export function scriptFlagsOf({ hash, height }: BlockRecord, network: Network): string[] {
  const { buried, scriptFlagExceptions } = consensusRules[network.name];
  const flags = [...(scriptFlagExceptions[hash] ?? permanentFlags)];
  for (const deployment of buried) {
    const flag = flagsByDeployment[deployment.name];
    if (flag !== undefined && height >= deployment.height) flags.push(flag);
  }
  return flags.sort();
}
