import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import {
  type BlockRecord,
  type ChainIndexReader,
  createArraySource,
  type IndexedTransaction,
  openChainIndex,
  openEmbeddedStore,
  runIndexer,
} from "@nodewright/bitcoin-indexer";
import {
  displayHash,
  type Network,
  networks,
  parseBlock,
  parseTransaction,
  serializeTransaction,
  toHex,
  type TransactionInput,
  type TransactionOutput,
} from "@nodewright/bitcoin-primitives";
import { buildChain } from "@nodewright/bitcoin-test-chain";
import { JsonBytes } from "@nodewright/runtime/node";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BitcoinNodeContext } from "./context/context.ts";
import { getblock } from "./handlers/getblock.ts";
import { getblockheader } from "./handlers/getblockheader.ts";
import { getrawtransaction } from "./handlers/getrawtransaction.ts";
import { gettxout } from "./handlers/gettxout.ts";
import { confirmationsOf, renderBlockHeader, renderBlockSizes, renderCoinbaseTransaction } from "./render/block.ts";
import { renderScriptPubKey } from "./render/script.ts";
import { renderIndexedTransaction } from "./render/transaction.ts";
import { renderScriptPubKeyText, renderTransactionMembers, writeTransaction } from "./render/transaction-text.ts";
import { responseText, wireText } from "./testing/response-text.ts";

const workspace = new URL("../../..", import.meta.url);

/** Compares the results of handlers for a chain with the same as objects. */
async function holdChain(index: ChainIndexReader, heights: readonly number[]): Promise<void> {
  const context = { index } as unknown as BitcoinNodeContext;
  const tip = (await index.tip()) ?? expect.unreachable("nothing is indexed");
  for (const height of heights) {
    const record = (await index.blockByHeight(height)) ?? expect.unreachable(`no block ${height}`);
    await holdBlock(context, record, tip);
  }
}

async function holdBlock(context: BitcoinNodeContext, record: BlockRecord, tip: BlockRecord): Promise<void> {
  const { index } = context;
  const { hash } = record;
  const transactions = (await index.blockTransactions(hash, 0, record.transactionCount)) ?? [];
  const [coinbase] = transactions;
  const header = renderBlockHeader(record, tip.height);
  const start = {
    ...header,
    ...renderBlockSizes(record),
    coinbase_tx: renderCoinbaseTransaction((coinbase ?? expect.unreachable("no coinbase")).transaction),
  };
  const txids = transactions.map(({ txid }) => txid);
  const rendered = (withPreviousOutputs: boolean) =>
    transactions.map((each) => renderIndexedTransaction(each, index.network, { withFee: true, withPreviousOutputs }));

  expect(await responseText(getblockheader({ hash }, context))).toBe(wireText(header));
  const bodies = [txids, rendered(false), rendered(true)];
  for (const [below, tx] of bodies.entries()) {
    const verbosity = below + 1;
    // From the cache, the second time.
    for (let time = 0; time < 2; time += 1) {
      expect(await responseText(getblock({ blockhash: hash, verbosity }, context))).toBe(wireText({ ...start, tx }));
    }
  }
  if (record.height === 0) return;
  for (const each of transactions.slice(0, 20)) await holdTransaction(context, record, tip, each);
}

async function holdTransaction(
  context: BitcoinNodeContext,
  record: BlockRecord,
  tip: BlockRecord,
  indexed: IndexedTransaction,
): Promise<void> {
  const { txid, transaction } = indexed;
  const { index } = context;
  const { time } = record.header;
  const confirmations = confirmationsOf(record, tip.height);
  const place = { blockhash: record.hash, confirmations, time, blocktime: time };
  for (const verbose of [1, 2]) {
    const detail = { withFee: verbose === 2, withPreviousOutputs: verbose === 2 };
    const expected = { ...renderIndexedTransaction(indexed, index.network, detail), ...place };
    expect(await responseText(getrawtransaction({ txid, verbose }, context))).toBe(wireText(expected));
  }
  expect(await responseText(getrawtransaction({ txid }, context))).toBe(JSON.stringify(toHex(transaction.bytes)));
  const spends = (await index.spends(txid)) ?? [];
  for (const [vout, { value, scriptPubKey }] of transaction.outputs.entries()) {
    const response = await responseText(gettxout({ txid, vout }, context));
    if (response === "null") {
      expect(spends[vout] !== undefined || scriptPubKey[0] === 0x6a || scriptPubKey.length > 10_000).toBe(true);
      continue;
    }
    expect(response).toBe(
      wireText({
        bestblock: tip.hash,
        confirmations,
        value,
        scriptPubKey: renderScriptPubKey(scriptPubKey, index.network),
        coinbase: transaction.isCoinbase,
      }),
    );
  }
}

