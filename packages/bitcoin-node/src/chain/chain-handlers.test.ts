import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BlockRecord, type ChainQueries, IndexerError } from "@nodewright/bitcoin-indexer";
import { displayHash, type NetworkName, networks, parseBlock } from "@nodewright/bitcoin-primitives";
import type { Upstream } from "@nodewright/upstream";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { getblockchaininfo } from "../handlers/getblockchaininfo.ts";
import { getchaintips } from "../handlers/getchaintips.ts";
import { getchaintxstats } from "../handlers/getchaintxstats.ts";
import { getcurrentnet } from "../handlers/getcurrentnet.ts";
import { getdeploymentinfo } from "../handlers/getdeploymentinfo.ts";
import { getinfo } from "../handlers/getinfo.ts";
import { getmininginfo } from "../handlers/getmininginfo.ts";
import { getnetworkhashps } from "../handlers/getnetworkhashps.ts";
import { verifychain } from "../handlers/verifychain.ts";
import { changedIndex } from "../testing/changed-index.ts";
import { type ChainNode, contextOver, openChainNode } from "../testing/chain-node.ts";
import { plainResult } from "../testing/plain-result.ts";
import { verifyChain } from "./verify-chain.ts";
import { cpuMillisecondsDuring } from "../../../../test/support/cpu-time.ts";

let node: ChainNode;

beforeAll(async () => {
  node = await openChainNode({ seed: 21, transactions: 300, staleBranches: 3, mempool: 20, signatures: "placeholder" });
});

afterAll(async () => {
  await node.close();
});

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

function hashAt(height: number): string {
  return displayHash(node.best[height]?.hash ?? expect.unreachable());
}

describe("the tips of the chain", () => {
  it("are the best one and the ends of all stale branches, the highest first", async () => {
    const tip = node.best.at(-1) ?? expect.unreachable();
    const branches = node.chain.staleBranches.map(({ forkHeight, hashes }) => ({
      height: forkHeight + hashes.length,
      hash: displayHash(hashes.at(-1) ?? expect.unreachable()),
      branchlen: hashes.length,
      status: "valid-fork",
    }));
    expect(branches).toHaveLength(3);
    const active = { height: tip.height, hash: displayHash(tip.hash), branchlen: 0, status: "active" };
    const expected = [active, ...branches].sort((left, right) => right.height - left.height);
    const response = await plainResult(getchaintips({}, node.context()));
    expect(response.map(({ height }) => height)).toEqual(expected.map(({ height }) => height));
    expect(response).toEqual(expect.arrayContaining(expected));
  });
});

describe("the state of the chain", () => {
  it("is that of the index where there is no node, or it does not answer", async () => {
    const tip = parseBlock(node.best.at(-1)?.bytes ?? expect.unreachable()).header;
    for (const upstream of [undefined, nodeWith(new Error("gone")), nodeWith({ headers: "many" }), nodeWith([])]) {
      const info = await plainResult(getblockchaininfo({}, node.context({ upstream })));
      expect(info).toMatchObject({
        chain: "regtest",
        blocks: node.best.length - 1,
        headers: node.best.length - 1,
        bestblockhash: displayHash(tip.hash),
        bits: "207fffff",
        time: tip.time,
        verificationprogress: 1,
        initialblockdownload: false,
        pruned: false,
        warnings: [],
      });
      expect(info.size_on_disk).toBeGreaterThan(node.blocks.reduce((sum, { bytes }) => sum + bytes.length, 0));
      expect(Object.keys(info)).not.toContain("signet_challenge");
    }
  });

  it("knows of headers that only the node has", async () => {
    const height = node.best.length - 1;
    const near = await plainResult(
      getblockchaininfo({}, node.context({ upstream: nodeWith({ headers: height + 144 }) })),
    );
    expect(near).toMatchObject({ headers: height + 144, initialblockdownload: false });
    const far = await plainResult(
      getblockchaininfo({}, node.context({ upstream: nodeWith({ headers: height + 145 }) })),
    );
    expect(far).toMatchObject({ headers: height + 145, initialblockdownload: true });
    expect(far.verificationprogress).toBeCloseTo((height + 1) / (height + 146), 12);
    const behind = await plainResult(getblockchaininfo({}, node.context({ upstream: nodeWith({ headers: 3 }) })));
    expect(behind).toMatchObject({ headers: height, verificationprogress: 1 });
  });
});

