import type { MempoolQueries } from "@nodewright/bitcoin-indexer";
import { displayHash, parseBlock, type Transaction } from "@nodewright/bitcoin-primitives";
import type { MempoolEntries, MempoolEntry } from "@nodewright/bitcoin-api/types";
import { isPreparedJson } from "@nodewright/runtime";
import type { Upstream } from "@nodewright/upstream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getmempoolancestors } from "../handlers/getmempoolancestors.ts";
import { getmempooldescendants } from "../handlers/getmempooldescendants.ts";
import { getmempoolentry } from "../handlers/getmempoolentry.ts";
import { getmempoolinfo } from "../handlers/getmempoolinfo.ts";
import { getrawmempool } from "../handlers/getrawmempool.ts";
import { gettxspendingprevout } from "../handlers/gettxspendingprevout.ts";
import { contextOver, type ChainNode, openChainNode } from "../testing/chain-node.ts";
import { MempoolGraph } from "./mempool-graph.ts";
import { getCluster, readIds } from "./read-mempool.ts";
import { renderMempoolEntries } from "./render-entry.ts";

let node: ChainNode;

beforeAll(async () => {
  node = await openChainNode({ seed: 5, transactions: 300, mempool: 250, signatures: "placeholder" });
});

afterAll(async () => {
  await node.close();
});

function idOf({ txid }: Transaction): string {
  return displayHash(txid);
}

