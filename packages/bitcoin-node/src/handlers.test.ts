import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getHeapSpaceStatistics } from "node:v8";
import {
  type BlockRecord,
  type ChainIndexReader,
  type ChainQueries,
  createArraySource,
  openChainIndex,
  openEmbeddedStore,
  runIndexer,
} from "@nodewright/bitcoin-indexer";
import { RegtestChain, type RegtestTip } from "@nodewright/bitcoin-indexer/testing";
import { addressOfScript, displayHash, fromHex, networks, parseBlock, toHex } from "@nodewright/bitcoin-primitives";
import { type PreparedJson, ServiceError } from "@nodewright/runtime";
import type { Upstream } from "@nodewright/upstream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCommandReference } from "./description/command-reference.ts";
import type { BitcoinNodeContext } from "./context/context.ts";
import { decoderawtransaction } from "./handlers/decoderawtransaction.ts";
import { getbestblock } from "./handlers/getbestblock.ts";
import { getbestblockhash } from "./handlers/getbestblockhash.ts";
import { getblock } from "./handlers/getblock.ts";
import { getblockchaininfo } from "./handlers/getblockchaininfo.ts";
import { getblockcount } from "./handlers/getblockcount.ts";
import { getblockhash } from "./handlers/getblockhash.ts";
import { getblockheader } from "./handlers/getblockheader.ts";
import { getconnectioncount } from "./handlers/getconnectioncount.ts";
import { getcurrentnet } from "./handlers/getcurrentnet.ts";
import { getdifficulty } from "./handlers/getdifficulty.ts";
import { getgenerate } from "./handlers/getgenerate.ts";
import { gethashespersec } from "./handlers/gethashespersec.ts";
import { getheaders } from "./handlers/getheaders.ts";
import { getinfo } from "./handlers/getinfo.ts";
import { getmemoryinfo } from "./handlers/getmemoryinfo.ts";
import { getmempoolinfo } from "./handlers/getmempoolinfo.ts";
import { getmininginfo } from "./handlers/getmininginfo.ts";
import { getnettotals } from "./handlers/getnettotals.ts";
import { getnetworkhashps } from "./handlers/getnetworkhashps.ts";
import { getrawtransaction } from "./handlers/getrawtransaction.ts";
import { gettxout } from "./handlers/gettxout.ts";
import { gettxoutproof } from "./handlers/gettxoutproof.ts";
import { help } from "./handlers/help.ts";
import { rpcDiscover } from "./handlers/rpc-discover.ts";
import { uptime } from "./handlers/uptime.ts";
import { validateaddress } from "./handlers/validateaddress.ts";
import { verifytxoutproof } from "./handlers/verifytxoutproof.ts";
import { verifytxoutput } from "./handlers/verifytxoutput.ts";
import { version } from "./handlers/version.ts";
import { blocksSinceRetarget, estimateHashRate } from "./chain/network-hash-rate.ts";
import { renderBlockHeader } from "./render/block.ts";
import { responseValue as answered } from "./testing/response-text.ts";
import { plainResult } from "./testing/plain-result.ts";

const { regtest } = networks;
/** Script that anyone may spend. */
const openScript: Uint8Array = Uint8Array.of(0x51);

const commands = createCommandReference({
  openrpc: "1.3.2",
  info: { title: "Test", version: "1.2.3-rc.1" },
  methods: [
    { name: "stop", description: "Stops the node.", params: [] },
    {
      name: "getblock",
      description: "A block.",
      params: [
        { name: "blockhash", required: true, schema: { type: "string" } },
        { name: "verbosity", schema: { type: "integer", default: 1 } },
      ],
    },
    { name: "addnode", description: "Adds a peer.", params: [] },
  ],
});