describe("the transactions of the chain", () => {
  it("are counted up to each block, and in each run of blocks", async () => {
    const counts = node.best.map(({ transactionCount }) => transactionCount);
    for (const height of [1, 2, 100, node.best.length - 1]) {
      const total = counts.slice(0, height + 1).reduce((sum, count) => sum + count, 0);
      for (const nblocks of [0, 1, height - 1]) {
        if (nblocks > 0 && nblocks >= height) continue;
        const response = await plainResult(getchaintxstats({ nblocks, blockhash: hashAt(height) }, node.context()));
        expect(response).toMatchObject({
          txcount: total,
          window_final_block_height: height,
          window_block_count: nblocks,
        });
        const before = await node.index.blockByHeight(height - nblocks);
        const last = await node.index.blockByHeight(height);
        const run = counts.slice(height - nblocks + 1, height + 1).reduce((sum, count) => sum + count, 0);
        const interval = (last?.medianTime ?? 0) - (before?.medianTime ?? 0);
        if (nblocks === 0) expect(response).not.toHaveProperty("window_interval");
        else expect(response).toMatchObject({ window_interval: interval, window_tx_count: run });
        if (nblocks === 0 || interval === 0) expect(response).not.toHaveProperty("txrate");
        else expect(response.txrate).toBeCloseTo(run / interval, 12);
      }
    }
  });

  it("are those of a month where nothing is said, or of all blocks but the first two", async () => {
    const response = await getchaintxstats({}, node.context());
    expect(response).toMatchObject({
      window_block_count: node.best.length - 2,
      window_final_block_hash: hashAt(node.best.length - 1),
    });
    expect(await getchaintxstats({ blockhash: hashAt(0) }, node.context())).toMatchObject({
      txcount: 1,
      window_block_count: 0,
    });
    expect(await getchaintxstats({ blockhash: hashAt(1) }, node.context())).toMatchObject({
      txcount: 2,
      window_block_count: 0,
    });
  });

  it.each([
    [4_319, 4_318],
    [4_320, 4_319],
    [4_321, 4_320],
    [10_000, 4_320],
    [1, 0],
    [0, 0],
  ])(
    "are those of a month at most where nothing is said: of a chain of height %i, %i blocks",
    async (height, count) => {
      const recordAt = (each: number) =>
        ({
          hash: "ab",
          height: each,
          header: { time: 7 },
          medianTime: each,
          chainTransactionCount: 3 * each,
        }) as BlockRecord;
      const index = {
        tip: async () => recordAt(height),
        blockByHeight: async (each: number) => recordAt(each),
      } as unknown as ChainQueries;
      expect(await getchaintxstats({}, node.context({ index }))).toStrictEqual({
        time: 7,
        txcount: 3 * height,
        window_final_block_hash: "ab",
        window_final_block_height: height,
        window_block_count: count,
        ...(count === 0 ? {} : { window_interval: count, window_tx_count: 3 * count, txrate: 3 }),
      });
    },
  );

  it("have no rate where no time lies between, and are not found where the chain is cut off meanwhile", async () => {
    const tip = { hash: "ab", height: 9, header: { time: 7 }, medianTime: 5, chainTransactionCount: 30 } as BlockRecord;
    const indexWith = (before: BlockRecord | undefined) =>
      ({ tip: async () => tip, blockByHeight: async () => before }) as unknown as ChainQueries;
    for (const medianTime of [5, 6]) {
      const index = indexWith({ ...tip, medianTime, chainTransactionCount: 10 });
      const response = await getchaintxstats({ nblocks: 2 }, node.context({ index }));
      expect(response).toMatchObject({ window_interval: 5 - medianTime, window_tx_count: 20 });
      expect(response).not.toHaveProperty("txrate");
    }
    await expect(
      async () => await getchaintxstats({ nblocks: 2 }, node.context({ index: indexWith(undefined) })),
    ).rejects.toMatchObject({ rpcCode: -5, message: "Block not found" });
  });

  it("are not counted for a stale block, nor over as many blocks as there are", async () => {
    const stale = displayHash(node.chain.staleBranches[0]?.hashes[0] ?? expect.unreachable());
    await expect(async () => getchaintxstats({ nblocks: 1, blockhash: stale }, node.context())).rejects.toMatchObject({
      rpcCode: -8,
      message: "Block is not in main chain",
    });
    for (const [nblocks, height] of [
      [1, 0],
      [1, 1],
      [7, 7],
      [node.best.length, node.best.length - 1],
    ] as const) {
      await expect(async () =>
        getchaintxstats({ nblocks, blockhash: hashAt(height) }, node.context()),
      ).rejects.toMatchObject({
        rpcCode: -8,
        message: "Invalid block count: should be between 0 and the block's height - 1",
      });
    }
  });
});

