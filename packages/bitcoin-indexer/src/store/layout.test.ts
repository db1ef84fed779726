import fc from "fast-check";
import { expect, it } from "vitest";
import * as layout from "./layout.ts";

const uint32 = fc.integer({ min: 0, max: 0xffffffff });
const hash = fc.uint8Array({ minLength: 32, maxLength: 32, size: "max" });
const amount = fc.bigInt({ min: 0n, max: 2_100_000_000_000_000n });
const count = fc.nat();
const height = fc.nat(0x7fffffff);
const vout = fc.nat(0xffffff);

const scriptPubKey = fc.oneof(
  fc.uint8Array({ maxLength: 80, size: "max" }),
  scriptOf([0x76, 0xa9, 20], 20, [0x88, 0xac]),
  scriptOf([0xa9, 20], 20, [0x87]),
  scriptOf([0x00, 20], 20, []),
  scriptOf([0x00, 32], 32, []),
  scriptOf([0x51, 32], 32, []),
  scriptOf([33], 33, [0xac]),
  scriptOf([65], 65, [0xac]),
  // One byte short of a known form.
  scriptOf([0x76, 0xa9, 20], 20, [0x88]),
);

function scriptOf(head: number[], hole: number, tail: number[]): fc.Arbitrary<Uint8Array> {
  return fc
    .uint8Array({ minLength: hole, maxLength: hole })
    .map((bytes) => Uint8Array.from([...head, ...bytes, ...tail]));
}

const staleSpentOutputs = fc.array(fc.record({ height, isCoinbase: fc.boolean(), value: amount, scriptPubKey }), {
  maxLength: 5,
});

const blockRow = fc.record({
  hash,
  header: fc.uint8Array({ minLength: 80, maxLength: 80, size: "max" }),
  firstTransactionNumber: uint32,
  transactionCount: count,
  size: count,
  strippedSize: count,
  medianTime: uint32,
  chainWork: fc.bigInt({ min: 0n, max: 1n << 200n }),
  checksum: uint32,
});

const position = fc.record({ file: uint32, offset: uint32 });

function keepsValues<Key extends readonly unknown[], Value>(
  table: layout.Table<Key, Value>,
  values: fc.Arbitrary<Value>,
  ...key: Key
): void {
  fc.assert(
    fc.property(values, (value) => {
      expect(normal(table.decode(table.encode(value, ...key), ...key))).toEqual(normal(value));
    }),
  );
}

/** Converts values so that byte strings of any class compare by their bytes. */
function normal(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  if (Array.isArray(value)) return value.map(normal);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, normal(member)]));
}

const anyHash = new Uint8Array(32).fill(7);

/** Generates ascending numbers from `first`, each once. */
function numbersFrom(first: number): fc.Arbitrary<number[]> {
  return fc
    .uniqueArray(fc.integer({ min: first + 1, max: 0xffffffff }), { maxLength: 300 })
    .map((numbers) => [first, ...numbers.sort((left, right) => left - right)]);
}

it("reads every value as it was written", () => {
  keepsValues(layout.blocks, blockRow, 1);
  keepsValues(layout.blockStarts, fc.array(uint32), 1);
  keepsValues(layout.heights, uint32, anyHash);
  keepsValues(layout.transactionIds, fc.uint8Array(), 1);
  keepsValues(layout.transactionNumbers, fc.array(uint32), anyHash);
  keepsValues(layout.histories, numbersFrom(1_000_000), anyHash, 1_000_000);
  keepsValues(layout.unspentOutputs, fc.record({ txid: hash, value: amount }), anyHash, 1, 2);
  keepsValues(
    layout.scriptStatistics,
    fc.record({
      transactions: count,
      fundedOutputs: count,
      fundedValue: fc.bigInt({ min: 0n, max: 1n << 70n }),
      spentOutputs: count,
      spentValue: fc.bigInt({ min: 0n, max: 1n << 70n }),
      newestHistoryRow: uint32,
    }),
    anyHash,
  );
  keepsValues(layout.blockPositions, position, 1);
  keepsValues(layout.sourceFiles, fc.record({ path: fc.string({ unit: "grapheme" }), mask: fc.uint8Array() }), 1);
  keepsValues(layout.staleBlocks, fc.record({ height: uint32, position, block: blockRow }), anyHash);
  keepsValues(
    layout.staleTransactions,
    fc.record({ position: count, offset: count, size: count, checksum: uint32, spentOutputs: staleSpentOutputs }),
    anyHash,
    anyHash,
  );
  keepsValues(
    layout.tips,
    fc.record({
      height: fc.integer({ min: -1, max: 0x7fffffff }),
      nextTransactionNumber: uint32,
      blocksEnd: position,
      changes: count,
      reorganisations: count,
    }),
  );
});