describe("answers that are written as text are those of the objects", () => {
  const directory = mkdtempSync(join(tmpdir(), "nodewright-rendered-"));
  const readers: ChainIndexReader[] = [];

  async function indexed(name: string, network: Network, blocks: readonly Uint8Array[]): Promise<ChainIndexReader> {
    const store = await openEmbeddedStore(join(directory, name), network);
    await runIndexer({ store, source: createArraySource(network, blocks) });
    await store.close();
    const reader = openChainIndex(join(directory, name), { network });
    readers.push(reader);
    return reader;
  }

  afterAll(async () => {
    for (const reader of readers) await reader.close();
    rmSync(directory, { recursive: true });
  });

  describe("on a chain with all kinds of scripts", () => {
    let index: ChainIndexReader;

    beforeAll(async () => {
      const chain = buildChain({ seed: 6, transactions: 400, signatures: "real" });
      const blocks: Uint8Array[] = [];
      for await (const { bytes } of chain.blocks) blocks.push(bytes);
      index = await indexed("test-chain", networks.regtest, blocks);
    });

    it("in every block", async () => {
      const tip = (await index.tipHeight()) ?? -1;
      await holdChain(
        index,
        Array.from({ length: tip + 1 }, (_, height) => height),
      );
    });
  });

  it("in the first blocks of mainnet", async () => {
    const path = new URL("packages/service/demo/bitcoin-mainnet/blocks-0-14131.dat.zst", workspace);
    const file = zstdDecompressSync(readFileSync(path));
    const blocks: Uint8Array[] = [];
    for (let at = 0; blocks.length < 400; at += 8 + file.readUInt32LE(at + 4)) {
      blocks.push(file.subarray(at + 8, at + 8 + file.readUInt32LE(at + 4)));
    }
    const index = await indexed("mainnet", networks.mainnet, blocks);
    await holdChain(index, [0, 1, 2, 169, 170, 171, 181, 182, 248, 398, 399]);
  });

  it.each([
    "00000000000000000021868c2cefc52a480d173c849412fe81c4e5ab806f94ab",
    "0000000000000000001602407ac49862a7bca9d00f7f402db20b7be2f5de59d2",
  ])("in the transactions of block %s", (hash) => {
    const path = new URL(`test/fixtures/bitcoin/block-${hash}.bin.zst`, workspace);
    const { transactions } = parseBlock(zstdDecompressSync(readFileSync(path)));
    const outputs = transactions.flatMap((transaction) => transaction.outputs);
    for (const [position, transaction] of transactions.entries()) {
      const previousOutputs = transaction.inputs.map((_input, at) => ({
        ...(outputs[(position * 7 + at) % outputs.length] ?? expect.unreachable()),
        height: position,
        isCoinbase: at === 0,
      }));
      holdMembers({ txid: displayHash(transaction.txid), transaction, previousOutputs }, networks.mainnet);
    }
  });

  it("of any transaction", () => {
    const script = fc.oneof(
      fc.uint8Array({ maxLength: 80, size: "max" }),
      // Pushes, numbers and opcodes rather than noise.
      fc
        .array(fc.oneof(fc.uint8Array({ maxLength: 6 }).map(push), fc.integer({ min: 0x4f, max: 0xff }).map(oneByte)))
        .map((parts) => Buffer.concat(parts)),
      fc
        .uint8Array({ minLength: 32, maxLength: 32, size: "max" })
        .map((key) => Buffer.concat([Uint8Array.of(0x51, 32), key])),
      fc
        .uint8Array({ minLength: 20, maxLength: 20, size: "max" })
        .map((key) => Buffer.concat([Uint8Array.of(0, 20), key])),
    );
    const hash = fc.uint8Array({ minLength: 32, maxLength: 32, size: "max" });
    const uint32 = fc.integer({ min: 0, max: 0xffffffff });
    const output: fc.Arbitrary<TransactionOutput> = fc.record({
      value: fc.oneof(
        fc.bigInt({ min: 0n, max: 21n * 10n ** 14n }),
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      ),
      scriptPubKey: script,
    });
    // Outpoint of a coinbase: in other transactions, it is an output that does not exist like any other.
    const none = fc.constant({ txid: new Uint8Array(32), vout: 0xffffffff });
    const input: fc.Arbitrary<TransactionInput> = fc.record({
      previousOutput: fc.oneof({ weight: 4, arbitrary: fc.record({ txid: hash, vout: uint32 }) }, none),
      scriptSig: script,
      sequence: uint32,
      witness: fc.array(fc.uint8Array({ maxLength: 40, size: "max" }), { maxLength: 3 }),
    });
    const transaction = fc.record({
      version: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
      inputs: fc.array(input, { minLength: 1, maxLength: 4 }),
      outputs: fc.array(output, { minLength: 1, maxLength: 4 }),
      locktime: uint32,
    });
    fc.assert(
      fc.property(transaction, fc.array(output, { maxLength: 4 }), (content, spent) => {
        const parsed = parseTransaction(serializeTransaction(content));
        const previousOutputs = spent.map((each, at) => ({
          ...each,
          value: BigInt.asUintN(48, each.value),
          height: at,
          isCoinbase: at === 1,
        }));
        const indexedTransaction = { txid: displayHash(parsed.txid), transaction: parsed, previousOutputs };
        holdMembers(indexedTransaction, networks.testnet4, [{ withFee: false, withPreviousOutputs: true }]);
      }),
      { numRuns: 500 },
    );
  });
});