const chain = new RegtestChain();
const first = chain.extend(chain.genesis, openScript);
const spend = { coins: first.coins.slice(-1), outputs: [{ value: 4_999_990_000n, scriptPubKey: openScript }] };
/** Spends the first block's coinbase, with a witness. */
const second = chain.extend(first, openScript, [{ ...spend, witness: [Uint8Array.of(1, 2, 3)] }]);
const stale = chain.extend(first, openScript, [{ ...spend, outputs: [{ value: 1n, scriptPubKey: openScript }] }]);
const tip = chain.extend(second, openScript);

const directory = mkdtempSync(join(tmpdir(), "nodewright-"));
let index: ChainIndexReader;

beforeAll(async () => {
  const store = await openEmbeddedStore(directory, regtest);
  const source = createArraySource(regtest, [chain.genesis.bytes, first.bytes, stale.bytes]);
  await runIndexer({ store, source });
  source.add(second.bytes, tip.bytes);
  await runIndexer({ store, source });
  await store.close();
  index = openChainIndex(directory, { network: regtest });
});

afterAll(async () => {
  await index.close();
  rmSync(directory, { recursive: true });
});

function context(more: Partial<BitcoinNodeContext> = {}): BitcoinNodeContext {
  return {
    index,
    identity: { version: 10_203, protocolVersion: 70_016 },
    methodAccess: { isEnabled: () => true, enableHint: "Ask the operator." },
    commands,
    isShared: true,
    startedAt: 1_000,
    now: () => 62_999,
    ...more,
  };
}

function hashOf({ hash }: RegtestTip): string {
  return displayHash(hash);
}

function txidOf(block: RegtestTip, position: number): string {
  const transaction = parseBlock(block.bytes).transactions[position] ?? expect.unreachable(`no ${position}`);
  return displayHash(transaction.txid);
}

function addressOf(script: string): string {
  return addressOfScript(fromHex(script) ?? expect.unreachable(), regtest) ?? expect.unreachable(script);
}

/** Returns a node that serves one method. */
function upstreamWith(result: unknown): Upstream {
  return {
    call: async () => {
      if (result instanceof Error) throw result;
      return result;
    },
    batch: async () => [],
    totals: () => ({ bytesSent: 12, bytesReceived: 345, methodCalls: 1 }),
    close: async () => {},
  };
}

describe("a stale block", () => {
  it("is given with confirmations -1 and without a next block", async () => {
    const block = await answered(getblock({ blockhash: hashOf(stale) }, context()));
    expect(block).toMatchObject({ confirmations: -1, height: 2, previousblockhash: hashOf(first), nTx: 2 });
    expect(block).not.toHaveProperty("nextblockhash");
  });

  it("is given at every verbosity", async () => {
    expect(await answered(getblock({ blockhash: hashOf(stale), verbosity: 0 }, context()))).toBe(toHex(stale.bytes));
    const block = await answered(getblock({ blockhash: hashOf(stale), verbosity: 2 }, context()));
    expect(block).toMatchObject({ tx: [{ vin: [{ coinbase: expect.any(String) }] }, { fee: 49.99999999 }] });
    expect(await answered(getblockheader({ hash: hashOf(stale) }, context()))).toMatchObject({ confirmations: -1 });
    expect(await answered(getblockheader({ hash: hashOf(stale), verbose: false }, context()))).toHaveLength(160);
  });

  it("gives its transactions to those who name it, with confirmations 0", async () => {
    const input = { txid: txidOf(stale, 1), verbose: 1, blockhash: hashOf(stale) };
    const transaction = await answered(getrawtransaction(input, context()));
    expect(transaction).toMatchObject({ in_active_chain: false, blockhash: hashOf(stale), confirmations: 0 });
    expect(transaction).not.toHaveProperty("blocktime");
  });

  it("is reported with its transactions to others too, with confirmations 0", async () => {
    const transaction = await answered(getrawtransaction({ txid: txidOf(stale, 1), verbose: 2 }, context()));
    expect(transaction).toMatchObject({ fee: 49.99999999, blockhash: hashOf(stale), confirmations: 0 });
    for (const name of ["in_active_chain", "time", "blocktime"]) expect(transaction).not.toHaveProperty(name);
  });

  it("proves no transaction", async () => {
    const proof = await plainResult(gettxoutproof({ txids: [txidOf(stale, 1)], blockhash: hashOf(stale) }, context()));
    await expect(async () => await verifytxoutproof({ proof }, context())).rejects.toMatchObject({ rpcCode: -5 });
  });
});

