import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ExcessiveStructure, SlicedJsonReader } from "./sliced-json-reader.ts";

interface Reading {
  readonly chunkBytes?: number;
  readonly sliceBytes?: number;
  readonly values?: number;
  readonly depth?: number;
  readonly isPassedByCorrectNodes?: boolean;
  readonly parse?: (text: string) => unknown;
}

function read(
  text: string,
  {
    chunkBytes = 7,
    sliceBytes = 5,
    values = 1e6,
    depth = 64,
    isPassedByCorrectNodes = false,
    parse = JSON.parse,
  }: Reading = {},
): unknown {
  const limits = { values, depth, isPassedByCorrectNodes };
  const reader = new SlicedJsonReader(parse, limits, { grow: () => undefined }, sliceBytes);
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += chunkBytes) reader.push(bytes.subarray(start, start + chunkBytes));
  return reader.end();
}

function outcomeOf(work: () => unknown): unknown {
  try {
    // Names and their order, too.
    return { json: JSON.stringify(work()) };
  } catch (reason) {
    return reason instanceof SyntaxError ? "refused" : reason;
  }
}

const sizes = { chunkBytes: fc.integer({ min: 1, max: 40 }), sliceBytes: fc.integer({ min: 1, max: 60 }) };

describe("a reader of JSON in slices", () => {
  it("gives what JSON.parse gives, however the text is cut", () => {
    const json = fc
      .tuple(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom("", " ", "\n\t"))
      .map(([value, space]) => space + JSON.stringify(value, null, space) + space);
    fc.assert(
      fc.property(json, sizes.chunkBytes, sizes.sliceBytes, (text, chunkBytes, sliceBytes) => {
        const expected = outcomeOf(() => JSON.parse(text));
        expect(outcomeOf(() => read(text, { chunkBytes, sliceBytes }))).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it("refuses what JSON.parse refuses", () => {
    const pieces = [
      "[",
      "]",
      "{",
      "}",
      ",",
      ":",
      '"',
      "\\",
      '"a"',
      '"b":',
      "1",
      "-",
      ".5",
      "true",
      "nul",
      " ",
      '"__proto__":',
      '"\\u00e4"',
    ];
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, sizes.chunkBytes, fc.integer({ min: 1, max: 6 }), (given, chunkBytes, sliceBytes) => {
        const expected = outcomeOf(() => JSON.parse(given));
        expect(
          outcomeOf(() => read(given, { chunkBytes, sliceBytes })),
          given,
        ).toEqual(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    '{"a":1[2,3]}',
    "[1,2,3,]",
    "[[1],,[2]]",
    "[[1] [2]]",
    '{"a":[1,2,3]"b":1}',
    '{"a":[1,2,3],}',
    '[{"a":[1,2,3}]]',
    "[1,2,3]]",
    "[1,2,3],[4]",
    "[1,2,3] 4",
    '{"a":{"b":1},"c"}',
    "[,1,2,3]",
    "[1,2",
    '["abc',
  ])("refuses %s", (text) => {
    for (let sliceBytes = 1; sliceBytes < 12; sliceBytes += 1) {
      expect(() => read(text, { chunkBytes: 1, sliceBytes })).toThrow(SyntaxError);
    }
  });

  it("keeps members named __proto__ and the last of equal names", () => {
    const text = '{"a":[1,2,3,4],"__proto__":{"x":[1,2,3]},"b":"bbbbbbbbb","a":2,"__proto__":[5,6,7,8,9]}';
    for (let sliceBytes = 1; sliceBytes < 40; sliceBytes += 1) {
      const value = read(text, { chunkBytes: 3, sliceBytes }) as object;
      expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)));
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    }
  });

  it("reads every slice with the parser that it is given", () => {
    const parse = (text: string): unknown =>
      JSON.parse(text, (_key, value) => (typeof value === "number" ? `${value}` : value));
    expect(read("[1,[2,3,4,5,6,7],8]", { parse })).toEqual(["1", ["2", "3", "4", "5", "6", "7"], "8"]);
  });

  it("parses no more at once than a slice and what came with its last chunk", () => {
    const lengths: number[] = [];
    const parse = (text: string): unknown => {
      lengths.push(text.length);
      return JSON.parse(text);
    };
    const text = JSON.stringify(Array.from({ length: 1_000 }, (_, index) => ({ index, list: [index, [index]] })));
    expect(read(text, { parse, chunkBytes: 50, sliceBytes: 100 })).toEqual(JSON.parse(text));
    expect(Math.max(...lengths)).toBeLessThanOrEqual(4 * 100 + 50 + 2);
  });

  it("refuses more values, deeper nesting and longer strings than there may be, before they have come whole", () => {
    expect(() => read(`[${"{},".repeat(51)}`, { values: 100 })).toThrow(ExcessiveStructure);
    expect(read(`[${"{},".repeat(49)}{}]`, { values: 100 })).toHaveLength(50);
    expect(() => read("[".repeat(65))).toThrow(ExcessiveStructure);
    expect(read(`${"[".repeat(64)}${"]".repeat(64)}`)).toBeDefined();
    const endless = { chunkBytes: 1 << 20, sliceBytes: 65_536 };
    expect(() => read(`{"result":"${"a".repeat(25 << 20)}`, endless)).toThrow(ExcessiveStructure);
  });

  it("says of which limits correct nodes may pass: those of all values and members, where the result grows with the call", () => {
    const members = JSON.stringify(
      Object.fromEntries(Array.from({ length: 100_001 }, (_, index) => [`n${index}`, ""])),
    );
    const manyValues = JSON.stringify(Array(1_000).fill("a value of ordinary length"));
    const refusalOf = (text: string, reading: Reading): unknown => outcomeOf(() => read(text, reading));
    for (const isPassedByCorrectNodes of [true, false]) {
      const reading = { chunkBytes: 65_536, sliceBytes: 16_384, isPassedByCorrectNodes };
      expect(refusalOf(members, reading)).toMatchObject({ isPassedByCorrectNodes });
      expect(refusalOf(manyValues, { ...reading, values: 900 })).toMatchObject({ isPassedByCorrectNodes });
      expect(refusalOf(`[${"{},".repeat(30_000)}`, reading)).toMatchObject({ isPassedByCorrectNodes: false });
      expect(refusalOf("[".repeat(65), reading)).toMatchObject({ isPassedByCorrectNodes: false });
    }
  });
});
