import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type ChainIndexReader,
  createArraySource,
  openChainIndex,
  openEmbeddedStore,
  runIndexer,
} from "@nodewright/bitcoin-indexer";
import {
  displayHash,
  fromHex,
  hashScript,
  meetsProofOfWork,
  merkleRoot,
  networks,
  parseBlock,
  parseBlockHeader,
  parseMerkleBlock,
  parseTransaction,
  extractMerkleProof,
  serializeBlock,
  serializeBlockHeader,
  serializeTransaction,
  toHex,
  type Transaction,
  type TransactionContent,
} from "@nodewright/bitcoin-primitives";
import type { ExtendedBlock } from "@nodewright/index-api/types";
import { isPreparedJson, type PreparedJson } from "@nodewright/runtime";
import { type Upstream, UpstreamRpcError } from "@nodewright/upstream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cacheLong, cacheShort } from "./response/cache-control.ts";
import { broadcastTransaction } from "./handlers/broadcast-transaction.ts";
import { getBlock } from "./handlers/get-block.ts";
import { getBlockHashAtHeight } from "./handlers/get-block-hash-at-height.ts";
import { getBlockHeader } from "./handlers/get-block-header.ts";
import { getBlockRaw } from "./handlers/get-block-raw.ts";
import { getBlockStatus } from "./handlers/get-block-status.ts";
import { getBlockTransactionIds } from "./handlers/get-block-transaction-ids.ts";
import { getBlockTransactions } from "./handlers/get-block-transactions.ts";
import { getBlockTransactionsFromIndex } from "./handlers/get-block-transactions-from-index.ts";
import { getBlocks } from "./handlers/get-blocks.ts";
import { getBlocksFromHeight } from "./handlers/get-blocks-from-height.ts";
import { getExtendedBlock } from "./handlers/get-extended-block.ts";
import { getExtendedBlocks } from "./handlers/get-extended-blocks.ts";
import { getExtendedBlocksFromHeight } from "./handlers/get-extended-blocks-from-height.ts";
import { getScripthash } from "./handlers/get-scripthash.ts";
import { getScripthashChainTransactions } from "./handlers/get-scripthash-chain-transactions.ts";
import { getScripthashChainTransactionsAfter } from "./handlers/get-scripthash-chain-transactions-after.ts";
import { getScripthashUnspentOutputs } from "./handlers/get-scripthash-unspent-outputs.ts";
import { getTipHash } from "./handlers/get-tip-hash.ts";
import { getTransaction } from "./handlers/get-transaction.ts";
import { getTransactionMerkleProof } from "./handlers/get-transaction-merkle-proof.ts";
import { getTransactionMerkleblockProof } from "./handlers/get-transaction-merkleblock-proof.ts";
import { getTransactionOutspend } from "./handlers/get-transaction-outspend.ts";
import { getTransactionStatus } from "./handlers/get-transaction-status.ts";

const { regtest } = networks;
const regtestBits = 0x207fffff;

const genesis: Uint8Array = bytesOf(
  `01000000${"00".repeat(32)}3ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4adae5494dffff7f2002000000` +
    `0101000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d0104455468652054` +
    `696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66207365636f6e64206261696c6f75742066` +
    `6f722062616e6b73ffffffff0100f2052a01000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb6` +
    `49f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000`,
);

/** Script that anyone may spend. */
const openScript: Uint8Array = Uint8Array.of(0x51);
const busyScript: Uint8Array = Uint8Array.of(0x52, 0x87);

function bytesOf(hex: string): Uint8Array {
  return fromHex(hex) ?? expect.unreachable(`${hex} is no hex`);
}

/** Returns the value that a client reads from a body, prepared or not. */
function read<Value>(body: Value | PreparedJson<Value>): Value {
  return isPreparedJson(body) ? JSON.parse(String(body.text)) : (body as Value);
}

function transactionOf(content: Partial<TransactionContent>): Transaction {
  return parseTransaction(serializeTransaction({ version: 1, inputs: [], outputs: [], locktime: 0, ...content }));
}

/** Returns a coinbase that differs from all others by `height` and `branch`. */
function coinbase(height: number, branch: number): Transaction {
  const scriptSig = Uint8Array.of(2, height & 0xff, height >> 8, 1, branch);
  const previousOutput = { txid: new Uint8Array(32), vout: 0xffffffff };
  return transactionOf({
    inputs: [{ previousOutput, scriptSig, sequence: 0xffffffff, witness: [] }],
    outputs: [{ value: 5_000_000_000n, scriptPubKey: openScript }],
  });
}