describe("a block of the best chain", () => {
  it("counts confirmations to the tip", async () => {
    for (const [block, confirmations] of [
      [chain.genesis, 4],
      [first, 3],
      [second, 2],
      [tip, 1],
    ] as const) {
      expect(await answered(getblockheader({ hash: hashOf(block) }, context()))).toMatchObject({ confirmations });
    }
  });

  it("is found by a hash in upper case, and named in lower case", async () => {
    const block = await answered(getblock({ blockhash: hashOf(second).toUpperCase() }, context()));
    expect(block).toMatchObject({ hash: hashOf(second) });
  });

  it("tells the witness of its coinbase and of its inputs", async () => {
    const block = await answered(getblock({ blockhash: hashOf(second), verbosity: 2 }, context()));
    expect(block).toMatchObject({
      coinbase_tx: { witness: "00".repeat(32) },
      tx: [{ vin: [{ txinwitness: ["00".repeat(32)] }] }, { vin: [{ txinwitness: ["010203"] }] }],
    });
  });

  it("tells the outputs that are spent at verbosity 3 alone", async () => {
    const spent = { generated: true, height: 1, value: 50 };
    const detailed = await answered(getblock({ blockhash: hashOf(second), verbosity: 3 }, context()));
    expect(detailed).toMatchObject({ tx: [{}, { fee: 0.0001, vin: [{ prevout: spent }] }] });
    const plain = await answered(getblock({ blockhash: hashOf(second), verbosity: 2 }, context()));
    expect(plain).not.toMatchObject({ tx: [{}, { vin: [{ prevout: spent }] }] });
  });

  it.each([
    [-5, false, 0],
    [0, true, 0],
    [false, true, 0],
    [1, true, 1],
    [true, false, 1],
    [true, true, 2],
    [2, false, 2],
    [99, false, 3],
  ])("reads the verbosity %s, %s as %i", async (verbosity, verbosetx, level) => {
    const input = { blockhash: hashOf(second), verbosity, verbosetx };
    expect(await answered(getblock(input, context()))).toEqual(
      await answered(getblock({ blockhash: hashOf(second), verbosity: level }, context())),
    );
  });
});

describe("the best block", () => {
  it("has a hash and a height", async () => {
    expect(await getbestblock({}, context())).toStrictEqual({ hash: hashOf(tip), height: 3 });
    expect(await getbestblockhash({}, context())).toBe(hashOf(tip));
    expect(await getblockcount({}, context())).toBe(3);
  });

  it("is the last that has a hash by its height", async () => {
    for (const [height, block] of [chain.genesis, first, second, tip].entries()) {
      expect(await getblockhash({ height }, context())).toBe(hashOf(block));
    }
    await expect(async () => await getblockhash({ height: 4 }, context())).rejects.toMatchObject({
      rpcCode: -8,
      message: "Block height out of range",
    });
  });

  it("has no block before it where it is the first", async () => {
    const header = await answered(getblockheader({ hash: hashOf(chain.genesis) }, context()));
    expect(header).not.toHaveProperty("previousblockhash");
    expect(header).toMatchObject({ nextblockhash: hashOf(first), height: 0, nTx: 1 });
    expect(await answered(getblockheader({ hash: hashOf(tip) }, context()))).not.toHaveProperty("nextblockhash");
    const namesAt = async (height: number) =>
      Object.keys(renderBlockHeader((await index.blockByHeight(height)) ?? expect.unreachable(), 3)).slice(-2);
    expect([await namesAt(0), await namesAt(1), await namesAt(3)]).toEqual([
      ["nTx", "nextblockhash"],
      ["previousblockhash", "nextblockhash"],
      ["nTx", "previousblockhash"],
    ]);
  });
});