describe("a transaction that is written", () => {
  const transactionOf = (inputCount: number, outputCount: number) => {
    const transaction = parseTransaction(
      serializeTransaction({
        version: 2,
        inputs: Array.from({ length: inputCount }, (_, vout) => ({
          previousOutput: { txid: new Uint8Array(32).fill(7), vout },
          scriptSig: new Uint8Array(0),
          sequence: 0,
          witness: [],
        })),
        outputs: Array.from({ length: outputCount }, () => ({ value: 1n, scriptPubKey: Uint8Array.of(0x51) })),
        locktime: 0,
      }),
    );
    return { txid: displayHash(transaction.txid), transaction, previousOutputs: [] };
  };
  const plain = { withFee: false, withPreviousOutputs: false };

  it.each([
    [1, 1, 0],
    [99, 99, 0],
    [100, 99, 1],
    [99, 100, 1],
    [200, 300, 5],
  ])("with %i inputs and %i outputs pauses %i times", (inputs, outputs, pauses) => {
    const out = new JsonBytes();
    const steps = [...writeTransaction(out, transactionOf(inputs, outputs), networks.regtest, plain)];
    expect(steps).toHaveLength(pauses);
  });

  it("is not disturbed by one that could not be written", () => {
    const good = transactionOf(1, 1);
    const expected = renderTransactionMembers(good, networks.regtest, plain);
    const [broken] = [{ isCoinbase: false, height: 1, value: 1n, scriptPubKey: undefined as unknown as Uint8Array }];
    const bad = { ...good, previousOutputs: [broken] };
    const detailed = { withFee: false, withPreviousOutputs: true };
    for (const write of [
      () => renderTransactionMembers(good, networks.regtest, plain),
      () => `${renderScriptPubKeyText(Uint8Array.of(0x51), networks.regtest)}`,
    ]) {
      const before = write();
      expect(() => renderTransactionMembers(bad, networks.regtest, detailed)).toThrow();
      expect(write()).toBe(before);
    }
    expect(renderTransactionMembers(good, networks.regtest, plain)).toBe(expected);
  });
});

type Held = Pick<IndexedTransaction, "txid" | "transaction" | "previousOutputs">;

function holdMembers(
  held: Held,
  network: Network,
  details = [
    { withFee: true, withPreviousOutputs: false },
    { withFee: false, withPreviousOutputs: true },
  ],
): void {
  for (const detail of details) {
    const text = `{${renderTransactionMembers(held, network, detail)}}`;
    expect(text).toBe(wireText(renderIndexedTransaction(held, network, detail)));
  }
}

function push(data: Uint8Array): Uint8Array {
  return Buffer.concat([Uint8Array.of(data.length), data]);
}

function oneByte(byte: number): Uint8Array {
  return Uint8Array.of(byte);
}