it("reads what a transaction spends as it was written, also where scripts repeat", () => {
  const number = 0xfffffff0;
  const spentNumber = fc.integer({ min: 0, max: number - 1 });
  const spent = fc.record({ transactionNumber: spentNumber, value: amount, scriptPubKey });
  const spentOutputs = fc.array(spent, { maxLength: 5 }).chain((outputs) =>
    fc.constantFrom(
      outputs,
      [...outputs, ...outputs],
      outputs.flatMap((output) => [output, output]),
    ),
  );
  keepsValues(
    layout.transactions,
    fc.record({ offset: count, size: count, outputCount: count, checksum: uint32, spentOutputs }),
    number,
  );
});

it("reads the spends of a transaction as they were written", () => {
  const fundingNumber = 1_000;
  const spender = fc.record({
    vout: fc.nat(0xffffff),
    transactionNumber: fc.integer({ min: fundingNumber, max: 0xffffffff }),
    vin: count,
  });
  const rows = fc
    .uniqueArray(spender, { selector: ({ vout }) => vout })
    .map((list) => list.sort((left, right) => left.vout - right.vout));
  keepsValues(layout.spends, rows, fundingNumber);
});

it("sorts keys as their numbers", () => {
  fc.assert(
    fc.property(hash, uint32, uint32, vout, vout, (scriptHash, first, second, third, fourth) => {
      expect(Math.sign(layout.blocks.key(first).compare(layout.blocks.key(second)))).toBe(Math.sign(first - second));
      const inOrder = Math.sign(first - second) || Math.sign(third - fourth);
      const keys = [
        layout.unspentOutputs.key(scriptHash, first, third),
        layout.unspentOutputs.key(scriptHash, second, fourth),
      ];
      expect(Math.sign(Buffer.compare(keys[0] ?? hashless, keys[1] ?? hashless))).toBe(inOrder);
    }),
  );
});

it("sorts a script's history from the newest transaction to the oldest", () => {
  fc.assert(
    fc.property(hash, uint32, uint32, (scriptHash, first, second) => {
      const keys = [first, second].map((number) => layout.histories.key(scriptHash, number));
      expect(Math.sign(Buffer.compare(keys[0] ?? hashless, keys[1] ?? hashless))).toBe(Math.sign(second - first));
    }),
  );
});

const hashless = Buffer.alloc(0);

it("refuses a row that ends early", () => {
  const bytes = layout.spends.encode([{ vout: 0, transactionNumber: 300_000, vin: 300 }], 1);
  for (let length = 1; length < bytes.length; length += 1) {
    expect(() => layout.spends.decode(bytes.subarray(0, length), 1)).toThrow("ends early");
  }
});

it("stores common scripts without their constant bytes, and one that follows itself once", () => {
  const script = Uint8Array.from([0x00, 20, ...new Uint8Array(20)]);
  const output = { transactionNumber: 7, value: 1n, scriptPubKey: script };
  const lengths = [0, 1, 2].map((inputs) => {
    const row = {
      offset: 1,
      size: 2,
      outputCount: 1,
      checksum: 3,
      spentOutputs: new Array<typeof output>(inputs).fill(output),
    };
    return layout.transactions.encode(row, 8).length;
  });
  expect(lengths).toEqual([7, 7 + 1 + 1 + 1 + 20, 7 + 1 + 1 + 1 + 20 + 1 + 1 + 1]);
});