describe("the state of mining", () => {
  it("tells of the block to come, and counts what waits for it", async () => {
    const info = await plainResult(getmininginfo({}, node.context()));
    const difficulty = { bits: "207fffff", difficulty: 4.656542373906925e-10, target: `7fffff${"0".repeat(58)}` };
    expect(info).toMatchObject({
      blocks: node.best.length - 1,
      ...difficulty,
      pooledtx: node.unconfirmed.length,
      blockmintxfee: 1n,
      chain: "regtest",
      next: { height: node.best.length, ...difficulty },
      warnings: [],
    });
    expect(info).not.toHaveProperty("currentblockweight");
    // The hash rate of 120 blocks, as in getnetworkhashps.
    expect(info.networkhashps).toBe(await getnetworkhashps({}, node.context()));
    expect(await getmininginfo({}, contextOver(node.index))).toMatchObject({ pooledtx: 0 });
  });
});

describe("networks", () => {
  const challenge =
    "512103ad5e0edad18cb1f0fc0d28a3d4f1f3e445640337489abb10404f2d1e086be430210359ef5021964fe22d6f8e05b2463c9540ce96883fe3b278760f048f5189f2e6c452ae";

  // Names of `-chain`, and the numbers before messages, of Bitcoin Core's chainparams.cpp, as little-endian numbers.
  it.each<[name: NetworkName, chain: string, testnet: boolean, magic: number]>([
    ["mainnet", "main", false, 0xd9b4bef9],
    ["testnet3", "test", true, 0x0709110b],
    ["testnet4", "testnet4", true, 0x283f161c],
    ["signet", "signet", false, 0x40cf030a],
    ["regtest", "regtest", false, 0xdab5bffa],
  ])("are named and told apart: %s", async (name, chain, testnet, magic) => {
    const index = changedIndex(node.index, { network: networks[name] });
    const context = node.context({ index });
    const reported = { chain, ...(name === "signet" ? { signet_challenge: challenge } : {}) };
    for (const info of [
      await plainResult(getblockchaininfo({}, context)),
      await plainResult(getmininginfo({}, context)),
    ]) {
      expect(info).toMatchObject(reported);
      expect("signet_challenge" in info).toBe(name === "signet");
    }
    expect(await getinfo({}, context)).toMatchObject({ testnet });
    expect(await getcurrentnet({}, context)).toBe(magic);
  });
});

describe("the next block where a late one may be easy", () => {
  it.each([
    ["in time", 1_200, "207fffff"],
    ["late", 1_201, "1d00ffff"],
  ])("that is %s", async (_when, seconds, bits) => {
    const index = changedIndex(node.index, { network: networks.testnet3 });
    const { time } = (await index.tip())?.header ?? expect.unreachable();
    const info = await plainResult(getmininginfo({}, node.context({ index, now: () => (time + seconds) * 1_000 })));
    expect(info.next).toMatchObject({ bits });
  });
});

