import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type ChainIndexReader,
  createArraySource,
  openChainIndex,
  openEmbeddedStore,
  type OptionalIndexes,
  runIndexer,
} from "@nodewright/bitcoin-indexer";
import { buildOptionalIndexes, RegtestChain, type RegtestTip } from "@nodewright/bitcoin-indexer/testing";
import {
  basicBlockFilter,
  blockFilterHeader,
  displayHash,
  networks,
  parseBlock,
  toHex,
} from "@nodewright/bitcoin-primitives";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCommandReference } from "./description/command-reference.ts";
import type { BitcoinNodeContext } from "./context/context.ts";
import { getblockfilter } from "./handlers/getblockfilter.ts";
import { getcfilter } from "./handlers/getcfilter.ts";
import { getcfilterheader } from "./handlers/getcfilterheader.ts";
import { getindexinfo } from "./handlers/getindexinfo.ts";
import { gettxoutsetinfo } from "./handlers/gettxoutsetinfo.ts";
import { contextOver } from "./testing/chain-node.ts";

const { regtest } = networks;
/** Script that anyone may spend. */
const openScript: Uint8Array = Uint8Array.of(0x51);
const dataScript: Uint8Array = Uint8Array.of(0x6a, 1, 7);
const unknownHash = "11".repeat(32);
const both = { blockFilters: true, coinStatistics: true };

const commands = createCommandReference({ openrpc: "1.3.2", info: { title: "Test", version: "1.0.0" }, methods: [] });

const chain = new RegtestChain();
const first = chain.extend(chain.genesis, openScript);
const coins = first.coins.slice(-1);
/** Spends the first block's coinbase, leaves an unclaimed fee, and writes data. */
const spend = {
  coins,
  outputs: [
    { value: 4_000_000_000n, scriptPubKey: openScript },
    { value: 7n, scriptPubKey: dataScript },
  ],
};
const second = chain.extend(first, openScript, [spend]);
const stale = [
  chain.extend(first, Uint8Array.of(0x52), [{ coins, outputs: [{ value: 1n, scriptPubKey: openScript }] }]),
];
for (let count = 0; count < 15; count += 1) stale.push(chain.extend(stale.at(-1) ?? first, Uint8Array.of(0x52)));
const best: RegtestTip[] = [chain.genesis, first, second];
while (best.length < 20) best.push(chain.extend(best.at(-1) ?? first, openScript));

const directory = mkdtempSync(join(tmpdir(), "nodewright-"));
let index: ChainIndexReader;
let optional: OptionalIndexes;

/** Indexes that were enabled a moment ago. */
const unbuilt: OptionalIndexes = {
  blockFilters: { height: async () => -1, find: async () => undefined },
  coinStatistics: { height: async () => -1, find: async () => undefined },
};

beforeAll(async () => {
  const store = await openEmbeddedStore(directory, regtest);
  const source = createArraySource(
    regtest,
    [chain.genesis, first, ...stale].map(({ bytes }) => bytes),
  );
  await runIndexer({ store, source });
  // The stale branch's highest blocks arrive unobserved.
  source.add(...best.slice(2).map(({ bytes }) => bytes));
  await runIndexer({ store, source });
  await store.close();
  await buildOptionalIndexes(directory, regtest, both);
  index = openChainIndex(directory, { network: regtest, optional: both });
  optional = index.optional;
});

afterAll(async () => {
  await index.close();
  rmSync(directory, { recursive: true });
});

function context(more: Partial<BitcoinNodeContext> = {}): BitcoinNodeContext {
  return contextOver(index, { optional, commands, now: () => 0, ...more });
}

function hashOf({ hash }: RegtestTip): string {
  return displayHash(hash);
}

/** Returns the filters and headers of a chain, from its blocks alone. */
function filtersOf(tips: readonly RegtestTip[]): readonly { readonly filter: string; readonly header: string }[] {
  let header: Uint8Array | undefined;
  const scripts = new Map<string, Uint8Array>();
  return tips.map(({ bytes, hash }) => {
    const paid: Uint8Array[] = [];
    const spent: Uint8Array[] = [];
    for (const { txid, inputs, outputs } of parseBlock(bytes).transactions) {
      for (const { previousOutput } of inputs) {
        const script = scripts.get(`${toHex(previousOutput.txid)}:${previousOutput.vout}`);
        if (script !== undefined) spent.push(script);
      }
      for (const [vout, { scriptPubKey }] of outputs.entries()) {
        paid.push(scriptPubKey);
        scripts.set(`${toHex(txid)}:${vout}`, scriptPubKey);
      }
    }
    const filter = basicBlockFilter(hash, { paid, spent });
    header = blockFilterHeader(filter, header);
    return { filter: toHex(filter), header: displayHash(header) };
  });
}