/** Returns a transaction that moves all of an output's value to `scriptPubKey`. */
function spend(funding: Transaction, vout: number, scriptPubKey: Uint8Array): Transaction {
  return transactionOf({
    inputs: [
      {
        previousOutput: { txid: funding.txid, vout },
        scriptSig: new Uint8Array(),
        sequence: 0xffffffff,
        witness: [],
      },
    ],
    outputs: [{ value: funding.outputs[vout]?.value ?? 0n, scriptPubKey }],
  });
}

/** Mines a block of regtest above `below`. */
function mine(below: Uint8Array, time: number, transactions: readonly Transaction[]): Uint8Array {
  for (let nonce = 0; ; nonce += 1) {
    const content = {
      version: 1,
      previousHash: parseBlockHeader(below.subarray(0, 80)).hash,
      merkleRoot: merkleRoot(transactions.map(({ txid }) => txid)),
      time,
      bits: regtestBits,
      nonce,
    };
    const header = parseBlockHeader(serializeBlockHeader(content));
    if (meetsProofOfWork(header, regtest)) return serializeBlock({ header, transactions });
  }
}

function hashOf(block: Uint8Array | undefined): string {
  return displayHash(parseBlockHeader((block ?? new Uint8Array()).subarray(0, 80)).hash);
}

const genesisTime = 1_296_688_602;
const busyCount = 60;

/** Returns blocks 1 to 12 above genesis; block 2 moves one output on sixty times. */
function mainBranch(): Uint8Array[] {
  const blocks = [genesis];
  const first = coinbase(1, 0);
  for (let height = 1; height <= 12; height += 1) {
    const transactions = [height === 1 ? first : coinbase(height, 0)];
    if (height === 2) {
      for (let count = 0; count < busyCount; count += 1) {
        transactions.push(spend(count === 0 ? first : (transactions[count] ?? first), 0, busyScript));
      }
    }
    blocks.push(mine(blocks.at(-1) ?? genesis, genesisTime + height, transactions));
  }
  return blocks;
}

/** Replaces all blocks above `height` by others, one more than there were. */
function otherBranch(blocks: readonly Uint8Array[], height: number): Uint8Array[] {
  const branch: Uint8Array[] = [];
  for (let next = height + 1; next <= blocks.length; next += 1) {
    const below = branch.at(-1) ?? blocks[height] ?? genesis;
    branch.push(mine(below, genesisTime + 1_000 + next, [coinbase(next, 1)]));
  }
  return branch;
}

const directory = mkdtempSync(join(tmpdir(), "index-rest-"));
const blocks = mainBranch();
const branch = otherBranch(blocks, 10);
const staleHash = hashOf(blocks[11]);
const busyBlock = parseBlock(blocks[2] ?? genesis);
const busyIds = busyBlock.transactions.map(({ txid }) => displayHash(txid));
const busyScriptHash = toHex(hashScript(busyScript));
let index: ChainIndexReader;

beforeAll(async () => {
  const store = await openEmbeddedStore(directory, regtest);
  const source = createArraySource(regtest, blocks);
  await runIndexer({ store, source });
  source.add(...branch);
  await runIndexer({ store, source });
  await store.close();
  index = openChainIndex(directory, { network: regtest });
});

afterAll(async () => {
  await index.close();
  rmSync(directory, { recursive: true, force: true });
});

describe("a block that a reorganisation replaced", () => {
  test("is no block of the best chain", async () => {
    for (const handler of [getBlock, getBlockHeader, getBlockRaw, getBlockTransactions]) {
      await expect(handler({ hash: staleHash }, { index })).rejects.toThrow("Block not found");
    }
  });

  test("has the status of an unknown one", async () => {
    const status = { in_best_chain: false, height: null, next_best: null };
    const unknown = await getBlockStatus({ hash: "00".repeat(32) }, { index });
    expect(unknown).toMatchObject({ headers: { cacheControl: cacheShort }, body: status });
    expect(await getBlockStatus({ hash: staleHash }, { index })).toEqual(unknown);
  });

  test("still tells its transactions' ids", async () => {
    const { body } = await getBlockTransactionIds({ hash: staleHash.toUpperCase() }, { index });
    expect(read(body)).toEqual([displayHash(coinbase(11, 0).txid)]);
  });

  test("leaves its transactions known and unconfirmed", async () => {
    const txid = displayHash(coinbase(11, 0).txid);
    const { headers, body } = await getTransaction({ txid }, { index });
    expect(headers.cacheControl).toBe(cacheShort);
    expect(read(body)).toMatchObject({
      txid,
      status: { confirmed: false },
      vin: [{ is_coinbase: true, prevout: null }],
    });
    await expect(getTransactionMerkleProof({ txid }, { index })).rejects.toThrow(
      "Transaction not found or is unconfirmed",
    );
  });
});

