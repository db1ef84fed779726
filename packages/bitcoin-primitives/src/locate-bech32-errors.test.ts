import { bech32, bech32m } from "@scure/base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { locateBech32Errors } from "./locate-bech32-errors.ts";

const digits = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";

/** Valid text of either encoding, and the beginning of its data. */
const texts = fc
  .record({
    prefix: fc.constantFrom("bc", "tb", "bcrt"),
    words: fc.array(fc.nat(31), { minLength: 1, maxLength: 75, size: "max" }),
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

  it("finds nothing in a right text, of either case", () => {
    fc.assert(
      fc.property(texts, ({ text }) => {
        expect(locateBech32Errors(text)).toBeUndefined();
        expect(locateBech32Errors(text.toUpperCase())).toBeUndefined();
      }),
    );
  });

  it("finds two changed characters, in their order", () => {
    const change = fc.record({ where: fc.nat(), by: fc.integer({ min: 1, max: 31 }) });
    fc.assert(
      fc.property(texts, change, change, ({ text, dataStart, encoding }, one, other) => {
        const length = text.length - dataStart;
        const first = dataStart + (one.where % length);
        const second = dataStart + (other.where % length);
        fc.pre(first !== second);
        const located = locateBech32Errors(changed(changed(text, first, one.by), second, other.by));
        const isOwn = located?.problem.kind === "checksum" && located.problem.encoding === encoding;
        // One change to the other encoding's text explains it with less, and two of bech32 come before two of bech32m.
        if (isOwn) expect(located.locations).toEqual([first, second].sort((left, right) => left - right));
        else expect(located?.locations).toHaveLength(encoding === "bech32m" && located?.locations.length === 2 ? 2 : 1);
      }),
    );
  });

  it("takes bech32 for the encoding where as many changes explain the other", () => {
    // The differences of these four changes, by exclusive or, add up to that of the two encodings.
    const flip = (text: string, fromEnd: number, by: number): string => {
      const position = text.length - 1 - fromEnd;
      const digit = digits[digits.indexOf(text[position] ?? "") ^ by];
      return `${text.slice(0, position)}${digit}${text.slice(position + 1)}`;
    };
    const words = new Array<number>(20).fill(3);
    for (const wrong of [
      flip(flip(bech32.encode("bc", words), 0, 1), 7, 31),
      flip(flip(bech32m.encode("bc", words), 10, 10), 16, 20),
    ]) {
      expect(locateBech32Errors(wrong)).toEqual({
        problem: { kind: "checksum", encoding: "bech32" },
        locations: [wrong.length - 8, wrong.length - 1],
      });
    }
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
    expect(locateBech32Errors("BC1qq")).toEqual({ problem: { kind: "invalid-character" }, locations: [3, 4] });
    expect(locateBech32Errors("b c1\u007f")).toEqual({ problem: { kind: "invalid-character" }, locations: [1, 4] });
  });

  it("takes letters alone for letters of a case", () => {
    // Characters before and after the letters in ASCII, and the first and the last letter.
    for (const prefix of ["@A[`Z{", "@a[`z{", "!~"]) {
      const text = bech32.encode(prefix.toLowerCase(), [0, 1, 2]);
      expect(locateBech32Errors(text)).toBeUndefined();
      expect(locateBech32Errors(text.toUpperCase())).toBeUndefined();
    }
    for (const letter of "az") {
      expect(locateBech32Errors(`Q${letter}1QQQQQQ`)).toEqual({
        problem: { kind: "invalid-character" },
        locations: [1],
      });
    }
    for (const letter of "AZ") {
      expect(locateBech32Errors(`q${letter}1qqqqqq`)).toEqual({
        problem: { kind: "invalid-character" },
        locations: [1],
      });
    }
  });

  it("needs a separator with something before it and a checksum behind it", () => {
    expect(locateBech32Errors("")).toEqual({ problem: { kind: "missing-separator" }, locations: [] });
    expect(locateBech32Errors("bcqqqqqqq")).toEqual({ problem: { kind: "missing-separator" }, locations: [] });
    expect(locateBech32Errors("1qqqqqqq")).toEqual({ problem: { kind: "separator-position" }, locations: [0] });
    expect(locateBech32Errors("b1c1qqqqq")).toEqual({ problem: { kind: "separator-position" }, locations: [3] });
    expect(locateBech32Errors("a12uel5l")).toBeUndefined();
    expect(locateBech32Errors("a1lqfn3a")).toBeUndefined();
  });

  it("finds the first digit that base 32 does not have", () => {
    expect(locateBech32Errors("bc1qqbqqqqi")).toEqual({ problem: { kind: "invalid-digit" }, locations: [5] });
    expect(locateBech32Errors("BC1OQQQQQQ")).toEqual({ problem: { kind: "invalid-digit" }, locations: [3] });
  });

  it("tells the positions behind the 90th byte, up to a thousand", () => {
    const right = bech32.encode("bc", new Array<number>(81).fill(0), 90);
    expect(right).toHaveLength(90);
    expect(locateBech32Errors(right)).toBeUndefined();
    expect(locateBech32Errors(`${right}qé`)).toEqual({ problem: { kind: "too-long" }, locations: [90, 91, 92] });
    const { locations } = locateBech32Errors("q".repeat(90 + 1_001)) ?? expect.unreachable();
    expect(locations).toHaveLength(1_000);
    expect(locations.at(-1)).toBe(90 + 999);
  });

  it("finds one or two changed characters at both ends of the longest data", () => {
    const right = bech32.encode("b", new Array<number>(82).fill(7), 90);
    const encoding = "bech32";
    for (const locations of [[2], [89], [2, 89], [2, 3], [88, 89]]) {
      const wrong = locations.reduce<string>((text, position) => changed(text, position, 1), right);
      expect(locateBech32Errors(wrong)).toEqual({ problem: { kind: "checksum", encoding }, locations });
    }
  });

  it("does not explain a wrong checksum by the last character of the prefix", () => {
    for (const words of [10, 40, 60]) {
      const right = bech32.encode("bc", new Array<number>(words).fill(9));
      const wrong = `bb${right.slice(2)}`;
      expect(locateBech32Errors(wrong)).toEqual({ problem: { kind: "checksum" }, locations: [] });
      for (const position of [3, right.length - 1]) {
        expect(locateBech32Errors(changed(wrong, position, 1))).toEqual({
          problem: { kind: "checksum" },
          locations: [],
        });
      }
    }
  });

  it("never explains a wrong checksum by characters before the data", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(31), { minLength: 6, maxLength: 12 }), (words) => {
        const text = `bc1${words.map((word) => digits[word]).join("")}`;
        for (const location of locateBech32Errors(text)?.locations ?? []) expect(location).toBeGreaterThan(2);
      }),
      { numRuns: 2_000 },
    );
  });
});