describe("the last block that the node put together", () => {
  const toldWith = async (response: unknown) => {
    const { currentblockweight, currentblocktx } = await plainResult(
      getmininginfo({}, node.context({ upstream: nodeWith(response) })),
    );
    return { currentblockweight, currentblocktx };
  };

  it("is reported where there was one, also with no transaction but the coinbase", async () => {
    const block = { currentblockweight: 8_000, currentblocktx: 0 };
    expect(await toldWith({ ...block, blocks: 1, errors: "" })).toEqual(block);
    const largest = { currentblockweight: 4_294_967_295, currentblocktx: 4_294_967_295 };
    expect(await toldWith(largest)).toEqual(largest);
    const smallest = { currentblockweight: 1, currentblocktx: 0 };
    expect(await toldWith(smallest)).toEqual(smallest);
  });

  it.each([
    ["the node made none", {}],
    ["btcd made none", { currentblockweight: 0, currentblocktx: 0 }],
    ["a number is missing", { currentblockweight: 8_000 }],
    ["the other number is missing", { currentblocktx: 1 }],
    ["a number is too large", { currentblockweight: 4_294_967_296, currentblocktx: 1 }],
    ["the other number is too large", { currentblockweight: 1, currentblocktx: 4_294_967_296 }],
    ["the node's numbers are none", { currentblockweight: "8000", currentblocktx: -1 }],
    ["the node is away", new Error("away")],
  ])("is left out where %s", async (_what, response) => {
    expect(await toldWith(response)).toEqual({ currentblockweight: undefined, currentblocktx: undefined });
  });
});

describe("the deployments", () => {
  it("are told for a stale block too, along its own branch", async () => {
    const { hashes, forkHeight } = node.chain.staleBranches.at(-1) ?? expect.unreachable();
    const hash = displayHash(hashes.at(-1) ?? expect.unreachable());
    const info = await plainResult(getdeploymentinfo({ blockhash: hash }, node.context()));
    expect(info).toMatchObject({ hash, height: forkHeight + hashes.length });
    expect(Object.keys(info.deployments)).toEqual(["bip34", "bip66", "bip65", "csv", "segwit", "testdummy"]);
    expect(info.script_flags).toHaveLength(7);
  });

  it("are those of the tip where no block is named", async () => {
    expect(await getdeploymentinfo({}, node.context())).toMatchObject({ hash: hashAt(node.best.length - 1) });
    const none = { rpcCode: -5, message: "Block not found" };
    await expect(async () => getdeploymentinfo({ blockhash: "00".repeat(32) }, node.context())).rejects.toMatchObject(
      none,
    );
  });
});