describe("caching", () => {
  test("is long ten blocks below the tip and short above", async () => {
    expect((await getBlockHashAtHeight({ height: 3 }, { index })).headers.cacheControl).toBe(cacheLong);
    expect((await getBlockHashAtHeight({ height: 4 }, { index })).headers.cacheControl).toBe(cacheShort);
  });

  test("of an output's spend goes by the block that spends", async () => {
    const txid = displayHash(coinbase(1, 0).txid);
    const spent = await getTransactionOutspend({ txid, vout: 0 }, { index });
    expect(spent).toMatchObject({
      headers: { cacheControl: cacheLong },
      body: { spent: true, txid: busyIds[1], vin: 0 },
    });
    const missing = await getTransactionOutspend({ txid, vout: 1 }, { index });
    expect(missing).toMatchObject({ headers: { cacheControl: cacheShort }, body: { spent: false } });
  });

  test("of an unknown transaction's status is short", async () => {
    const response = await getTransactionStatus({ txid: "00".repeat(32) }, { index });
    expect(response).toMatchObject({ headers: { cacheControl: cacheShort }, body: { confirmed: false } });
  });
});

describe("blocks", () => {
  test("go from the tip downward, ten at most", async () => {
    const { body } = await getBlocks({}, { index });
    expect(read(body).map(({ height }) => height)).toEqual([13, 12, 11, 10, 9, 8, 7, 6, 5, 4]);
    expect(read(body)[0]?.id).toBe((await getTipHash({}, { index })).body);
  });

  test("end with the genesis block", async () => {
    const { body } = await getBlocksFromHeight({ startHeight: "2" }, { index });
    expect(read(body).map(({ height, previousblockhash }) => [height, previousblockhash])).toEqual([
      [2, hashOf(blocks[1])],
      [1, hashOf(genesis)],
      [0, null],
    ]);
  });

  test.each([14, 2 ** 32, Number.MAX_SAFE_INTEGER])("are none from height %d on, above the tip", async (height) => {
    await expect(getBlocksFromHeight({ startHeight: String(height) }, { index })).rejects.toThrow("Block not found");
    await expect(getBlockHashAtHeight({ height }, { index })).rejects.toThrow("Block not found");
  });

  test.each(["tip", "-1", "1.5", "1e0", "0x1", ""])("from %j are those from the tip", async (startHeight) => {
    expect(await getBlocksFromHeight({ startHeight }, { index })).toEqual(await getBlocks({}, { index }));
  });
});

describe("blocks as mempool.space lists them", () => {
  test("have the members of Esplora's block, and what their coinbase says", async () => {
    for (const { hash } of blocks.slice(0, 3).map((block) => ({ hash: hashOf(block) }))) {
      const { body, headers } = await getExtendedBlock({ hash }, { index });
      const plain = await getBlock({ hash }, { index });
      const { extras, ...members } = read<ExtendedBlock>(body);
      expect([members, headers]).toEqual([read(plain.body), plain.headers]);
      const [coinbase] = read((await getBlockTransactions({ hash }, { index })).body);
      const addresses = coinbase?.vout.flatMap((output) => output.scriptpubkey_address ?? []) ?? [];
      expect(extras).toEqual({
        medianTimestamp: members.mediantime,
        reward: coinbase?.vout.reduce((sum, { value }) => sum + Number(value), 0),
        coinbaseRaw: coinbase?.vin[0]?.scriptsig,
        coinbaseAddress: coinbase?.vout[0]?.scriptpubkey_address ?? null,
        coinbaseAddresses: [...new Set(addresses)],
        coinbaseSignature: coinbase?.vout[0]?.scriptpubkey_asm,
        virtualSize: members.weight / 4,
        header: (await getBlockHeader({ hash }, { index })).body,
      });
    }
  });

  test("come in pages of fifteen from the tip or a height downward", async () => {
    const tip = (await index.tipHeight()) ?? 0;
    const heights = async (startHeight?: string): Promise<readonly number[]> => {
      const { body } =
        startHeight === undefined
          ? await getExtendedBlocks({}, { index })
          : await getExtendedBlocksFromHeight({ startHeight }, { index });
      return read<readonly ExtendedBlock[]>(body).map(({ height }) => height);
    };
    const below = (height: number): readonly number[] =>
      Array.from({ length: Math.min(15, height + 1) }, (_, position) => height - position);
    expect(await heights()).toEqual(below(tip));
    // The request of mempool.space's client without a height.
    expect(await heights("undefined")).toEqual(below(tip));
    expect(await heights("3")).toEqual(below(3));
    await expect(heights(String(tip + 1))).rejects.toMatchObject({ code: "not_found", message: "Block not found" });
  });
});

