import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  displayHash,
  isMalformedBytesError,
  parseTransaction,
  partsOfTransaction,
  serializeTransaction,
  type TransactionContent,
  viewTransaction,
} from "./index.ts";

const script = fc.oneof(
  fc.uint8Array({ maxLength: 40, size: "max" }),
  fc.uint8Array({ minLength: 250, maxLength: 300, size: "max" }),
);
const content: fc.Arbitrary<TransactionContent> = fc.record({
  version: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  inputs: fc.array(
    fc.record({
      previousOutput: fc.record({
        txid: fc.oneof(fc.uint8Array({ minLength: 32, maxLength: 32, size: "max" }), fc.constant(new Uint8Array(32))),
        vout: fc.constantFrom(0, 7, 0xffffffff),
      }),
      scriptSig: script,
      sequence: fc.integer({ min: 0, max: 0xffffffff }),
      witness: fc.array(script, { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  outputs: fc.array(fc.record({ value: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), scriptPubKey: script }), {
    maxLength: 4,
  }),
  locktime: fc.integer({ min: 0, max: 0xffffffff }),
});

/** One input without a script, one output of a byte. */
const plainHex = `0200000001${"11".repeat(32)}0000000000ffffffff01${"00".repeat(8)}016a00000000`;

describe("a view of a transaction", () => {
  test("tells the same as the parsed transaction", () => {
    fc.assert(
      fc.property(content, fc.boolean(), (each, witness) => {
        const bytes = serializeTransaction(each, { witness });
        const view = viewTransaction(bytes);
        const parsed = parseTransaction(bytes);
        for (const hash of ["txid", "wtxid"] as const) expect(displayHash(view[hash])).toBe(displayHash(parsed[hash]));
        for (const name of ["size", "strippedSize", "weight", "virtualSize", "hasWitness", "isCoinbase"] as const) {
          expect(view[name]).toBe(parsed[name]);
        }
        for (const name of ["version", "inputs", "outputs", "locktime", "bytes"] as const) {
          expect(view[name]).toEqual(parsed[name]);
        }
        expect(displayHash(view.txid)).toBe(displayHash(parsed.txid));
        expect(partsOfTransaction(parsed)).toEqual(partsOfTransaction(view));
      }),
    );
  });

  test("is that of a coinbase when its one input names no output", () => {
    const zeros = new Uint8Array(32);
    const almost = Uint8Array.from({ length: 32 }, (_, at) => (at === 31 ? 1 : 0));
    const first = Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? 1 : 0));
    const input = (txid: Uint8Array, vout: number) => ({
      previousOutput: { txid, vout },
      scriptSig: new Uint8Array(),
      sequence: 0,
      witness: [],
    });
    const none = input(zeros, 0xffffffff);
    for (const [inputs, expected] of [
      [[none], true],
      [[none, none], false],
      [[input(almost, 0xffffffff)], false],
      [[input(first, 0xffffffff)], false],
      [[input(zeros, 0xfffffffe)], false],
      [[input(zeros, 0)], false],
    ] as const) {
      const bytes = serializeTransaction({ version: 1, inputs, outputs: [], locktime: 0 });
      expect(viewTransaction(bytes).isCoinbase).toBe(expected);
      expect(parseTransaction(bytes).isCoinbase).toBe(expected);
    }
  });

  test("keeps no sum of values that numbers can't tell, even where they cancel each other out", () => {
    const outputs = (...values: readonly bigint[]) =>
      values.map((value) => ({ value, scriptPubKey: new Uint8Array() }));
    const sumOf = (...values: readonly bigint[]): number => {
      const input = {
        previousOutput: { txid: new Uint8Array(32), vout: 0 },
        scriptSig: new Uint8Array(),
        sequence: 0,
        witness: [],
      };
      const bytes = serializeTransaction({ version: 1, inputs: [input], outputs: outputs(...values), locktime: 0 });
      return partsOfTransaction(viewTransaction(bytes)).outputValue;
    };
    const most = BigInt(Number.MAX_SAFE_INTEGER);
    expect(sumOf(5n, -7n)).toBe(-2);
    expect(sumOf(most)).toBe(Number.MAX_SAFE_INTEGER);
    expect(sumOf(most, 1n, -1n)).toBeNaN();
    expect(sumOf(-(2n ** 63n), 2n ** 63n - 1n)).toBeNaN();
    expect(sumOf(most + 1n, -most)).toBeNaN();
  });

  test("of a transaction that was parsed in the older form has its parts", () => {
    const bytes = Buffer.from(`01000000${"00"}01${"00".repeat(8)}016a00000000`, "hex");
    expect(partsOfTransaction(parseTransaction(bytes, { witness: false }))).toMatchObject({
      hasWitness: false,
      inputCount: 0,
      outputCount: 1,
      outputs: 6,
      outputsEnd: 16,
      locktime: 16,
    });
  });

  test("adds up what the outputs hold, where a number can tell it", () => {
    fc.assert(
      fc.property(content, (each) => {
        const sum = each.outputs.reduce((total, { value }) => total + value, 0n);
        const { outputValue } = partsOfTransaction(viewTransaction(serializeTransaction(each)));
        if (Number.isSafeInteger(outputValue)) expect(BigInt(outputValue)).toBe(sum);
        else expect(each.outputs.some(({ value }) => value > 2n ** 50n || value < -(2n ** 50n))).toBe(true);
      }),
    );
  });

  test("is not made of bytes that end inside a part or go on behind the last one", () => {
    fc.assert(
      fc.property(content, fc.nat(), fc.boolean(), (each, cut, isLonger) => {
        const bytes = serializeTransaction(each);
        const wrong = isLonger ? Buffer.concat([bytes, Buffer.of(0)]) : bytes.subarray(0, cut % bytes.length);
        try {
          viewTransaction(wrong);
          expect.unreachable("it was taken for a transaction");
        } catch (error) {
          expect(isMalformedBytesError(error)).toBe(true);
        }
      }),
    );
  });

  test.each([
    ["a byte too many", `${plainHex}00`, "transaction has another length than its parts", 62],
    ["a byte too few", plainHex.slice(0, -2), "transaction has another length than its parts", 60],
    ["no count of inputs", "02000000", "length is missing", 4],
    ["no sequence", plainHex.slice(0, 2 * 43), "length is missing", 43],
    ["more inputs than bytes", `02000000feffffffff${"00".repeat(60)}`, "length is missing", 69],
    ["more outputs than bytes", `${plainHex.slice(0, 92)}feffffffff`, "length is missing", 51],
    ["more witness items than bytes", `020000000001${plainHex.slice(8, -8)}feffffffff00`, "length is missing", 65],
  ])("is not made of a transaction with %s", (_, hex, reason, offset) => {
    expect(() => viewTransaction(Buffer.from(hex, "hex"))).toThrow(expect.objectContaining({ reason, offset }));
  });

  test("is made of any bytes, or they are refused as malformed", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200, size: "max" }), (bytes) => {
        try {
          viewTransaction(bytes);
        } catch (error) {
          expect(isMalformedBytesError(error)).toBe(true);
        }
      }),
    );
  });
});