describe("getrawtransaction", () => {
  it("looks into the one block that is named", async () => {
    const input = { txid: txidOf(second, 1), verbose: 1, blockhash: hashOf(second) };
    expect(await answered(getrawtransaction(input, context()))).toMatchObject({
      in_active_chain: true,
      confirmations: 2,
    });
    const elsewhere = { ...input, blockhash: hashOf(first) };
    await expect(async () => await getrawtransaction(elsewhere, context())).rejects.toThrow(
      "No such transaction found in the provided block",
    );
  });

  it("does not give the coinbase of the first block, named or not", async () => {
    const txid = txidOf(chain.genesis, 0);
    for (const input of [{ txid }, { txid, blockhash: hashOf(chain.genesis) }]) {
      await expect(async () => await getrawtransaction(input, context())).rejects.toMatchObject({
        rpcCode: -5,
        message: expect.stringContaining("genesis block coinbase"),
      });
    }
  });

  it("tells fee and spent outputs from verbosity 2", async () => {
    const txid = txidOf(second, 1);
    expect(await answered(getrawtransaction({ txid, verbose: 1 }, context()))).not.toHaveProperty("fee");
    expect(await answered(getrawtransaction({ txid, verbose: 7 }, context()))).toMatchObject({
      fee: 0.0001,
      vin: [{ prevout: { height: 1 } }],
    });
  });
});

describe("gettxout", () => {
  it("gives what is not spent on the best chain", async () => {
    const output = await answered(gettxout({ txid: txidOf(second, 1), vout: 0 }, context()));
    expect(output).toMatchObject({ bestblock: hashOf(tip), confirmations: 2, value: 49.9999, coinbase: false });
  });

  it.each([
    ["a spent output", () => ({ txid: txidOf(first, 0), vout: 0 })],
    ["an output of a stale block", () => ({ txid: txidOf(stale, 1), vout: 0 })],
    ["the first block's output", () => ({ txid: txidOf(chain.genesis, 0), vout: 0 })],
    ["a position behind the last", () => ({ txid: txidOf(tip, 0), vout: 4_294_967_295 })],
    ["the commitment to witnesses, which nobody can spend", () => ({ txid: txidOf(second, 0), vout: 1 })],
    ["an unknown transaction", () => ({ txid: "11".repeat(32), vout: 0 })],
  ])("is null for %s", async (_what, input) => {
    expect(await answered(gettxout(input(), context()))).toBeNull();
  });
});

describe("proofs of transactions", () => {
  it("prove what they were made for", async () => {
    for (const positions of [[0], [1], [0, 1]]) {
      const txids = positions.map((position) => txidOf(second, position));
      const proof = await plainResult(gettxoutproof({ txids }, context()));
      expect(await verifytxoutproof({ proof }, context())).toEqual(txids);
    }
  });

  it("are checked under either name", async () => {
    const txids = [txidOf(second, 1)];
    const proof = await plainResult(gettxoutproof({ txids }, context()));
    expect(await verifytxoutput({ proof }, context())).toEqual(txids);
    await expect(async () => await verifytxoutput({ proof: "zz" }, context())).rejects.toMatchObject({ rpcCode: -8 });
  });

  it("are refused for transactions of different blocks, twice the same, or none", async () => {
    const make =
      (...txids: string[]) =>
      async () =>
        await gettxoutproof({ txids }, context());
    await expect(make(txidOf(first, 0), txidOf(second, 1))).rejects.toMatchObject({ rpcCode: -5 });
    await expect(make(txidOf(first, 0), txidOf(first, 0).toUpperCase())).rejects.toMatchObject({ rpcCode: -8 });
    await expect(make("11".repeat(32))).rejects.toThrow("Transaction not yet in block");
  });

  it("find the first block by its hash alone, as Bitcoin Core does", async () => {
    const txids = [txidOf(chain.genesis, 0)];
    await expect(async () => gettxoutproof({ txids }, context())).rejects.toMatchObject({
      rpcCode: -5,
      message: "Transaction not yet in block",
    });
    const proof = await plainResult(gettxoutproof({ txids, blockhash: hashOf(chain.genesis) }, context()));
    expect(await verifytxoutproof({ proof }, context())).toEqual(txids);
  });

  it("prove nothing after a byte has changed", async () => {
    const proof =
      fromHex(await plainResult(gettxoutproof({ txids: [txidOf(second, 1)] }, context()))) ?? expect.unreachable();
    for (const offset of proof.keys()) {
      const changed = Uint8Array.from(proof);
      changed[offset] = (changed[offset] ?? 0) ^ 1;
      const outcome = await attempt(async () => await verifytxoutproof({ proof: toHex(changed) }, context()));
      // A flag that marks the coinbase as well creates another valid proof.
      expect([-5, -22, 0], `${offset}`).toContain(
        outcome instanceof ServiceError ? outcome.rpcCode : wrongIds(outcome),
      );
    }
  });

  it.each([
    ["nothing", "", -8],
    ["a byte", "00", -22],
    ["other bytes", "ff".repeat(200), -22],
    ["letters", "zz", -8],
    ["half a byte at the end", "0".repeat(159), -8],
  ])("can't be read from %s", async (_what, proof, rpcCode) => {
    await expect(async () => await verifytxoutproof({ proof }, context())).rejects.toMatchObject({ rpcCode });
  });
});

