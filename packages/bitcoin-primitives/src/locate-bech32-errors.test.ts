import { bech32, bech32m } from "@scure/base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { locateBech32Errors } from "./locate-bech32-errors.ts";

const digits = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";

/** A right text of either encoding and where its data begins. */
const texts = fc
  .record({
    prefix: fc.constantFrom("bc", "tb", "bcrt"),
    words: fc.array(fc.nat(31), { minLength: 1, maxLength: 75 }),
    isModified: fc.boolean(),
  })
  .map(({ prefix, words, isModified }) => ({
    text: (isModified ? bech32m : bech32).encode(prefix, words),
    dataStart: prefix.length + 1,
    encoding: isModified ? ("bech32m" as const) : ("bech32" as const),
  }));

function changed(text: string, position: number, by: number): string {
  const digit = digits[(digits.indexOf(text[position] ?? "") + by) % 32];
  return `${text.slice(0, position)}${digit}${text.slice(position + 1)}`;
}

describe("locateBech32Errors", () => {
  it("finds nothing in a right text, of either case", () => {
    fc.assert(
      fc.property(texts, ({ text }) => {
        expect(locateBech32Errors(text)).toBeUndefined();
        expect(locateBech32Errors(text.toUpperCase())).toBeUndefined();
      }),
    );
  });

  it("finds one changed character", () => {
    fc.assert(
      fc.property(texts, fc.nat(), fc.integer({ min: 1, max: 31 }), ({ text, dataStart, encoding }, where, by) => {
        const position = dataStart + (where % (text.length - dataStart));
        expect(locateBech32Errors(changed(text, position, by))).toEqual({
          problem: { kind: "checksum", encoding },
          locations: [position],
        });
      }),
    );
  });

  it("finds two changed characters, in their order", () => {
    const change = fc.record({ where: fc.nat(), by: fc.integer({ min: 1, max: 31 }) });
    fc.assert(
      fc.property(texts, change, change, ({ text, dataStart }, one, other) => {
        const length = text.length - dataStart;
        const first = dataStart + (one.where % length);
        const second = dataStart + (other.where % length);
        fc.pre(first !== second);
        const located = locateBech32Errors(changed(changed(text, first, one.by), second, other.by));
        // One change that makes it the other encoding's text explains it with less.
        if (located?.locations.length === 2) {
          expect(located.locations).toEqual([first, second].sort((left, right) => left - right));
        } else expect(located?.locations).toHaveLength(1);
      }),
    );
  });

  it("does not explain a text with many changes", () => {
    const text = bech32.encode(
      "bc",
      Array.from({ length: 40 }, (_, word) => word % 32),
    );
    const wrong = [...text]
      .map((character, position) =>
        position > 5 && position % 2 === 0 ? changed(text, position, 5)[position] : character,
      )
      .join("");
    expect(locateBech32Errors(wrong)).toEqual({ problem: { kind: "checksum" }, locations: [] });
  });

  it("finds what is no character of bech32, byte by byte", () => {
    expect(locateBech32Errors("bc1é")).toEqual({ problem: { kind: "invalid-character" }, locations: [3, 4] });
    expect(locateBech32Errors("bC1q")).toEqual({ problem: { kind: "invalid-character" }, locations: [1] });
  });
});
