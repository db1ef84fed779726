import { join } from "node:path";
import { displayHash, toHex } from "@nodewright/bitcoin-primitives";
import { buildChain, type ChainSummary, type MempoolStep, playInto, playStep } from "@nodewright/bitcoin-test-chain";
import { type Btcd, prepareBtcd } from "../support/btcd.ts";
import { readRest, waitUntil } from "../support/calls.ts";
import { nodeOf, type ReadyNode, type StartedService, startService } from "../support/service.ts";

/** A service over a btcd with a signed chain and a mempool. */
export interface ServedChain {
  readonly btcd: Btcd;
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
}

/** Stale blocks, and a mempool with blocks and replacements before it. */
const chainOptions = {
  seed: 2026,
  transactions: 700,
  staleBranches: 2,
  mempool: { transactions: 90, blocks: 2 },
  signatures: "real",
} as const;

/** Starts btcd at `path` and a service over it; returns when the service has all of the chain and the mempool. */
export async function serveChain(
  path: string,
  directory: string,
  { withStaleBlock = false }: ServedChainOptions = {},
): Promise<ServedChain> {
  const btcd = await prepareBtcd(path, join(directory, "btcd"), { hasTransactionIndex: true, hasAddressIndex: true });
  await btcd.start();
  try {
    // btcd takes mined transactions out of its mempool, and makes block templates, only above a young block.
    const mempool = { ...chainOptions.mempool, ...(withStaleBlock ? { blocks: 0 } : {}) };
    const chain = buildChain({ ...chainOptions, mempool, tipTime: Math.floor(Date.now() / 1000) });
    await playInto(btcd, { ...chain, blocks: chain.blocks, mempool: nothing() });
    const service = await startService({
      parameters: ["--bitcoin-rpc", btcd.url, "--address-search", "--block-templates"],
      environment: { NODEWRIGHT_BITCOIN_USER: btcd.user, NODEWRIGHT_BITCOIN_PASSWORD: btcd.password },
      dataDirectory: join(directory, "data"),
    });
    const node = nodeOf(service, "bitcoin");
    const stop = async () => {
      await service.stop();
      await btcd.stop();
    };
    try {
      const staleBlock = withStaleBlock ? await makeStaleBlock(node, btcd) : undefined;
      const unsent = await playAllButTheLast(btcd, chain.mempool);
      await waitForNode(node, btcd);
      return { btcd, service, node, summary: chain.summary(), ...unsent, staleBlock, stop };
    } catch (error) {
      await service.stop();
      throw error;
    }
  } catch (error) {
    await btcd.stop();
    throw error;
  }
}

/** Waits until the service has the node's best block and its unconfirmed transactions. */
async function waitForNode(node: ReadyNode, btcd: Btcd): Promise<void> {
  await waitUntil("the service has what the node has", async () => {
    const unconfirmed = ((await btcd.call("getrawmempool")) as string[]).toSorted();
    const [newest] = (await readRest(node, "blocks")) as readonly { readonly id: string }[];
    const known = (await readRest(node, "mempool/txids")) as readonly string[];
    return newest?.id === (await btcd.call("getbestblockhash")) && known.join() === unconfirmed.join();
  });
}

async function makeStaleBlock(node: ReadyNode, btcd: Btcd): Promise<string> {
  const [stale = ""] = await btcd.generate(1);
  await waitForNode(node, btcd);
  await btcd.call("invalidateblock", stale);
  await btcd.generate(2);
  return stale;
}

async function playAllButTheLast(
  btcd: Btcd,
  mempool: AsyncIterable<MempoolStep>,
): Promise<Pick<ServedChain, "unsent" | "unsentId">> {
  let last: MempoolStep | undefined;
  for await (const step of mempool) {
    if (last !== undefined) await playStep(btcd, last);
    last = step;
  }
  if (last === undefined || last.kind === "block")
    throw new Error("The chain's mempool does not end with a transaction");
  const { bytes, txid } = last.transaction;
  return { unsent: toHex(bytes), unsentId: displayHash(txid) };
}

async function* nothing(): AsyncGenerator<never> {}