/** Returns the number of proven ids that the block does not have. */
function wrongIds(ids: unknown): number {
  const known = [txidOf(second, 0), txidOf(second, 1)];
  return Array.isArray(ids) ? ids.filter((id) => !known.includes(String(id))).length : -1;
}

async function attempt(action: () => Promise<unknown>): Promise<unknown> {
  try {
    return await action();
  } catch (error) {
    return error;
  }
}

describe("getheaders", () => {
  const nowhere = "00".repeat(32);
  const headers = (...blocks: RegtestTip[]) => blocks.map(({ bytes }) => toHex(bytes.subarray(0, 80)));
  const ask = (blocklocators: readonly string[], hashstop: string) =>
    getheaders({ blocklocators, hashstop }, context());

  it("goes on after the first locator of the best chain", async () => {
    expect(await ask([hashOf(first)], nowhere)).toEqual(headers(second, tip));
    expect(await ask([hashOf(stale), nowhere, hashOf(second)], nowhere)).toEqual(headers(tip));
    expect(await ask([hashOf(stale)], nowhere)).toEqual(headers(first, second, tip));
    expect(await ask([hashOf(tip)], nowhere)).toEqual([]);
  });

  it("ends with the header that is named, unless it lies before", async () => {
    expect(await ask([hashOf(chain.genesis)], hashOf(second))).toEqual(headers(first, second));
    expect(await ask([hashOf(first)], hashOf(first))).toEqual(headers(second, tip));
  });

  it("gives two thousand headers at most", async () => {
    const asked: (readonly [number, number])[] = [];
    const long = {
      blockByHash: async (hash: string) => ({ onBestChain: hash !== nowhere, height: hash === "aa" ? 7 : 2_007 }),
      tip: async () => ({ height: 5_000 }),
      blocks: async (height: number, count: number) => {
        asked.push([height, count]);
        return [];
      },
    } as unknown as ChainQueries;
    const asking = (hashstop: string) => getheaders({ blocklocators: ["AA"], hashstop }, context({ index: long }));
    await asking(nowhere);
    await asking("bb");
    expect(asked).toEqual([
      [2_007, 2_000],
      [2_007, 2_000],
    ]);
  });

  it("gives the last header alone where no locator is given", async () => {
    expect(await ask([], hashOf(second))).toEqual(headers(second, tip).slice(0, 1));
    expect(await ask([], nowhere)).toEqual([]);
  });
});

