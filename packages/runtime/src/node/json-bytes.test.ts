import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hundredMillionthsText, JsonBytes, literalOf } from "./json-bytes.ts";

const out = new JsonBytes();

describe("bytes of JSON", () => {
  test("hold numbers as JavaScript writes them", () => {
    const edges = [
      0,
      1,
      9,
      10,
      99_999,
      999_999_999,
      1e9,
      1e9 + 1,
      2 ** 32 - 1,
      2 ** 53 - 1,
      1e18,
      2 ** 53,
      -1,
      1e21,
      -(2 ** 63),
    ];
    const anyNumber = fc.oneof(fc.maxSafeInteger(), fc.nat(), fc.integer(), fc.constantFrom(...edges));
    fc.assert(
      fc.property(anyNumber, (value) => {
        out.number(value);
        expect(out.takeText()).toBe(String(value));
      }),
      { numRuns: 3_000 },
    );
  });

  test("hold numbers of every length, at both ends of it", () => {
    for (let digits = 1; digits <= 16; digits += 1) {
      for (const value of [10 ** (digits - 1), 10 ** digits - 1, 10 ** digits]) {
        out.number(value);
        expect(out.takeText()).toBe(String(value));
      }
    }
  });

  test("hold hex of any length, and hashes in display order", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3_000, size: "max" }), fc.nat(40), (source, start) => {
        const from = Math.min(start, source.length);
        out.hex(source, from, source.length);
        expect(out.takeText()).toBe(Buffer.from(source.subarray(from)).toString("hex"));
        const hash = new Uint8Array(start + 32).map((_, index) => index * 7);
        out.displayHash(hash, start);
        expect(out.takeText()).toBe(Buffer.from(hash.slice(start)).reverse().toString("hex"));
      }),
    );
  });

  test("grow as large as a text is, and are a text's own once they are taken", () => {
    const piece = literalOf("0123456789");
    for (let count = 0; count < 120_000; count += 1) {
      out.literal(piece);
      out.text("ab");
      out.byte(0x2c);
    }
    const taken = out.takeBytes();
    out.text("something else");
    expect(out.takeText()).toBe("something else");
    expect(taken.toString()).toBe("0123456789ab,".repeat(120_000));
  });

  test("are written again from where they stand, be it right before or far away", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary-ascii", maxLength: 40, size: "max" }),
        fc.nat(40),
        fc.nat(40),
        (text, one, other) => {
          const [start = 0, end = 0] = [one, other].map((place) => Math.min(place, text.length)).sort((a, b) => a - b);
          out.text(text);
          expect(out.length).toBe(text.length);
          out.again(start, end);
          expect(out.takeText()).toBe(text + text.slice(start, end));
        },
      ),
    );
  });

  test("take what was written elsewhere, however long", () => {
    out.text("[");
    out.bytes(Buffer.alloc(2_000_000, "x"));
    out.bytes(Buffer.from("]"));
    expect(out.takeText()).toBe(`[${"x".repeat(2_000_000)}]`);
  });

  test("are seen in place as long as nothing else is written", () => {
    out.text("whole");
    expect(Buffer.from(out.takeView()).toString()).toBe("whole");
    out.text("another");
    expect(out.takeText()).toBe("another");
  });

  test("are forgotten when they are cleared", () => {
    out.text("half an answer");
    out.clear();
    out.text("whole");
    expect(out.takeText()).toBe("whole");
  });

  test("hold amounts with eight places, of any size and sign", () => {
    const written = (units: number): string => {
      out.hundredMillionths(units);
      return out.takeText();
    };
    expect([0, 1, 99_999_999, 100_000_000, 5_000_000_000, -1].map(written)).toEqual([
      "0.00000000",
      "0.00000001",
      "0.99999999",
      "1.00000000",
      "50.00000000",
      "-0.00000001",
    ]);
    fc.assert(
      fc.property(fc.maxSafeInteger(), (units) => {
        expect(written(units)).toBe(hundredMillionthsText(BigInt(units)));
      }),
    );
    expect(hundredMillionthsText(-(2n ** 63n))).toBe("-92233720368.54775808");
  });
});
