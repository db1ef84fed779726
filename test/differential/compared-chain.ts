import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { demoBlocks } from "../end-to-end/demo-blocks.ts";
import { serveChain } from "../foreign-clients/served-chain.ts";
import { type Btcd, prepareBtcd } from "../support/btcd.ts";
import { askRpc, waitUntil } from "../support/calls.ts";
import { nodeOf, type ReadyNode, type StartedService, startService } from "../support/service.ts";
import { root } from "../support/workspace.ts";

/** A btcd and a service that have the same chain; all methods are enabled. */
export interface ComparedChain {
  readonly btcd: Btcd;
  readonly node: ReadyNode;
  /** Blocks that lost, which both have seen. */
  readonly stale: readonly string[];
  stop(): Promise<void>;
}

/** Serves the first `count` blocks of mainnet. `path` is of the btcd program; everything is kept in `directory`. */
export async function serveMainnet(path: string, directory: string, count: number): Promise<ComparedChain> {
  const btcd = await prepareBtcd(path, join(directory, "btcd"), {
    network: "mainnet",
    hasTransactionIndex: true,
    hasAddressIndex: true,
  });
  await btcd.start();
  let service: StartedService | undefined;
  const stop = async (): Promise<void> => {
    await service?.stop();
    await btcd.stop();
  };
  try {
    const blocks = demoBlocks(count).slice(1);
    await btcd.callEach(
      "submitblock",
      blocks.map((block) => [block.toString("hex")]),
    );
    service = await startService({
      parameters: ["--bitcoin-rpc", btcd.url],
      environment: { NODEWRIGHT_BITCOIN_USER: btcd.user, NODEWRIGHT_BITCOIN_PASSWORD: btcd.password },
      dataDirectory: join(directory, "data"),
    });
    const node = nodeOf(service, "bitcoin");
    enableAll(service.dataDirectory);
    await waitForFilters(node, btcd);
    return { btcd, node, stale: [], stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Serves a chain of regtest with all kinds of scripts, a block that lost, and a mempool. As `serveMainnet`. */
export async function serveRegtest(path: string, directory: string): Promise<ComparedChain> {
  const { btcd, node, service, staleBlock, stop } = await serveChain(path, directory, { withStaleBlock: true });
  try {
    enableAll(service.dataDirectory);
    await waitForFilters(node, btcd);
    return { btcd, node, stale: staleBlock === undefined ? [] : [staleBlock], stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The index of filters comes last: everything else is there when it has the best block. */
async function waitForFilters(node: ReadyNode, btcd: Btcd): Promise<void> {
  const best = await btcd.call("getbestblockhash");
  await waitUntil(
    "the best block has its filter header",
    async () => (await askRpc(node, "getcfilterheader", best, 0)).error === null,
  );
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