describe("a block's transactions", () => {
  test("come 25 at a time", async () => {
    const hash = hashOf(blocks[2]);
    const pages = [];
    for (const startIndex of ["0", "25", "50"]) {
      const { body } = await getBlockTransactionsFromIndex({ hash, startIndex }, { index });
      pages.push(read(body).map(({ txid }) => txid));
    }
    expect(pages.map((page) => page.length)).toEqual([25, 25, 11]);
    expect(pages.flat()).toEqual(busyIds);
  });

  test.each([
    ["1", "invalid_input", "start index must be a multiple of 25"],
    ["60", "invalid_input", "start index must be a multiple of 25"],
    ["61", "not_found", "start index out of range"],
    ["75", "not_found", "start index out of range"],
    ["100001", "not_found", "start index out of range"],
  ])("have no page at %s", async (startIndex, code, message) => {
    await expect(
      getBlockTransactionsFromIndex({ hash: hashOf(blocks[2]), startIndex }, { index }),
    ).rejects.toMatchObject({ code, message });
  });
});

describe("a script's history", () => {
  const scripthash = busyScriptHash;
  const newestFirst = busyIds.slice(1).toReversed();

  test("goes by the position in the block, last first, page after page", async () => {
    const first = read((await getScripthashChainTransactions({ scripthash }, { index })).body).map(({ txid }) => txid);
    expect(first).toEqual(newestFirst.slice(0, 25));
    const lastSeenTxid = first.at(-1)?.toUpperCase() ?? "";
    const second = read((await getScripthashChainTransactionsAfter({ scripthash, lastSeenTxid }, { index })).body);
    expect(second.map(({ txid }) => txid)).toEqual(newestFirst.slice(25, 50));
  });

  test("is empty below an unknown cursor and begins anew below what is none", async () => {
    const unknown = { scripthash, lastSeenTxid: "00".repeat(32) };
    expect(read((await getScripthashChainTransactionsAfter(unknown, { index })).body)).toEqual([]);
    const garbage = { scripthash, lastSeenTxid: "garbage" };
    const { body } = await getScripthashChainTransactionsAfter(garbage, { index });
    expect(read(body).map(({ txid }) => txid)).toEqual(newestFirst.slice(0, 25));
  });

  test("is counted, and its hash echoed as it was requested", async () => {
    const asked = scripthash.toUpperCase();
    const { body } = await getScripthash({ scripthash: asked }, { index });
    expect(read(body)).toMatchObject({
      chain_stats: { funded_txo_count: 60, funded_txo_sum: 300_000_000_000, spent_txo_count: 59, tx_count: 60 },
      mempool_stats: { tx_count: 0 },
      scripthash: asked,
    });
  });

  test("leaves what is unspent", async () => {
    const { body } = await getScripthashUnspentOutputs({ scripthash }, { index });
    expect(read(body)).toMatchObject([
      { txid: busyIds.at(-1), vout: 0, status: { block_height: 2 }, value: 5_000_000_000 },
    ]);
  });
});

describe("a merkle proof", () => {
  test.each([0, 1, 37, 60])("of the transaction at position %d leads to the block's root", async (position) => {
    const txid = busyIds[position] ?? "";
    const { body } = await getTransactionMerkleblockProof({ txid }, { index });
    const proof = extractMerkleProof(parseMerkleBlock(bytesOf(body)));
    expect(displayHash(proof?.root ?? new Uint8Array())).toBe(displayHash(busyBlock.header.merkleRoot));
    expect(proof?.matches.map((match) => [displayHash(match.txid), match.position])).toEqual([[txid, position]]);
    const branchOfSame = await getTransactionMerkleProof({ txid }, { index });
    expect(branchOfSame.body).toMatchObject({ block_height: 2, pos: position });
    expect(read(branchOfSame.body).merkle).toHaveLength(6);
  });
});

