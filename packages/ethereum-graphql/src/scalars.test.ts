import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scalars } from "./scalars.ts";

describe.each([
  ["Long", 64n],
  ["BigInt", 256n],
] as const)("%s", (name, bits) => {
  const scalar = scalars[name];
  const integers = fc.bigInt({ min: 0n, max: 2n ** bits - 1n });

  it("reads an integer in each spelling as the same text", () => {
    fc.assert(
      fc.property(integers, (value) => {
        const expected = `0x${value.toString(16)}`;
        for (const spelling of [value, value.toString(), expected, `0x${value.toString(16).toUpperCase()}`]) {
          expect(scalar.parse(spelling)).toBe(expected);
        }
        expect(scalar.serialize(expected)).toBe(expected);
      }),
    );
    expect(scalar.parse(30)).toBe("0x1e");
    expect(scalar.parse(0)).toBe("0x0");
  });

  const refused: readonly unknown[] = [
    -1,
    -1n,
    1.5,
    2 ** 53,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    true,
    null,
    {},
    [],
    "",
    " 1",
    "1 ",
    "-1",
    "+1",
    "1e3",
    "1_000",
    "030",
    "0x",
    "0x01",
    "0X1",
    "0b1",
    "0xg",
    "latest",
    "9".repeat(100_000),
  ];

  it.each(refused.map((value) => [inspect(value).slice(0, 20), value]))("refuses %s", (_name, value) => {
    expect(() => scalar.parse(value)).toThrow(`${name} must be a natural number`);
  });

  it.each([
    [-1, "it is negative"],
    [-1n, "it is negative"],
    ["-1", "it is negative"],
    [1.5, "it has a fraction"],
    [1e20, "it is written with an exponent"],
    [Number.POSITIVE_INFINITY, "it has too many digits"],
    ["030", "it has leading zeros"],
    ["0x01", "it has leading zeros"],
    ["9".repeat(100_000), "it has too many digits"],
  ])("says what is wrong with %s", (value, mistake) => {
    expect(() => scalar.parse(value)).toThrow(mistake);
  });

  it("refuses literals with a fraction or an exponent, though their value is an integer", () => {
    expect(() => scalar.parse(1, true)).toThrow("it has a fraction or an exponent");
  });

  it("refuses more bits than it has", () => {
    for (const value of [2n ** bits, (2n ** bits).toString(), `0x${(2n ** bits).toString(16)}`]) {
      expect(() => scalar.parse(value)).toThrow(`${name} must have at most ${bits} bits`);
    }
  });

  it("writes numbers, and takes away zeros that a client has put in front", () => {
    expect([255, 255n, "0xff", "0x00ff", "0x0", "0x00"].map(scalar.serialize)).toEqual([
      "0xff",
      "0xff",
      "0xff",
      "0xff",
      "0x0",
      "0x0",
    ]);
    for (const value of [{}, "", "0x", "30", "latest", -1, 1.5, Number.NaN, -1n, true, null, undefined]) {
      expect(() => scalar.serialize(value)).toThrow(`The node returned a value that is not a ${name}`);
    }
  });
});

describe.each([
  ["Address", 20],
  ["Bytes32", 32],
] as const)("%s", (name, length) => {
  const scalar = scalars[name];

  it("reads its bytes in any case and keeps them in lower case", () => {
    expect(scalar.parse(`0x${"aB".repeat(length)}`)).toBe(`0x${"ab".repeat(length)}`);
    expect(scalar.serialize(`0x${"AB".repeat(length)}`)).toBe(`0x${"ab".repeat(length)}`);
  });

  it.each([
    "",
    "0x",
    "ab".repeat(length),
    `0x${"a".repeat(2 * length - 1)}`,
    `0x${"a".repeat(2 * length + 2)}`,
    1,
    null,
  ])("refuses %j", (value) => {
    expect(() => scalar.parse(value)).toThrow(`${name} must be 0x and ${2 * length} hexadecimal digits`);
  });

  it("writes nothing that a node cannot have meant", () => {
    for (const value of [null, undefined, 1, {}, "", "ab"]) {
      expect(() => scalar.serialize(value)).toThrow(`The node returned a value that is not a ${name}`);
    }
  });
});

describe("Bytes", () => {
  it("reads whole bytes, none of them included", () => {
    expect(["0x", "0x00", "0xABcd"].map((value) => scalars.Bytes.parse(value))).toEqual(["0x", "0x00", "0xabcd"]);
  });

  it.each(["", "00", "0x0", "0xgg", "0X00", 0, false])("refuses %j", (value) => {
    expect(() => scalars.Bytes.parse(value)).toThrow("Bytes must be 0x and an even count of hexadecimal digits");
  });
});