describe("getnetworkhashps", () => {
  it("is work over time", async () => {
    // Each block of regtest is 2 expected hashes.
    expect(await getnetworkhashps({ blocks: 2, height: 3 }, context())).toBe(0.003333333333333334);
    expect(await getnetworkhashps({ blocks: -1 }, context())).toBe(
      await getnetworkhashps({ blocks: 1_000_000 }, context()),
    );
  });

  it("takes times in any order, over as many records as are read at once and more", async () => {
    const last = 600;
    const timeAt = (height: number): number => 1_000_000 + height * 600 + (height % 7) * 10_000;
    const recordAt = (height: number) =>
      ({ height, chainWork: BigInt(height * height), header: { time: timeAt(height) } }) as BlockRecord;
    const counts: number[] = [];
    const blocks = async (height: number, count: number) => {
      counts.push(count);
      return Array.from({ length: Math.min(count, height + 1) }, (_, below) => recordAt(height - below));
    };
    for (const count of [1, 2, 7, 254, 255, 256, 257, 511, 512, 599, 600, 601, 10_000]) {
      counts.length = 0;
      const span = Math.min(count, last);
      const times = Array.from({ length: span + 1 }, (_, below) => timeAt(last - below));
      const work = last ** 2 - (last - span) ** 2;
      const rate = await estimateHashRate({ blocks } as unknown as ChainQueries, recordAt(last), count);
      expect(rate).toBe(work / (Math.max(...times) - Math.min(...times)));
      expect(Math.max(...counts)).toBeLessThanOrEqual(256);
      expect(counts.reduce((sum, each) => sum + each, 0)).toBe(span + 1);
    }
    expect(await estimateHashRate({ blocks } as unknown as ChainQueries, recordAt(0), 120)).toBe(0);
  });

  it("counts blocks since the last change of difficulty", () => {
    const onMainnet = [0, 1, 2_015, 2_016, 4_031, 4_032].map((height) => blocksSinceRetarget(height, networks.mainnet));
    expect(onMainnet).toEqual([1, 2, 2_016, 1, 2_016, 1]);
    // Bitcoin Core 31's regtest has intervals of a day.
    expect([0, 143, 144, 153].map((height) => blocksSinceRetarget(height, regtest))).toEqual([1, 144, 1, 10]);
  });

  it.each([
    [{ blocks: 0 }, "Invalid nblocks. Must be a positive number or -1."],
    [{ height: 4 }, "Block does not exist at specified height"],
  ])("refuses %o", async (input, message) => {
    await expect(async () => await getnetworkhashps(input, context())).rejects.toMatchObject({ rpcCode: -8, message });
  });
});