describe("filters", () => {
  it.each([
    ["from the index", () => optional],
    ["of a node that keeps none", () => undefined],
    ["of an index that is being built", () => unbuilt],
  ])("of every block are given, %s", async (_how, kept) => {
    for (const [height, { filter }] of filtersOf(best).entries()) {
      const hash = hashOf(best[height] ?? expect.unreachable());
      expect(await getcfilter({ hash, filtertype: 0 }, context({ optional: kept() }))).toBe(filter);
    }
  });

  it("have headers, and come together with them", async () => {
    for (const [height, { filter, header }] of filtersOf(best).entries()) {
      const hash = hashOf(best[height] ?? expect.unreachable());
      expect(await getcfilterheader({ hash: hash.toUpperCase(), filtertype: 0 }, context())).toBe(header);
      expect(await getblockfilter({ blockhash: hash }, context())).toEqual({ filter, header });
      expect(await getblockfilter({ blockhash: hash, filtertype: "basic" }, context())).toEqual({ filter, header });
    }
  });

  it("of a stale block are given with their headers, those of a long branch that no index has known without", async () => {
    const branch = filtersOf([chain.genesis, first, ...stale]).slice(2);
    for (const [position, { filter, header }] of branch.entries()) {
      const hash = hashOf(stale[position] ?? expect.unreachable());
      expect(await getcfilter({ hash, filtertype: 0 }, context())).toBe(filter);
      const response = getblockfilter({ blockhash: hash }, context());
      if (position < 10) expect(await response).toEqual({ filter, header });
      else {
        await expect(response).rejects.toMatchObject({
          rpcCode: -5,
          message: "Filter not found. Block was not connected to active chain.",
        });
      }
    }
  });

  it("of the newest blocks have headers before the index has heard of them", async () => {
    const rows = optional.blockFilters ?? expect.unreachable();
    const late: OptionalIndexes = {
      blockFilters: {
        height: async () => 12,
        find: async (hash, height) => (height > 12 ? undefined : await rows.find(hash, height)),
      },
    };
    const { header } = filtersOf(best).at(-1) ?? expect.unreachable();
    const hash = hashOf(best.at(-1) ?? expect.unreachable());
    expect(await getcfilterheader({ hash, filtertype: 0 }, context({ optional: late }))).toBe(header);
  });

  it("have no headers while the index is far below them: the percentage is reported", async () => {
    const refusal = {
      rpcCode: -1,
      message: "Filter not found. Block filters are still in the process of being indexed: 0 %.",
    };
    const hash = hashOf(best[15] ?? expect.unreachable());
    const asked = context({ optional: unbuilt });
    await expect(async () => await getcfilterheader({ hash, filtertype: 0 }, asked)).rejects.toMatchObject(refusal);
    await expect(async () => await getblockfilter({ blockhash: hash }, asked)).rejects.toMatchObject(refusal);
  });

  it.each([undefined, {}])("have no headers where none are kept", async (kept) => {
    const refusal = { rpcCode: -1, message: "Index is not enabled for filtertype basic" };
    const asked = context({ optional: kept });
    const hash = hashOf(first);
    await expect(async () => await getcfilterheader({ hash, filtertype: 0 }, asked)).rejects.toMatchObject(refusal);
    await expect(async () => await getblockfilter({ blockhash: hash }, asked)).rejects.toMatchObject(refusal);
  });

  it("of other kinds and of unknown blocks are refused", async () => {
    const hash = hashOf(first);
    const kind = { rpcCode: -5, message: "Unknown filtertype" };
    for (const filtertype of [1, -1, 255, 2_147_483_647]) {
      await expect(async () => await getcfilter({ hash, filtertype }, context())).rejects.toMatchObject(kind);
      await expect(async () => await getcfilterheader({ hash, filtertype }, context())).rejects.toMatchObject(kind);
    }
    for (const filtertype of ["", "Basic", "extended", "0"]) {
      await expect(async () => await getblockfilter({ blockhash: hash, filtertype }, context())).rejects.toMatchObject(
        kind,
      );
    }
    const block = { rpcCode: -5, message: "Block not found" };
    await expect(async () => await getcfilter({ hash: unknownHash, filtertype: 0 }, context())).rejects.toMatchObject(
      block,
    );
    await expect(async () => await getblockfilter({ blockhash: unknownHash }, context())).rejects.toMatchObject(block);
  });
});

