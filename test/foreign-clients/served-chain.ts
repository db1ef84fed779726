import { join } from "node:path";
import { displayHash, toHex } from "@nodewright/bitcoin-primitives";
import { buildChain, type ChainSummary, type MempoolStep, playInto, playStep } from "@nodewright/bitcoin-test-chain";
import type { BitcoinProgram } from "../support/bitcoin-program.ts";
import { prepareBtcd } from "../support/btcd.ts";
import { readRest, waitUntil } from "../support/calls.ts";
import { nodeOf, type ReadyNode, type StartedService, startService } from "../support/service.ts";

/** A service over a node with a signed chain and a mempool. */
export interface ServedChain {
  /** The node that the service reads. */
  readonly upstream: BitcoinProgram;
  readonly service: StartedService;
  readonly node: ReadyNode;
  readonly summary: ChainSummary;
  /** Hex of a transaction that the node takes and has not seen. */
  readonly unsent: string;
  readonly unsentId: string;
  /** A block that the service has seen become stale, where one was asked for. */
  readonly staleBlock: string | undefined;
  stop(): Promise<void>;
}

export interface ServedChainOptions {
  /** Mines a block that becomes stale, once the service follows the node; there is no block after the first unconfirmed transaction then. */
  readonly withStaleBlock?: boolean;
  /** Added to the service's command line. */
  readonly parameters?: readonly string[];
}

/** Stale blocks, and a mempool with blocks and replacements before it. */
const chainOptions = {
  seed: 2026,
  transactions: 700,
  staleBranches: 2,
  mempool: { transactions: 90, blocks: 2 },
  signatures: "real",
} as const;

/** Starts btcd at `path`, and a service over it, as `serveChainOver` does. */
export async function serveChain(
  path: string,
  directory: string,
  options: ServedChainOptions = {},
): Promise<ServedChain> {
  const btcd = await prepareBtcd(path, join(directory, "btcd"), { hasTransactionIndex: true, hasAddressIndex: true });
  return await serveChainOver(btcd, directory, options);
}

/** Starts a regtest node and a service over it; returns when the service has the complete chain and the mempool. Stopping it stops both. */
export async function serveChainOver(
  upstream: BitcoinProgram,
  directory: string,
  { withStaleBlock = false, parameters = [] }: ServedChainOptions = {},
): Promise<ServedChain> {
  await upstream.start();
  try {
    // btcd takes mined transactions out of its mempool, and makes block templates, only above a young block.
    const mempool = { ...chainOptions.mempool, ...(withStaleBlock ? { blocks: 0 } : {}) };
    const chain = buildChain({ ...chainOptions, mempool, tipTime: Math.floor(Date.now() / 1000) });
    await playInto(upstream, { ...chain, blocks: chain.blocks, mempool: nothing() });
    const service = await startService({
      parameters: ["--bitcoin-rpc", upstream.url, "--address-search", "--block-templates", ...parameters],
      environment: { NODEWRIGHT_BITCOIN_USER: upstream.user, NODEWRIGHT_BITCOIN_PASSWORD: upstream.password },
      dataDirectory: join(directory, "data"),
    });
    const node = nodeOf(service, "bitcoin");
    const stop = async () => {
      await service.stop();
      await upstream.stop();
    };
    try {
      const staleBlock = withStaleBlock ? await makeStaleBlock(node, upstream) : undefined;
      const unsent = await playAllButTheLast(upstream, chain.mempool);
      await waitForNode(node, upstream);
      return { upstream, service, node, summary: chain.summary(), ...unsent, staleBlock, stop };
    } catch (error) {
      await service.stop();
      throw error;
    }
  } catch (error) {
    await upstream.stop();
    throw error;
  }
}

/** Waits until the service has the node's best block and its unconfirmed transactions. */
async function waitForNode(node: ReadyNode, upstream: BitcoinProgram): Promise<void> {
  await waitUntil("the service has what the node has", async () => {
    const unconfirmed = ((await upstream.call("getrawmempool")) as string[]).toSorted();
    const [newest] = (await readRest(node, "blocks")) as readonly { readonly id: string }[];
    const known = (await readRest(node, "mempool/txids")) as readonly string[];
    return newest?.id === (await upstream.call("getbestblockhash")) && known.join() === unconfirmed.join();
  });
}

async function makeStaleBlock(node: ReadyNode, upstream: BitcoinProgram): Promise<string> {
  const [stale = ""] = await upstream.generate(1);
  await waitForNode(node, upstream);
  await upstream.call("invalidateblock", stale);
  await upstream.generate(2);
  return stale;
}

async function playAllButTheLast(
  upstream: BitcoinProgram,
  mempool: AsyncIterable<MempoolStep>,
): Promise<Pick<ServedChain, "unsent" | "unsentId">> {
  let last: MempoolStep | undefined;
  for await (const step of mempool) {
    if (last !== undefined) await playStep(upstream, last);
    last = step;
  }
  if (last === undefined || last.kind === "block")
    throw new Error("The chain's mempool does not end with a transaction");
  const { bytes, txid } = last.transaction;
  return { unsent: toHex(bytes), unsentId: displayHash(txid) };
}

async function* nothing(): AsyncGenerator<never> {}