describe("the node itself", () => {
  it("says of itself what it is, without a node behind it", async () => {
    expect(await getinfo({}, context())).toEqual({
      version: 10_203,
      protocolversion: 70_016,
      blocks: 3,
      timeoffset: 0,
      connections: 0,
      proxy: "",
      difficulty: 4.656542373906925e-10,
      testnet: false,
      relayfee: 1_000n,
      errors: "",
    });
    expect(await getdifficulty({}, context())).toBe(4.656542373906925e-10);
    expect(await getnettotals({}, context())).toEqual({ totalbytesrecv: 0, totalbytessent: 0, timemillis: 62_999 });
    expect(await uptime({}, context())).toBe(61);
  });

  it("never mines by itself, and names its network by the number that stands before its messages", async () => {
    expect([await getgenerate({}, context()), await gethashespersec({}, context())]).toStrictEqual([false, 0]);
    // 0xfabfb5da as it is sent (Bitcoin Core's chainparams.cpp), read as a little-endian number.
    expect(await getcurrentnet({}, context())).toBe(0xdab5bffa);
  });

  it("tells of its memory", async () => {
    const { locked } = (await getmemoryinfo({ mode: "stats" }, context())) as {
      readonly locked: Readonly<Record<string, number>>;
    };
    expect(Object.keys(locked)).toEqual(["used", "free", "total", "locked", "chunks_used", "chunks_free"]);
    const { used = 0, free = 0, total = 0 } = locked;
    expect(used).toBeGreaterThan(0);
    expect(used + free).toBeGreaterThanOrEqual(total);
    expect(free).toBeLessThan(total);
    expect(locked).toMatchObject({ locked: 0 });
    const chunks = (locked["chunks_used"] ?? 0) + (locked["chunks_free"] ?? 0);
    expect(chunks).toBe(getHeapSpaceStatistics().length);
    expect(locked["chunks_used"]).toBeGreaterThan(0);
    expect(await getmemoryinfo({}, context())).toHaveProperty("locked.used");
  });

  it.each([
    ["mallocinfo", "mallocinfo mode not available"],
    ["", "unknown mode "],
    ["x".repeat(101), `unknown mode ${"x".repeat(100)}`],
  ])("tells nothing of its memory in the mode %j", (mode, message) => {
    expect(() => getmemoryinfo({ mode }, context())).toThrow(expect.objectContaining({ rpcCode: -8, message }));
  });

  it.each([
    ["getblockchaininfo", getblockchaininfo],
    ["getmempoolinfo", getmempoolinfo],
    ["getmininginfo", getmininginfo],
  ] as const)("asks the node behind it for %s without parameters, and does not wait long", async (method, handler) => {
    const calls: unknown[] = [];
    const call: Upstream["call"] = async (...asked) => {
      calls.push(asked);
      return {};
    };
    await handler({}, context({ upstream: { ...upstreamWith({}), call } }));
    expect(calls).toStrictEqual([[method, [], { timeoutMilliseconds: 1_000 }]]);
  });

  it("counts the bytes and the peers of the node behind it", async () => {
    const upstream = upstreamWith(8);
    expect(await getnettotals({}, context({ upstream }))).toMatchObject({ totalbytesrecv: 345, totalbytessent: 12 });
    expect(await getconnectioncount({}, context({ upstream }))).toBe(8);
    const connected = upstreamWith({ connections: 8 });
    expect(await getinfo({}, context({ upstream: connected }))).toMatchObject({ connections: 8 });
  });

  it("does without the node behind it in getinfo, and says so where the node is asked for", async () => {
    for (const response of [new ServiceError("upstream_timeout", "The node is slow"), "8", -1, null]) {
      const upstream = upstreamWith(response);
      expect(await getinfo({}, context({ upstream }))).toMatchObject({ connections: 0, blocks: 3 });
      await expect(async () => await getconnectioncount({}, context({ upstream }))).rejects.toThrow(ServiceError);
    }
  });

  it("tells the parts of its version", () => {
    expect(version({}, context())).toEqual({
      bitcoinjsonrpc: {
        versionstring: "1.2.3-rc.1",
        major: 1,
        minor: 2,
        patch: 3,
        prerelease: "rc.1",
        buildmetadata: "",
      },
    });
  });
});

describe("help and discovery", () => {
  const methodAccess = { isEnabled: (method: string) => method !== "stop" && method !== "addnode", enableHint: "Ask." };

  it("list every command in alphabetical order, those that are off last", () => {
    expect(help({}, context({ methodAccess }))).toBe(
      'getblock "blockhash" ( verbosity=1 )\n\n== Disabled ==\nAsk.\naddnode\nstop',
    );
    expect(help({}, context())).toBe('addnode\ngetblock "blockhash" ( verbosity=1 )\nstop');
  });

  it("explain a command that is off, too", () => {
    const text = String(help({ command: "stop" }, context({ methodAccess })));
    expect(text).toMatch(/^stop\n\nStops the node\.\n/);
    expect(text).toMatch(/\n== Disabled ==\nAsk\.$/);
    expect(help({ command: "stop" }, context())).not.toContain("== Disabled ==");
  });

  it("say that a command is unknown without repeating a long name", () => {
    expect(help({ command: "__proto__" }, context())).toBe("help: unknown command: __proto__");
    expect(help({ command: "x".repeat(1_000_000) }, context())).toHaveLength(123);
  });

  it("take the client's credentials out of the name of an unknown command", () => {
    const redact = (text: string) => text.replaceAll("secret", "(key)");

    expect(help({ command: "a secret" }, context({ redact }))).toBe("help: unknown command: a (key)");
    expect(help({ command: "stop" }, context({ redact }))).toBe(help({ command: "stop" }, context()));
  });

  it("leave what is off out of the document", async () => {
    const response = await rpcDiscover({}, context({ methodAccess }));
    const document = JSON.parse(String((response as PreparedJson<unknown>).text));
    expect(document.methods.map(({ name }: { readonly name: string }) => name)).toEqual(["getblock"]);
    expect(document.info).toEqual({ title: "Test", version: "1.2.3-rc.1" });
  });
});