describe("statistics of all unspent outputs", () => {
  it("of the best block are the same whether they are counted or read", async () => {
    const tip = { height: 19, bestblock: hashOf(best.at(-1) ?? expect.unreachable()) };
    // A coinbase of each block except the spent one, and its spending transaction.
    const sums = { txouts: 19, bogosize: 19 * 51, total_amount: 18n * 5_000_000_000n + 4_000_000_000n };
    const counted = { ...tip, ...sums, transactions: 19, disk_size: expect.any(Number) };
    const plain = context({ optional: undefined });
    expect(await gettxoutsetinfo({ hashType: "none" }, plain)).toStrictEqual(counted);
    const response = await gettxoutsetinfo({ hashType: "muhash" }, plain);
    const muhash = "muhash" in response ? response.muhash : undefined;
    expect(muhash).toMatch(/^[0-9a-f]{64}$/);
    expect(response).toEqual({ ...counted, muhash });
    const indexed = {
      ...tip,
      ...sums,
      total_unspendable_amount: 6_000_000_000n,
      block_info: {
        prevout_spent: 0n,
        coinbase: 5_000_000_000n,
        new_outputs_ex_coinbase: 0n,
        unspendable: 0n,
        unspendables: { genesis_block: 0n, bip30: 0n, scripts: 0n, unclaimed_rewards: 0n },
      },
    };
    expect(await gettxoutsetinfo({ hashType: "muhash" }, context())).toEqual({ ...indexed, muhash });
    expect(await gettxoutsetinfo({ hashType: "none" }, context())).toStrictEqual(indexed);
    expect(await gettxoutsetinfo({ hashType: "muhash", useIndex: false }, context())).toEqual({ ...counted, muhash });
  });

  it("tell what a block moved, by its hash or height", async () => {
    const byHeight = await gettxoutsetinfo({ hashType: "muhash", hashOrHeight: 2 }, context());
    expect(byHeight).toMatchObject({
      height: 2,
      bestblock: hashOf(second),
      txouts: 2,
      total_amount: 9_000_000_000n,
      total_unspendable_amount: 6_000_000_000n,
      block_info: {
        prevout_spent: 5_000_000_000n,
        coinbase: 5_000_000_000n,
        new_outputs_ex_coinbase: 4_000_000_000n,
        unspendable: 1_000_000_000n,
        unspendables: { genesis_block: 0n, bip30: 0n, scripts: 7n, unclaimed_rewards: 999_999_993n },
      },
    });
    expect(
      await gettxoutsetinfo({ hashType: "muhash", hashOrHeight: hashOf(second).toUpperCase() }, context()),
    ).toEqual(byHeight);
  });

  it("of the first block are of nothing but what it lost", async () => {
    expect(await gettxoutsetinfo({ hashType: "muhash", hashOrHeight: 0 }, context())).toEqual({
      height: 0,
      bestblock: regtest.genesisHash,
      txouts: 0,
      bogosize: 0,
      // Hash of no outputs: SHA-256 of the number 1 in 384 bytes.
      muhash: "dd5ad2a105c2d29495f577245c357409002329b9f4d6182c0af3dc2f462555c8",
      total_amount: 0n,
      total_unspendable_amount: 5_000_000_000n,
      block_info: {
        prevout_spent: 0n,
        coinbase: 0n,
        new_outputs_ex_coinbase: 0n,
        unspendable: 5_000_000_000n,
        unspendables: { genesis_block: 5_000_000_000n, bip30: 0n, scripts: 0n, unclaimed_rewards: 0n },
      },
    });
  });

  it("with the serialized hash are counted, with or without the index", async () => {
    const response = await gettxoutsetinfo({}, context());
    expect(response).toMatchObject({ hash_serialized_3: expect.stringMatching(/^[0-9a-f]{64}$/), transactions: 19 });
    expect(await gettxoutsetinfo({ hashType: "hash_serialized_3" }, context({ optional: undefined }))).toEqual(
      response,
    );
  });

  it.each([
    [{ hashType: "sha256" }, "'sha256' is not a valid hash_type"],
    [{ hashType: "" }, "'' is not a valid hash_type"],
    [{ hashType: "x".repeat(1_000) }, `'${"x".repeat(100)}…' is not a valid hash_type`],
    [{ hashType: "none", hashOrHeight: -1 }, "Target block height -1 is negative"],
    [{ hashType: "none", hashOrHeight: 20 }, "Target block height 20 after current tip 19"],
    [{ hashType: "none", hashOrHeight: "zz" }, "hash_or_height must be of length 64 (not 2, for 'zz')"],
    [
      { hashType: "none", hashOrHeight: "z".repeat(64) },
      `hash_or_height must be hexadecimal string (not '${"z".repeat(64)}')`,
    ],
    [{ hashOrHeight: 1 }, "hash_serialized_3 hash type cannot be queried for a specific block"],
    [
      { hashType: "none", hashOrHeight: 1, useIndex: false },
      "Cannot set use_index to false when querying for a specific block",
    ],
  ])("refuse %o", async (input, message) => {
    await expect(async () => await gettxoutsetinfo(input, context())).rejects.toMatchObject({ rpcCode: -8, message });
  });

  it("refuse an unknown block, and every block but the best one without the index", async () => {
    await expect(
      async () => await gettxoutsetinfo({ hashType: "none", hashOrHeight: unknownHash }, context()),
    ).rejects.toMatchObject({ rpcCode: -5, message: "Block not found" });
    await expect(
      async () => await gettxoutsetinfo({ hashType: "none", hashOrHeight: 1 }, context({ optional: {} })),
    ).rejects.toMatchObject({ rpcCode: -8, message: "Querying specific block heights requires coinstatsindex" });
  });

  it("say how far an index is that is being built", async () => {
    const building: OptionalIndexes = { coinStatistics: { height: async () => 4, find: async () => undefined } };
    await expect(
      async () => await gettxoutsetinfo({ hashType: "muhash" }, context({ optional: building })),
    ).rejects.toMatchObject({
      rpcCode: -1,
      message: "Unable to get data because coinstatsindex is still syncing. Current height: 4 (25 %)",
    });
  });

  it("tell all that can never be spent, by its reasons", async () => {
    const rows = optional.coinStatistics ?? expect.unreachable();
    const odd: OptionalIndexes = {
      coinStatistics: {
        height: () => rows.height(),
        find: async (hash, height) => {
          const row = await rows.find(hash, height);
          const lost = { genesisBlock: 1n, repeatedCoinbase: 20n, scripts: 300n, unclaimed: 4_000n };
          return row && { ...row, block: { ...row.block, ...lost } };
        },
      },
    };
    expect(await gettxoutsetinfo({ hashType: "none" }, context({ optional: odd }))).toMatchObject({
      block_info: {
        unspendable: 4_321n,
        unspendables: { genesis_block: 1n, bip30: 20n, scripts: 300n, unclaimed_rewards: 4_000n },
      },
    });
  });

  it.each([
    { height: 8, looks: 1 },
    { height: 9, looks: 3 },
  ])("wait for an index that is few blocks behind alone: $height of 19", async ({ height, looks }) => {
    const rows = optional.coinStatistics ?? expect.unreachable();
    let looked = 0;
    const late: OptionalIndexes = {
      coinStatistics: {
        height: async () => height,
        find: async (hash, at) => {
          looked += 1;
          return looked < 3 ? undefined : await rows.find(hash, at);
        },
      },
    };
    const response = Promise.resolve(gettxoutsetinfo({ hashType: "none" }, context({ optional: late })));
    if (looks === 1) await expect(response).rejects.toMatchObject({ rpcCode: -1 });
    else expect(await response).toMatchObject({ height: 19 });
    expect(looked).toBe(looks);
  });

  it("wait for an index that has not heard of the newest block yet", async () => {
    const rows = optional.coinStatistics ?? expect.unreachable();
    let asked = 0;
    const late: OptionalIndexes = {
      coinStatistics: {
        height: async () => 18,
        find: async (hash, height) => {
          asked += 1;
          return asked < 4 ? undefined : await rows.find(hash, height);
        },
      },
    };
    expect(await gettxoutsetinfo({ hashType: "muhash" }, context({ optional: late }))).toEqual(
      await gettxoutsetinfo({ hashType: "muhash" }, context()),
    );
  });

  it("are counted once for callers that ask together, and anew when the chain has changed meanwhile", async () => {
    let pages = 0;
    let failures = 1;
    const counting = {
      network: index.network,
      tip: () => index.tip(),
      async *coinPages(tip: string) {
        pages += 1;
        yield* index.coinPages(failures > 0 ? unknownHash : tip);
      },
    };
    const watched = Object.assign(Object.create(index) as ChainIndexReader, counting);
    const responses = Array.from({ length: 5 }, () => gettxoutsetinfo({}, context({ index: watched })));
    failures = 0;
    const [response, ...others] = await Promise.all(responses);
    expect(response).toMatchObject({ txouts: 19 });
    for (const other of others) expect(other).toEqual(response);
    expect(pages).toBeLessThanOrEqual(2);
    failures = Number.POSITIVE_INFINITY;
    const other = Object.assign(Object.create(index) as ChainIndexReader, counting);
    pages = 0;
    await expect(async () => await gettxoutsetinfo({}, context({ index: other }))).rejects.toMatchObject({
      code: "upstream_unavailable",
      message: "Blocks arrived while the outputs were counted: try again",
      retryAfterSeconds: 1,
    });
    expect(pages).toBe(5);
  });

  it("of a chain with too many transactions are not counted: muhash is named", async () => {
    const tip = (await index.tip()) ?? expect.unreachable();
    const long = Object.assign(Object.create(index) as ChainIndexReader, {
      tip: async () => ({ ...tip, chainTransactionCount: 1_000_001 }),
    });
    const asked = context({ index: long });
    await expect(async () => await gettxoutsetinfo({}, asked)).rejects.toMatchObject({
      rpcCode: -8,
      message:
        "hash_serialized_3 reads all outputs in order, which are too many here: request muhash, which the index of coin statistics has",
    });
    const longest = Object.assign(Object.create(index) as ChainIndexReader, {
      tip: async () => ({ ...tip, chainTransactionCount: 1_000_000 }),
      coinPages: (hash: string) => index.coinPages(hash),
    });
    expect(await gettxoutsetinfo({}, context({ index: longest }))).toMatchObject({ txouts: 19 });
    await expect(async () => await gettxoutsetinfo({ hashType: "none", useIndex: false }, asked)).rejects.toMatchObject(
      {
        rpcCode: -8,
        message: "There are too many outputs to be counted without coinstatsindex",
      },
    );
    expect(await gettxoutsetinfo({ hashType: "none" }, asked)).toMatchObject({ txouts: 19 });
  });
});