describe("an index without a block", () => {
  test("answers that nothing is there", async () => {
    const empty = openChainIndex(join(directory, "none"), { network: regtest });
    await expect(getTipHash({}, { index: empty })).rejects.toThrow("Block not found");
    expect(read((await getBlocks({}, { index: empty })).body)).toEqual([]);
    const { body } = await getScripthash({ scripthash: busyScriptHash }, { index: empty });
    expect(read(body).chain_stats.tx_count).toBe(0);
    await empty.close();
  });
});

describe("broadcasting", () => {
  const fresh = spend(coinbase(3, 0), 0, openScript);
  const body = toHex(fresh.bytes);

  /** Returns a node with one response, which records its calls. */
  function nodeThat(response: () => unknown): { readonly upstream: Upstream; readonly asked: unknown[] } {
    const asked: unknown[] = [];
    const upstream: Upstream = {
      async call(method, params) {
        asked.push([method, params]);
        return response();
      },
      batch: () => expect.unreachable("no batch is needed"),
      totals: () => ({ bytesSent: 0, bytesReceived: 0, methodCalls: 0 }),
      close: async () => undefined,
    };
    return { upstream, asked };
  }

  test("hands the transaction to the node and gives its txid", async () => {
    const { upstream, asked } = nodeThat(() => displayHash(fresh.txid));
    const response = await broadcastTransaction({ body: ` ${body.toUpperCase()}\n` }, { index, upstream });
    expect(response).toEqual({ headers: { cacheControl: "public, max-age=0" }, body: displayHash(fresh.txid) });
    expect(asked).toEqual([["sendrawtransaction", [body]]]);
  });

  test("gives the node's refusal on, in one line", async () => {
    const { upstream } = nodeThat(() => {
      throw new UpstreamRpcError(-26, "min relay fee\nnot met");
    });
    await expect(broadcastTransaction({ body }, { index, upstream })).rejects.toMatchObject({
      code: "invalid_input",
      message: "sendrawtransaction RPC error -26: min relay fee not met",
    });
  });

  test.each([
    [-9, "Bitcoin is not connected!"],
    [-10, "Bitcoin is in initial sync and waiting for blocks..."],
    [-31, "Error: Peer-to-peer functionality missing or disabled"],
    [-32603, "Internal error"],
  ])("blames nobody else for the state of the node: %i %s", async (code, message) => {
    const { upstream } = nodeThat(() => {
      throw new UpstreamRpcError(code, message);
    });
    await expect(broadcastTransaction({ body }, { index, upstream })).rejects.toMatchObject({
      code: "upstream_unavailable",
      message: `sendrawtransaction RPC error ${code}: ${message}`,
    });
  });

  test("waits for a node that is starting", async () => {
    const { upstream } = nodeThat(() => {
      throw new UpstreamRpcError(-28, "Loading block index…");
    });
    await expect(broadcastTransaction({ body }, { index, upstream })).rejects.toMatchObject({
      code: "upstream_unavailable",
    });
  });

  test.each([undefined, null, 5, "nonsense"])("does not take %j for a txid", async (response) => {
    const { upstream } = nodeThat(() => response);
    await expect(broadcastTransaction({ body }, { index, upstream })).rejects.toMatchObject({
      code: "upstream_unavailable",
    });
  });

  test.each(["", "zz", "00", body.slice(2), `${body}00`, "01000000000000000000"])(
    "refuses %j itself, in the node's words",
    async (text) => {
      const { upstream, asked } = nodeThat(() => displayHash(fresh.txid));
      await expect(broadcastTransaction({ body: text }, { index, upstream })).rejects.toThrow(
        "sendrawtransaction RPC error -22: TX decode failed. Make sure the tx has at least one input.",
      );
      expect(asked).toEqual([]);
    },
  );

  test("refuses a transaction that is already mined, but not one of a stale block alone", async () => {
    const mined = toHex(busyBlock.transactions[5]?.bytes ?? new Uint8Array());
    await expect(broadcastTransaction({ body: mined }, { index })).rejects.toThrow(
      "sendrawtransaction RPC error -27: Transaction already in block chain",
    );
    await expect(broadcastTransaction({ body: toHex(coinbase(11, 0).bytes) }, { index })).rejects.toMatchObject({
      code: "not_implemented",
    });
  });
});