describe("addresses and transactions by themselves", () => {
  it.each([
    ["bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080", { iswitness: true, isscript: false, witness_version: 0 }],
    ["BCRT1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KYGT080", { address: "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080" }],
    ["mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8", { iswitness: false, isscript: false }],
    ["2NDvEwGfpEqJWfybzpKPHF2XH3jwoQV3D7x", { iswitness: false, isscript: true }],
    [addressOf(`0020${"11".repeat(32)}`), { iswitness: true, isscript: true, witness_version: 0 }],
    [addressOf(`5120${"11".repeat(32)}`), { iswitness: true, isscript: true, witness_version: 1 }],
  ])("takes %s", (address, facts) => {
    expect(validateaddress({ address }, context())).toMatchObject({ isvalid: true, ...facts });
  });

  it("tells nothing of a script that is of no known kind", () => {
    const program = "11".repeat(40);
    const address = addressOf(`6028${program}`);
    expect(validateaddress({ address }, context())).toStrictEqual({
      isvalid: true,
      address,
      scriptPubKey: `6028${program}`,
      iswitness: true,
      witness_version: 16,
      witness_program: program,
    });
  });

  it("tells of the anchor's address what Bitcoin Core tells of it", () => {
    const address = "bcrt1pfeesnyr2tx";
    const facts = { isvalid: true, address, scriptPubKey: "51024e73", isscript: true, iswitness: true };
    expect(validateaddress({ address }, context())).toEqual(facts);
  });

  it.each(["", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "bcrt1q", "x".repeat(100_000)])("refuses %s", (address) => {
    expect(validateaddress({ address }, context())).toEqual({
      isvalid: false,
      error_locations: address === "bcrt1q" ? [4] : [],
      error: expect.stringMatching(/./),
    });
  });

  it("reads a transaction with and without witnesses", () => {
    const { bytes } = parseBlock(second.bytes).transactions[1] ?? expect.unreachable();
    const hexstring = toHex(bytes).toUpperCase();
    expect(decoderawtransaction({ hexstring }, context())).toMatchObject({ txid: txidOf(second, 1), locktime: 0 });
    expect(decoderawtransaction({ hexstring, iswitness: true }, context())).toMatchObject({ txid: txidOf(second, 1) });
    expect(() => decoderawtransaction({ hexstring, iswitness: false }, context())).toThrow("TX decode failed");
  });

  it.each(["", "0", "zz", "00", "01000000", "ff".repeat(1_000)])("can't decode %s", (hexstring) => {
    expect(() => decoderawtransaction({ hexstring }, context())).toThrow(
      expect.objectContaining({ rpcCode: -22, message: "TX decode failed" }),
    );
  });
});

describe("an index that is still empty", () => {
  it("is said to be installing", async () => {
    const empty = openChainIndex(join(directory, "none"), { network: regtest });
    for (const handler of [getinfo, getbestblock, getblockcount]) {
      await expect(async () => await handler({}, context({ index: empty }))).rejects.toMatchObject({
        code: "installing",
        message: "The index holds no block yet",
        retryAfterSeconds: 5,
      });
    }
    await expect(
      async () => await getblock({ blockhash: hashOf(tip) }, context({ index: empty })),
    ).rejects.toMatchObject({
      rpcCode: -5,
    });
    await empty.close();
  });
});