describe("the indexes of a node", () => {
  const level = { synced: true, best_block_height: 19 };

  it("are reported with how far they are, in Bitcoin Core's order", async () => {
    const all = await getindexinfo({}, context());
    expect(all).toEqual({
      txindex: level,
      coinstatsindex: level,
      txospenderindex: level,
      "basic block filter index": level,
    });
    expect(Object.keys(all)).toEqual(["txindex", "coinstatsindex", "txospenderindex", "basic block filter index"]);
    expect(await getindexinfo({}, context({ optional: undefined }))).toEqual({
      txindex: level,
      txospenderindex: level,
    });
    expect(await getindexinfo({}, context({ optional: unbuilt }))).toMatchObject({
      coinstatsindex: { synced: false, best_block_height: -1 },
      "basic block filter index": { synced: false, best_block_height: -1 },
    });
  });

  it("are told one by one, and none of an unknown name", async () => {
    expect(await getindexinfo({ indexName: "txindex" }, context())).toEqual({ txindex: level });
    expect(await getindexinfo({ indexName: "basic block filter index" }, context({ optional: {} }))).toEqual({});
    expect(await getindexinfo({ indexName: "__proto__" }, context())).toEqual({});
    expect(await getindexinfo({ indexName: "" }, context())).toHaveProperty("txindex");
  });
});
