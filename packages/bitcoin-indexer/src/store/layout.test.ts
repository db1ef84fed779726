import fc from "fast-check";
import { expect, it } from "vitest";
import * as layout from "./layout.ts";

const uint32 = fc.integer({ min: 0, max: 0xffffffff });
const hash = fc.uint8Array({ minLength: 32, maxLength: 32 });
const amount = fc.bigInt({ min: 0n, max: 2_100_000_000_000_000n });
const count = fc.nat();
const height = fc.nat(0x7fffffff);

const scriptPubKey = fc.oneof(
  fc.uint8Array({ maxLength: 80 }),
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

const spentOutputs = fc.array(
  fc.record({ transactionNumber: uint32, height, isCoinbase: fc.boolean(), value: amount, scriptPubKey }),
  { maxLength: 5 },
);

const blockRow = fc.record({
  hash,
  header: fc.uint8Array({ minLength: 80, maxLength: 80 }),
  firstTransactionNumber: uint32,
  transactionCount: count,
  size: count,
  strippedSize: count,
  medianTime: uint32,
  chainWork: fc.bigInt({ min: 0n, max: 1n << 200n }),
});

const position = fc.record({ file: uint32, offset: uint32 });

function keepsValues<Value>(table: layout.Table<never, Value>, values: fc.Arbitrary<Value>): void {
  fc.assert(
    fc.property(values, (value) => {
      expect(normal(table.decode(table.encode(value)))).toEqual(normal(value));
    }),
  );
}

/** Byte strings of any class compare by their bytes. */
function normal(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  if (Array.isArray(value)) return value.map(normal);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, normal(member)]));
}

it("reads every value as it was written", () => {
  keepsValues(layout.blocks, blockRow);
  keepsValues(layout.heights, uint32);
  keepsValues(layout.transactionIds, fc.uint8Array());
  keepsValues(layout.transactionNumbers, fc.array(uint32));
  keepsValues(layout.transactions, fc.record({ height: uint32, offset: count, size: count, spentOutputs }));
  keepsValues(layout.spends, fc.record({ transactionNumber: uint32, vin: count }));
  keepsValues(layout.unspentOutputs, fc.record({ height, isCoinbase: fc.boolean(), value: amount }));
  keepsValues(
    layout.scriptStatistics,
    fc.record({
      transactions: count,
      fundedOutputs: count,
      fundedValue: fc.bigInt({ min: 0n, max: 1n << 70n }),
      spentOutputs: count,
      spentValue: fc.bigInt({ min: 0n, max: 1n << 70n }),
    }),
  );
  keepsValues(layout.blockPositions, position);
  keepsValues(layout.staleBlocks, fc.record({ height: uint32, position, block: blockRow }));
  keepsValues(layout.staleTransactions, fc.record({ position: count, offset: count, size: count, spentOutputs }));
  keepsValues(
    layout.tips,
    fc.record({ height: fc.integer({ min: -1, max: 0x7fffffff }), nextTransactionNumber: uint32, blocksEnd: position }),
  );
});

it("sorts keys as their numbers", () => {
  fc.assert(
    fc.property(uint32, uint32, uint32, uint32, (first, second, third, fourth) => {
      expect(Math.sign(layout.blocks.key(first).compare(layout.blocks.key(second)))).toBe(Math.sign(first - second));
      const inOrder = Math.sign(first - second) || Math.sign(third - fourth);
      expect(Math.sign(layout.spends.key(first, third).compare(layout.spends.key(second, fourth)))).toBe(inOrder);
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
  const bytes = layout.spends.encode({ transactionNumber: 1, vin: 2 });
  expect(() => layout.spends.decode(bytes.subarray(0, 3))).toThrow("ends early");
});

it("stores common scripts without their constant bytes", () => {
  const output = { transactionNumber: 0, height: 0, isCoinbase: false, value: 0n };
  const row = { height: 0, offset: 0, size: 0 };
  const empty = layout.transactions.encode({ ...row, spentOutputs: [] }).length;
  const script = Uint8Array.from([0x00, 20, ...new Uint8Array(20)]);
  const full = layout.transactions.encode({ ...row, spentOutputs: [{ ...output, scriptPubKey: script }] }).length;
  expect(full - empty).toBe(4 + 1 + 1 + 1 + 20);
});
