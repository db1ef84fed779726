import { BoundedCache } from "@nodewright/runtime";
import { isTimeSliceUsedUp, nextTimeSlice } from "@nodewright/runtime/node";
import type { Branch } from "./branch.ts";
import type { SignalledDeployment } from "./consensus-rules.ts";

/** State of a deployment (BIP 9). It is the same for all blocks of a period. */
export type DeploymentState = "defined" | "started" | "locked_in" | "active" | "failed";

/** Signals of the blocks of a period so far. */
export interface SignalCount {
  readonly elapsed: number;
  readonly count: number;
  /** Whether enough blocks are left to reach the threshold. */
  readonly isPossible: boolean;
  /** Signals, one for each block of the period so far, ascending by height. */
  readonly signals: readonly boolean[];
}

/** States by deployment and the last block of the period before; they depend on nothing else. */
const knownStates = new BoundedCache<string, DeploymentState>(20_000);

/** Returns the state of a deployment for the block at a height, up to one above the branch's tip. */
export async function stateAt(
  branch: Branch,
  deployment: SignalledDeployment,
  height: number,
): Promise<DeploymentState> {
  return stateAfter(branch, deployment, periodStart(deployment, height) - 1);
}

/** Returns the height of the first block with the state of the block at `height`. */
export async function stateSince(branch: Branch, deployment: SignalledDeployment, height: number): Promise<number> {
  const state = await stateAt(branch, deployment, height);
  if (state === "defined") return 0;
  let since = periodStart(deployment, height);
  while (since > 0 && (await stateAt(branch, deployment, since - 1)) === state) since -= deployment.period;
  return since;
}

/** Counts the signals in the period of the branch's tip. */
export async function countSignals(branch: Branch, deployment: SignalledDeployment): Promise<SignalCount> {
  const { height } = branch.tip;
  const elapsed = (height % deployment.period) + 1;
  const records = await branch.recordsFrom(height, elapsed);
  const signals = records.map(({ header }) => isSignal(header.version, deployment)).reverse();
  const count = signals.filter(Boolean).length;
  return { elapsed, count, isPossible: deployment.period - deployment.threshold >= elapsed - count, signals };
}

function periodStart({ period }: SignalledDeployment, height: number): number {
  return height - (height % period);
}

/** Returns the state for the period above `end`, the height of a period's last block; -1 below the first block. */
async function stateAfter(branch: Branch, deployment: SignalledDeployment, end: number): Promise<DeploymentState> {
  const ends: { readonly height: number; readonly key: string; readonly medianTime: number }[] = [];
  let state: DeploymentState = "defined";
  for (let height = end; height >= 0; height -= deployment.period) {
    const { hash, medianTime } = await branch.recordAt(height);
    const key = `${deployment.name} ${hash}`;
    const known = knownStates.find(key);
    if (known !== undefined) {
      state = known;
      break;
    }
    ends.push({ height, key, medianTime });
    // Median times only grow: below a time before the start the state is unchanged.
    if (medianTime < deployment.startTime) break;
  }
  for (const { height, key, medianTime } of ends.reverse()) {
    state = await following(branch, deployment, { state, height, medianTime });
    knownStates.set(key, state);
  }
  return state;
}

async function following(
  branch: Branch,
  deployment: SignalledDeployment,
  {
    state,
    height,
    medianTime,
  }: { readonly state: DeploymentState; readonly height: number; readonly medianTime: number },
): Promise<DeploymentState> {
  switch (state) {
    case "defined":
      return medianTime >= deployment.startTime ? "started" : "defined";
    case "started": {
      const records = await branch.recordsFrom(height, deployment.period);
      const count = records.filter(({ header }) => isSignal(header.version, deployment)).length;
      // A chain of thousands of such periods is counted once.
      if (isTimeSliceUsedUp()) await nextTimeSlice();
      if (count >= deployment.threshold) return "locked_in";
      return BigInt(medianTime) >= deployment.timeout ? "failed" : "started";
    }
    case "locked_in":
      return height + 1 >= deployment.minimumActivationHeight ? "active" : "locked_in";
    default:
      return state;
  }
}

/** Mask of the three highest bits of a version that has signals, and their value. */
const topBits = 0xe0000000;
const signallingTop = 0x20000000;

function isSignal(version: number, { bit }: SignalledDeployment): boolean {
  return (version & topBits) >>> 0 === signallingTop && ((version >>> bit) & 1) === 1;
}