describe("a verification of the chain", () => {
  it.each([[-1], [0], [1], [2], [3], [4], [9]])(
    "finds nothing wrong at level %i in a chain that was reorganised",
    async (checklevel) => {
      expect(await verifychain({ checklevel, checkdepth: 0 }, node.context())).toBe(true);
    },
  );

  it("is made once for all who request the same, and refused to who requests another meanwhile", async () => {
    const first = verifychain({ checklevel: 4, checkdepth: 0 }, node.context());
    const same = verifychain({ checklevel: 4, checkdepth: 0 }, node.context());
    // The first one has begun by then.
    await new Promise(setImmediate);
    await expect(async () => verifychain({ checklevel: 3, checkdepth: 0 }, node.context())).rejects.toMatchObject({
      rpcCode: -1,
      message: "Another verification of the chain is under way: try again later",
    });
    expect(await Promise.all([first, same])).toEqual([true, true]);
    expect(await verifychain({}, node.context())).toBe(true);
  });

  /** Returns an index of 100 intact blocks, which reports each check. */
  function indexOf(checkBlock: (height: number) => Promise<boolean | undefined>): ChainQueries {
    const tip = async () => ({ hash: "ab", height: 99 }) as BlockRecord;
    return { tip, checkBlock } as unknown as ChainQueries;
  }

  it("begins with the best block, and checks as many as it is told", async () => {
    const checked: number[] = [];
    const index = indexOf(async (height) => {
      checked.push(height);
      return true;
    });
    const verify = async (depth: number) => {
      checked.length = 0;
      expect(await verifyChain(index, { level: 1, depth })).toBe(true);
      return [checked.length, checked[0], checked.at(-1)];
    };
    expect(await verify(1)).toEqual([1, 99, 99]);
    expect(await verify(6)).toEqual([6, 99, 94]);
    expect(await verify(99)).toEqual([99, 99, 1]);
    expect(await verify(100)).toEqual([100, 99, 0]);
    expect(await verify(101)).toEqual([100, 99, 0]);
  });

  it("checks a block again that was reorganised meanwhile, passes over one that is gone, and hides no other failure", async () => {
    const failures = [
      new IndexerError("reorganised", "The chain was reorganised"),
      new IndexerError("reorganised", "The chain was reorganised"),
    ];
    let checks = 0;
    const shaken = indexOf(async () => {
      checks += 1;
      const failure = failures.pop();
      if (failure !== undefined) throw failure;
      return undefined;
    });
    expect(await verifyChain(shaken, { level: 1, depth: 2 })).toBe(true);
    expect(checks).toBe(4);
    for (const failure of [new IndexerError("tables-damaged", "Damaged"), new Error("Odd")]) {
      const broken = indexOf(async () => await Promise.reject(failure));
      await expect(verifyChain(broken, { level: 1, depth: 2 })).rejects.toBe(failure);
    }
  });

  it("is given up after a minute, with what was found", async () => {
    let now = 1_000;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
    try {
      let checks = 0;
      const slow = indexOf(async () => {
        checks += 1;
        now += 20_000;
        return true;
      });
      await expect(verifyChain(slow, { level: 4, depth: 100 })).rejects.toMatchObject({
        rpcCode: -1,
        message: "Verified 4 blocks and found nothing wrong in 60 s: request fewer of them",
      });
      // Exactly a minute is not too long.
      expect(checks).toBe(4);
      expect(await verifyChain(slow, { level: 4, depth: 4 })).toBe(true);
    } finally {
      clock.mockRestore();
    }
  });

  it("lets other work go on, also between blocks that take no time", async () => {
    let turns = 0;
    let isDone = false;
    const milliseconds = await cpuMillisecondsDuring(async () => {
      const verification = plainResult(verifychain({ checklevel: 3, checkdepth: 0 }, node.context())).finally(() => {
        isDone = true;
      });
      while (!isDone) {
        await new Promise(setImmediate);
        turns += 1;
      }
      expect(await verification).toBe(true);
    });
    // A tenth of the turns that its time slices allow.
    expect(turns).toBeGreaterThan(milliseconds / 40);
  });

  it("finds a block whose bytes were changed, as far down as it looks", async () => {
    const damaged = await openChainNode({ seed: 22, transactions: 60, signatures: "placeholder" });
    try {
      const path = join(damaged.directory, "data", "blocks", "blk00000.dat");
      const file = readFileSync(path);
      const height = damaged.best.length - 4;
      const block = Buffer.from(damaged.best[height]?.bytes ?? expect.unreachable());
      const start = file.indexOf(block);
      expect(start).toBeGreaterThan(0);
      file[start + block.length - 5] = (file[start + block.length - 5] ?? 0) ^ 1;
      writeFileSync(path, file);
      expect(await verifychain({ checklevel: 1, checkdepth: 3 }, damaged.context())).toBe(true);
      expect(await verifychain({ checklevel: 1, checkdepth: 4 }, damaged.context())).toBe(false);
      expect(await verifychain({}, damaged.context())).toBe(false);
    } finally {
      await damaged.close();
    }
  });
});
