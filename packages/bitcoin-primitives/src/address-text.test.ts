import { base58, bech32, bech32m } from "@scure/base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { base58Text, segwitAddressText } from "./address-text.ts";

describe("the text of an address", () => {
  it("in bech32 and bech32m is another implementation's, for any program", () => {
    const program = fc.uint8Array({ minLength: 2, maxLength: 40, size: "max" });
    fc.assert(
      fc.property(
        fc.constantFrom("bc", "tb", "bcrt"),
        fc.integer({ min: 0, max: 16 }),
        program,
        (prefix, version, bytes) => {
          const encoding = version === 0 ? bech32 : bech32m;
          const expected = encoding.encode(prefix, [version, ...encoding.toWords(bytes)], false);
          expect(segwitAddressText(prefix, version, bytes)).toBe(expected);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("in base 58 is another implementation's, for any bytes, zeros at the beginning among them", () => {
    const zeros = fc.integer({ min: 0, max: 25 }).map((length) => new Uint8Array(length));
    fc.assert(
      fc.property(zeros, fc.uint8Array({ maxLength: 55, size: "max" }), (first, others) => {
        const bytes = Buffer.concat([first, others]);
        expect(base58Text(bytes)).toBe(base58.encode(bytes));
      }),
      { numRuns: 500 },
    );
  });
});
