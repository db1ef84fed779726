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

const script = fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.uint8Array({ minLength: 250, maxLength: 300 }));
const content: fc.Arbitrary<TransactionContent> = fc.record({
  version: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  inputs: fc.array(
    fc.record({
      previousOutput: fc.record({
        txid: fc.oneof(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.constant(new Uint8Array(32))),
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

  test("is made of any bytes, or they are refused as malformed", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          viewTransaction(bytes);
        } catch (error) {
          expect(isMalformedBytesError(error)).toBe(true);
        }
      }),
    );
  });
});