/** Returns slowly, from the transactions alone: for each id the ids of all that can be reached. */
function closure(next: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, ReadonlySet<string>> {
  const reached = (id: string): Set<string> => {
    const direct = next.get(id) ?? [];
    return new Set(direct.flatMap((other) => [other, ...reached(other)]));
  };
  return new Map(Array.from(next.keys(), (id) => [id, reached(id)]));
}

function relations(): {
  readonly parents: ReadonlyMap<string, readonly string[]>;
  readonly children: ReadonlyMap<string, readonly string[]>;
} {
  const ids = new Set(node.unconfirmed.map(idOf));
  const parents = new Map(
    node.unconfirmed.map((transaction) => [
      idOf(transaction),
      [...new Set(transaction.inputs.map(({ previousOutput }) => displayHash(previousOutput.txid)))]
        .filter((id) => ids.has(id))
        .sort(),
    ]),
  );
  const children = new Map(
    Array.from(ids, (id) => [id, [...ids].filter((other) => parents.get(other)?.includes(id)).sort()]),
  );
  return { parents, children };
}

/** Returns the sent text, parsed with amounts as they are written. */
function entriesIn(response: unknown): Record<string, MempoolEntry> {
  if (!isPreparedJson(response)) return expect.unreachable("no text");
  const text = response.text as readonly string[];
  return JSON.parse(text.join("").replaceAll(/:(\d+)\.(\d{8})\b/g, ':"$1$2"')) as Record<string, MempoolEntry>;
}

function satoshi(value: unknown): bigint {
  return BigInt(String(value));
}

describe("the mempool", () => {
  it("has transactions that stand on each other several deep", () => {
    const depth = Math.max(...Array.from(closure(relations().parents).values(), ({ size }) => size));
    expect(depth).toBeGreaterThan(2);
  });

  it("is listed by ids in their order, with a number that says how often it changed", async () => {
    const ids = node.unconfirmed.map(idOf).sort();
    expect(await getrawmempool({}, node.context())).toEqual(ids);
    const response = await getrawmempool({ mempoolSequence: true }, node.context());
    expect(response).toEqual({ txids: ids, mempool_sequence: node.unconfirmed.length });
    await expect(
      Promise.resolve(node.context()).then((context) =>
        getrawmempool({ verbose: true, mempoolSequence: true }, context),
      ),
    ).rejects.toMatchObject({ rpcCode: -8 });
  });

  it("has entries whose sums are those of all ancestors and descendants", async () => {
    const { parents, children } = relations();
    const ancestors = closure(parents);
    const descendants = closure(children);
    const byId = new Map(node.unconfirmed.map((transaction) => [idOf(transaction), transaction]));
    const entries = entriesIn(await getrawmempool({ verbose: true }, node.context()));
    expect(Object.keys(entries)).toEqual([...byId.keys()].sort());
    const fees = new Map<string, bigint>();
    for (const id of byId.keys()) fees.set(id, (await node.mempool.transaction(id))?.fee ?? expect.unreachable());
    const feeOf = (ids: Iterable<string>): bigint => [...ids].reduce((sum, id) => sum + (fees.get(id) ?? 0n), 0n);
    const sizeOf = (ids: Iterable<string>): number =>
      [...ids].reduce((sum, id) => sum + (byId.get(id)?.virtualSize ?? 0), 0);
    for (const [id, transaction] of byId) {
      const { fees: entryFees, fee, ...entry } = entries[id] ?? expect.unreachable(id);
      const above = [id, ...(ancestors.get(id) ?? [])];
      const below = [id, ...(descendants.get(id) ?? [])];
      expect(entry).toEqual({
        vsize: transaction.virtualSize,
        weight: transaction.weight,
        time: expect.any(Number),
        height: node.best.length - 1,
        descendantcount: below.length,
        descendantsize: sizeOf(below),
        ancestorcount: above.length,
        ancestorsize: sizeOf(above),
        chunkweight: expect.any(Number),
        wtxid: displayHash(transaction.wtxid),
        depends: parents.get(id),
        spentby: children.get(id),
        unbroadcast: false,
        size: transaction.size,
        startingpriority: 0,
        currentpriority: 0,
      });
      expect(satoshi(entryFees.base)).toBe(fees.get(id));
      expect(fee).toBe(entryFees.base);
      expect(satoshi(entryFees.modified)).toBe(fees.get(id));
      expect(satoshi(entryFees.ancestor)).toBe(feeOf(above));
      expect(satoshi(entryFees.descendant)).toBe(feeOf(below));
    }
  });

  it("writes its entries once for all who ask meanwhile", async () => {
    const ask = () => getrawmempool({ verbose: true }, node.context());
    const [first, second] = await Promise.all([ask(), ask()]);
    expect(second).toBe(first);
    expect(await ask()).not.toBe(first);
  });

  it("tells of one transaction what it tells of it among all", async () => {
    const entries = entriesIn(await getrawmempool({ verbose: true }, node.context()));
    for (const id of node.unconfirmed.map(idOf)) {
      const entry = (await getmempoolentry({ txid: id.toUpperCase() }, node.context())) as MempoolEntry;
      const { fees, fee: base, ...rest } = entry;
      const { fees: listedFees, fee: listedBase, ...listed } = entries[id] ?? expect.unreachable(id);
      expect(rest).toEqual(listed);
      expect(base).toBe(satoshi(listedBase));
      for (const [name, fee] of Object.entries(fees)) expect(fee).toBe(satoshi(Object(listedFees)[name]));
    }
  });

  it("gives ancestors and descendants, as ids and as entries", async () => {
    const { parents, children } = relations();
    const ancestors = closure(parents);
    const descendants = closure(children);
    const all = entriesIn(await getrawmempool({ verbose: true }, node.context()));
    for (const txid of node.unconfirmed.map(idOf)) {
      const above = [...(ancestors.get(txid) ?? [])].sort();
      const below = [...(descendants.get(txid) ?? [])].sort();
      expect(await getmempoolancestors({ txid }, node.context())).toEqual(above);
      expect(await getmempooldescendants({ txid }, node.context())).toEqual(below);
      const entries = entriesIn(await getmempoolancestors({ txid, verbose: true }, node.context()));
      expect(entries).toEqual(Object.fromEntries(above.map((id) => [id, all[id]])));
      const others = entriesIn(await getmempooldescendants({ txid, verbose: true }, node.context()));
      expect(others).toEqual(Object.fromEntries(below.map((id) => [id, all[id]])));
    }
  });

  it("is empty without a node, and knows no transaction", async () => {
    const context = contextOver(node.index);
    const txid = idOf(node.unconfirmed[0] ?? expect.unreachable());
    expect(await getrawmempool({}, context)).toEqual([]);
    expect(await getrawmempool({ verbose: true }, context)).toEqual({} satisfies MempoolEntries);
    expect(await getrawmempool({ mempoolSequence: true }, context)).toEqual({ txids: [], mempool_sequence: 0 });
    const refusal = { rpcCode: -5, message: "Transaction not in mempool" };
    await expect(async () => getmempoolentry({ txid }, context)).rejects.toMatchObject(refusal);
    await expect(async () => getmempoolancestors({ txid }, context)).rejects.toMatchObject(refusal);
    await expect(async () => getmempooldescendants({ txid, verbose: true }, context)).rejects.toMatchObject(refusal);
    expect(await getmempoolinfo({}, context)).toMatchObject({ size: 0, bytes: 0, total_fee: 0n, optimal: true });
  });
});

describe("the cluster of a transaction", () => {
  it("is read once for all who request what is in it, until the mempool changes", async () => {
    let reads = 0;
    let changes = 1;
    const counted = {
      changes: async () => changes,
      members: async (ids: readonly string[]) => {
        reads += 1;
        return await node.mempool.members(ids);
      },
    } as MempoolQueries;
    const readsOf = async (...ids: readonly string[]): Promise<number> => {
      reads = 0;
      for (const id of ids) await getCluster(counted, id);
      return reads;
    };
    const { parents, children } = relations();
    const alone = [...parents.keys()].filter((id) => parents.get(id)?.length === 0 && children.get(id)?.length === 0);
    const [first = "", second = "", third = "", fourth = "", fifth = ""] = alone;
    expect(fifth).not.toBe("");
    expect(await readsOf(first)).toBe(1);
    expect(await readsOf(first.toUpperCase(), first)).toBe(0);
    expect(await readsOf(second, third, fourth)).toBe(3);
    // The last four are cached.
    expect(await readsOf(first, second, third, fourth)).toBe(0);
    expect(await readsOf(fifth)).toBe(1);
    expect(await readsOf(second, third, fourth, fifth)).toBe(0);
    expect(await readsOf(first)).toBe(1);
    changes += 1;
    expect(await readsOf(first, first)).toBe(1);
    reads = 0;
    const found = await Promise.all([second, second, second].map((id) => getCluster(counted, id)));
    expect(reads).toBe(1);
    expect(new Set(found.map(({ graph }) => graph)).size).toBe(1);
    const missing = "00".repeat(32);
    await expect(getCluster(counted, missing)).rejects.toMatchObject({ rpcCode: -5 });
    await expect(getCluster(counted, missing)).rejects.toMatchObject({ message: "Transaction not in mempool" });
    expect(await readsOf(second)).toBe(0);
    const [parent, [child = ""] = []] = [...children].find(([, below]) => below.length > 0) ?? expect.unreachable();
    await getCluster(counted, parent);
    expect(await readsOf(child)).toBe(0);
  });
});

describe("the state of the mempool", () => {
  /** Returns a node that serves getmempoolinfo, or fails. */
  function nodeWith(response: unknown): Upstream {
    return {
      call: async () => {
        if (response instanceof Error) throw response;
        return response;
      },
      batch: async () => [],
      totals: () => ({ bytesSent: 0, bytesReceived: 0, methodCalls: 0 }),
      close: async () => {},
    };
  }

  it("counts the transactions that are listed, and takes the rest from the node", async () => {
    const response = { loaded: false, size: 1, bytes: 2, usage: 3, maxmempool: 5, mempoolminfee: 1e-5, optimal: true };
    const info = await getmempoolinfo({}, node.context({ upstream: nodeWith(response) }));
    expect(info).toMatchObject({ loaded: false, usage: 3, maxmempool: 5, mempoolminfee: 1_000n, optimal: true });
    expect(info).toMatchObject({ limitclustercount: 64, limitclustersize: 101_000, minrelaytxfee: 1_000n });
    const summary = await node.mempool.summary();
    expect(info).toMatchObject({ size: summary.count, bytes: summary.virtualSize, total_fee: summary.totalFee });
    expect(summary.count).toBe(node.unconfirmed.length);
  });

  it("is a guess at the node's memory and Bitcoin Core's policy without a node", async () => {
    const { count, virtualSize, totalFee } = await node.mempool.summary();
    expect(await getmempoolinfo({}, node.context())).toStrictEqual({
      loaded: true,
      size: count,
      bytes: virtualSize,
      usage: 3 * virtualSize + 600 * count,
      total_fee: totalFee,
      maxmempool: 300_000_000,
      mempoolminfee: 1_000n,
      minrelaytxfee: 1_000n,
      incrementalrelayfee: 1_000n,
      unbroadcastcount: 0,
      permitbaremultisig: true,
      maxdatacarriersize: 100_000,
      limitclustercount: 64,
      limitclustersize: 101_000,
      optimal: false,
    });
  });

  it("takes each part of its policy from the node", async () => {
    const reported = {
      loaded: false,
      usage: 1,
      maxmempool: 2,
      unbroadcastcount: 0xffffffff,
      permitbaremultisig: false,
      maxdatacarriersize: 4,
      limitclustercount: 0xffffffff,
      limitclustersize: 6,
      optimal: true,
    };
    const rates = { mempoolminfee: 1e-8, minrelaytxfee: 2e-8, incrementalrelayfee: 3e-8 };
    expect(await getmempoolinfo({}, node.context({ upstream: nodeWith({ ...reported, ...rates }) }))).toMatchObject({
      ...reported,
      mempoolminfee: 1n,
      minrelaytxfee: 2n,
      incrementalrelayfee: 3n,
    });
    const tooMany = { unbroadcastcount: 0x1_0000_0000, limitclustercount: 0x1_0000_0000 };
    expect(await getmempoolinfo({}, node.context({ upstream: nodeWith(tooMany) }))).toMatchObject({
      unbroadcastcount: 0,
      limitclustercount: 64,
    });
  });

  it.each([[null], ["<html>"], [{ usage: "much", maxmempool: -1, optimal: 1 }], [new Error("gone")]])(
    "has a meaning of its own where the node says %o",
    async (response) => {
      const info = await getmempoolinfo({}, node.context({ upstream: nodeWith(response) }));
      expect(info).toMatchObject({ loaded: true, maxmempool: 300_000_000, optimal: false, unbroadcastcount: 0 });
    },
  );
});

describe("a mempool of many pages", () => {
  /** Returns ids of 64 digits in the order of their strings. */
  const idsOf = (count: number): readonly string[] =>
    Array.from({ length: count }, (_, position) => position.toString(16).padStart(64, "0"));

  it.each([0, 1, 1_999, 2_000, 2_001, 4_000, 4_500])("is read to its end: %i", async (count) => {
    const ids = idsOf(count);
    let pages = 0;
    const transactionIds: MempoolQueries["transactionIds"] = async ({ after = "", limit }) => {
      pages += 1;
      if (pages > 3) throw new Error("The same page again");
      return ids.filter((id) => id > after).slice(0, limit);
    };
    expect(await readIds({ transactionIds } as MempoolQueries)).toStrictEqual(ids);
  });

  it("is written in pieces, of which none grows much beyond 256 KiB", async () => {
    const ids = idsOf(1_000);
    const graph = new MempoolGraph(
      ids.map((txid) => ({
        txid,
        wtxid: txid,
        fee: 1_000n,
        size: 110,
        virtualSize: 110,
        weight: 440,
        time: 1_700_000_000,
        height: 7,
        parents: [],
        children: [],
      })),
    );
    const { text } = await renderMempoolEntries(graph);
    const pieces = Array.from(text as readonly (string | Uint8Array)[], (piece) => Buffer.from(piece));
    expect(pieces.length).toBeGreaterThan(1);
    for (const piece of pieces.slice(0, -1)) expect(piece.length).toBeGreaterThanOrEqual(256 * 1024);
    for (const piece of pieces) expect(piece.length).toBeLessThan(257 * 1024);
    const entries = JSON.parse(Buffer.concat(pieces).toString()) as Readonly<Record<string, unknown>>;
    expect(Object.keys(entries)).toStrictEqual(ids);
    expect(entries[ids[999] ?? ""]).toMatchObject({ vsize: 110, fee: 0.00001, depends: [], chunkweight: 440 });
    expect((await renderMempoolEntries(graph, [])).text).toStrictEqual(["{}"]);
  });
});

describe("what spends an output", () => {
  it("is found in blocks and in the mempool, and is given whole when that is wanted", async () => {
    const best = node.best.flatMap(({ bytes }) => transactionsIn(bytes));
    const spenders = new Map<string, Transaction>();
    for (const transaction of [...best, ...node.unconfirmed]) {
      if (transaction.isCoinbase) continue;
      for (const { previousOutput } of transaction.inputs) {
        spenders.set(`${displayHash(previousOutput.txid)}:${previousOutput.vout}`, transaction);
      }
    }
    const outputs = [...best, ...node.unconfirmed].flatMap((transaction) =>
      transaction.outputs.map((_output, vout) => ({ txid: idOf(transaction), vout })),
    );
    const unconfirmed = new Set(node.unconfirmed.map(idOf));
    const expected = (isMempoolOnly: boolean) =>
      outputs.map(({ txid, vout }) => {
        const spender = spenders.get(`${txid}:${vout}`);
        const id = spender && idOf(spender);
        if (id === undefined || (isMempoolOnly && !unconfirmed.has(id))) return { txid, vout };
        return { txid, vout, spendingtxid: id, ...(unconfirmed.has(id) ? {} : { blockhash: expect.any(String) }) };
      });
    expect(await gettxspendingprevout({ outputs }, node.context())).toEqual(expected(false));
    const options = { mempool_only: true };
    expect(await gettxspendingprevout({ outputs, options }, node.context())).toEqual(expected(true));
    const some = outputs.filter(({ txid, vout }) => spenders.has(`${txid}:${vout}`)).slice(-40);
    const whole = await gettxspendingprevout({ outputs: some, options: { return_spending_tx: true } }, node.context());
    expect(Array.isArray(whole) ? whole.map(({ spendingtx }) => spendingtx) : undefined).toEqual(
      some.map(({ txid, vout }) => Buffer.from(spenders.get(`${txid}:${vout}`)?.bytes ?? []).toString("hex")),
    );
  });

  it("is nothing for outputs that do not exist", async () => {
    const outputs = [
      { txid: "00".repeat(32), vout: 0 },
      {
        txid: displayHash(transactionsIn(node.best[1]?.bytes ?? expect.unreachable())[0]?.txid ?? expect.unreachable()),
        vout: 99,
      },
    ];
    expect(await gettxspendingprevout({ outputs }, node.context())).toEqual(outputs);
  });
});

function transactionsIn(block: Uint8Array): readonly Transaction[] {
  return parseBlock(block).transactions;
}
