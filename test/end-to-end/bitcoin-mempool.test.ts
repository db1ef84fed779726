import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type ChainIndexReader, type IndexerProcess, openChainIndex, startIndexer } from "@nodewright/bitcoin-indexer";
import {
  displayHash,
  hashScript,
  networks,
  type Outpoint,
  parseTransaction,
  toHex,
  type Transaction,
} from "@nodewright/bitcoin-primitives";
import { buildChain, playInto, playStep, type TestChain } from "@nodewright/bitcoin-test-chain";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { BitcoinProgram } from "../support/bitcoin-program.ts";
import { prepareBtcd } from "../support/btcd.ts";
import { waitUntil } from "../support/calls.ts";
import { requireProgram } from "../support/requirement.ts";

const { path } = requireProgram("btcd");

/** What btcd tells of an unconfirmed transaction. */
interface NodeEntry {
  readonly vsize: number;
  /** In coins. */
  readonly fee: number;
  readonly depends: readonly string[] | null;
}

describe.skipIf(path === undefined)("the mempool of an index over btcd", { timeout: 240_000 }, () => {
  let directory: string;
  let btcd: BitcoinProgram;
  let indexer: IndexerProcess | undefined;
  let reader: ChainIndexReader;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), "nodewright-mempool-"));
    btcd = await prepareBtcd(path ?? "", join(directory, "btcd"));
    await btcd.start();
    reader = openChainIndex(join(directory, "data"), { network: networks.regtest });
  });

  afterEach(async () => {
    await indexer?.stop();
    indexer = undefined;
    await reader.close();
    await btcd.stop();
    rmSync(directory, { recursive: true });
  });

  function index(): IndexerProcess {
    const { url, user, password } = btcd;
    return startIndexer({
      directory: join(directory, "data"),
      network: "regtest",
      source: {
        kind: "node",
        upstream: { url, credentials: { kind: "password", user, password } },
        pollMilliseconds: 50,
      },
    });
  }

  /**
   * The node's mempool, without what can't be confirmed any more: btcd takes a block's transactions out some time after it has
   * answered, and never while its best block is older than a day, as those of the test chain are.
   */
  async function nodeMempool(): Promise<ReadonlyMap<string, NodeEntry>> {
    const entries = new Map(Object.entries((await btcd.call("getrawmempool", true)) as Record<string, NodeEntry>));
    const inputs = new Map<string, readonly Outpoint[]>();
    await Promise.all(
      Array.from(entries.keys(), async (txid) => {
        const bytes = Buffer.from(String(await btcd.call("getrawtransaction", txid)), "hex");
        inputs.set(
          txid,
          parseTransaction(bytes).inputs.map(({ previousOutput }) => previousOutput),
        );
      }),
    );
    const isThere = async ({ txid, vout }: Outpoint): Promise<boolean> =>
      entries.has(displayHash(txid)) || (await btcd.call("gettxout", displayHash(txid), vout, false)) !== null;
    for (let size = -1; size !== entries.size; ) {
      size = entries.size;
      for (const [txid, outpoints] of inputs) {
        const found = await Promise.all(outpoints.map(isThere));
        if (found.includes(false)) entries.delete(txid);
      }
    }
    return entries;
  }

  const nodeState = async () => {
    entries = await nodeMempool().catch(() => new Map());
    return { tip: await btcd.call("getbestblockhash"), txids: [...entries.keys()].sort() };
  };
  const indexState = async () => {
    return { tip: (await reader.tip())?.hash, txids: await reader.mempool.transactionIds({ limit: 10_000 }) };
  };
  let entries: ReadonlyMap<string, NodeEntry> = new Map();

  /** Waits until the index has the node's best block and its unconfirmed transactions; then compares what it tells of each. */
  async function expectNodesMempool(): Promise<readonly Transaction[]> {
    await waitUntil("the index has the node's mempool", async () =>
      isDeepStrictEqual(await nodeState(), await indexState()),
    );
    const transactions: Transaction[] = [];
    const sums = { count: 0, virtualSize: 0, totalFee: 0n };
    for (const [txid, { vsize, fee, depends }] of entries) {
      const found = await reader.mempool.transaction(txid);
      if (found === undefined) return expect.unreachable();
      const { transaction, previousOutputs } = found;
      transactions.push(transaction);
      expect(toHex(transaction.bytes)).toBe(await btcd.call("getrawtransaction", txid));
      expect({ vsize: transaction.virtualSize, fee: Number(found.fee) }).toEqual({ vsize, fee: Math.round(fee * 1e8) });
      expect(previousOutputs.some((output) => output?.height === -1)).toBe(
        (depends ?? []).some((parent) => entries.has(parent)),
      );
      sums.count += 1;
      sums.virtualSize += vsize;
      sums.totalFee += found.fee;
    }
    expect(await reader.mempool.summary()).toMatchObject(sums);
    return transactions;
  }

  async function play(chain: TestChain): Promise<void> {
    let count = 0;
    for await (const step of chain.mempool) {
      await playStep(btcd, step);
      count += 1;
      // Between the comparisons several steps come at once.
      if (step.kind !== "arrival" || count % 5 === 0) await expectNodesMempool();
    }
    expect(count).toBeGreaterThan(20);
  }

  it("is that of the node through arrivals, replacements, blocks, a reorganisation and restarts", async () => {
    const chain = buildChain({
      seed: 5,
      transactions: 200,
      mempool: { transactions: 40, blocks: 3 },
      signatures: "real",
    });
    await playInto(btcd, { ...chain, blocks: chain.blocks, mempool: nothing() });
    indexer = index();
    await play(chain);

    const [first] = await expectNodesMempool();
    const script = first?.outputs[0]?.scriptPubKey;
    if (script === undefined) return expect.unreachable();
    const history = await reader.mempool.scriptHistory(toHex(hashScript(script)), { limit: 1_000 });
    expect(history.length).toBeGreaterThan(0);
    expect([...(await reader.mempool.feeEstimates()).keys()]).toHaveLength(28);

    // From now on btcd's best block is young.
    await btcd.generate(1);
    await expectNodesMempool();

    // The two best blocks are lost; the node takes back what they confirmed, as far as it can.
    const height = Number(await btcd.call("getblockcount"));
    await btcd.call("invalidateblock", await btcd.call("getblockhash", height - 1));
    await btcd.generate(3);
    await expectNodesMempool();

    await indexer.stop();
    indexer = index();
    await expectNodesMempool();
    await btcd.generate(1);
    await expectNodesMempool();
  });
});

async function* nothing(): AsyncGenerator<never> {}
