import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { demoBlocks } from "../end-to-end/demo-blocks.ts";
import { serveChainOver } from "../foreign-clients/served-chain.ts";
import type { BitcoinProgram } from "../support/bitcoin-program.ts";
import { askRpc, waitUntil } from "../support/calls.ts";
import { nodeOf, type ReadyNode, type StartedService, startService } from "../support/service.ts";
import { root } from "../support/workspace.ts";

/** The option that builds the index of coin statistics. */
export const coinStatistics = "--coin-statistics";

/** A node and a service over it, on one chain; all methods are enabled. */
export interface ComparedChain {
  readonly upstream: BitcoinProgram;
  readonly node: ReadyNode;
  /** Stale blocks that both have seen. */
  readonly stale: readonly string[];
  stop(): Promise<void>;
}

/** Starts a mainnet node, gives it the first `count` blocks, and serves them. Everything is kept in `directory`. */
export async function serveMainnet(
  upstream: BitcoinProgram,
  directory: string,
  { count, parameters }: { readonly count: number; readonly parameters: readonly string[] },
): Promise<ComparedChain> {
  await upstream.start();
  let service: StartedService | undefined;
  const stop = async (): Promise<void> => {
    await service?.stop();
    await upstream.stop();
  };
  try {
    const blocks = demoBlocks(count).slice(1);
    await upstream.callEach(
      "submitblock",
      blocks.map((block) => [block.toString("hex")]),
    );
    service = await startService({
      parameters: ["--bitcoin-rpc", upstream.url, ...parameters],
      environment: { NODEWRIGHT_BITCOIN_USER: upstream.user, NODEWRIGHT_BITCOIN_PASSWORD: upstream.password },
      dataDirectory: join(directory, "data"),
      timeoutMilliseconds: 240_000,
    });
    const node = nodeOf(service, "bitcoin");
    enableAll(service.dataDirectory);
    await waitForOptionalIndexes(node, upstream, parameters);
    return { upstream, node, stale: [], stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts a regtest node and serves a chain with all kinds of scripts, a stale block, and a mempool. As `serveMainnet`. */
export async function serveRegtest(
  upstream: BitcoinProgram,
  directory: string,
  parameters: readonly string[],
): Promise<ComparedChain> {
  const options = { withStaleBlock: true, parameters };
  const { node, service, staleBlock, stop } = await serveChainOver(upstream, directory, options);
  try {
    enableAll(service.dataDirectory);
    await waitForOptionalIndexes(node, upstream, parameters);
    return { upstream, node, stale: staleBlock === undefined ? [] : [staleBlock], stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The optional indexes come last: everything else is there when they have the best block. */
async function waitForOptionalIndexes(
  node: ReadyNode,
  upstream: BitcoinProgram,
  parameters: readonly string[],
): Promise<void> {
  const best = await upstream.call("getbestblockhash");
  const probes: readonly (readonly [string, ...(readonly unknown[])])[] = [
    ["getcfilterheader", best, 0],
    ...(parameters.includes(coinStatistics) ? [["gettxoutsetinfo", "muhash"] as const] : []),
  ];
  for (const [method, ...params] of probes)
    await waitUntil(`${method} has its index`, async () => (await askRpc(node, method, ...params)).error === null);
}

/** Enables the methods that are off by default, as an operator does it. */
export function enableAll(dataDirectory: string): void {
  const access = (...parameters: readonly string[]): string => {
    const program = [join(root, "packages/service/dist/bin.js"), "access", "--data", dataDirectory, ...parameters];
    const { status, stdout, stderr } = spawnSync(process.execPath, program, { encoding: "utf8" });
    if (status !== 0) throw new Error(`Methods can't be enabled: ${stderr}`);
    return stdout;
  };
  const [listed] = JSON.parse(access("--json")) as readonly { readonly disabled: readonly string[] }[];
  access("--enable", listed?.disabled.join(",") ?? "", "--reason", "everything is compared");
}
