import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { ExcessiveStructure, SlicedJsonReader } from "./sliced-json-reader.ts";

interface Reading {
  readonly chunkBytes?: number;
  readonly sliceBytes?: number;
  readonly values?: number;
  readonly depth?: number;
  readonly isPassedByCorrectNodes?: boolean;
  readonly isShapedByClients?: boolean;
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
    isShapedByClients = false,
    parse = JSON.parse,
  }: Reading = {},
): unknown {
  const limits = { values, depth, isPassedByCorrectNodes, isShapedByClients };
  const reader = new SlicedJsonReader(parse, limits, { grow: () => undefined }, sliceBytes);
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += chunkBytes) reader.push(bytes.subarray(start, start + chunkBytes));
  return reader.end();
}

function outcomeOf(work: () => unknown): unknown {
  try {
    // Names and their order must match, too.
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

  it("gives what JSON.parse gives of what is longer than its buffer, which is moved and made larger meanwhile", () => {
    const deep = (level: number): unknown =>
      level === 0 ? "x".repeat(90) : { a: [deep(level - 1), level], b: "y".repeat(60 * level) };
    const values = [
      Array.from({ length: 900 }, (_, index) => ({ index, text: "z".repeat(index % 200), list: [[index], {}] })),
      { first: Array.from({ length: 60 }, (_, index) => deep(index % 12)), last: { text: "w".repeat(70_000) } },
      [["v".repeat(40_000), ["u".repeat(40_000), { t: ["s".repeat(40_000), 1, 2, 3] }], 4], 5],
    ];
    for (const value of values) {
      const text = JSON.stringify(value);
      for (const chunkBytes of [997, 4_099, 16_411, 32_771])
        for (const sliceBytes of [101, 5_003, 16_384])
          expect(read(text, { chunkBytes, sliceBytes }), `${chunkBytes} ${sliceBytes}`).toEqual(value);
    }
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
    // Nor much less, as long as more is to come.
    expect(lengths.length).toBeLessThan((1.5 * text.length) / 100);
  });

  it("refuses more values, deeper nesting and longer strings than there may be, before they have come whole", () => {
    expect(() => read(`[${"{},".repeat(51)}`, { values: 100 })).toThrow(ExcessiveStructure);
    expect(read(`[${"{},".repeat(49)}{}]`, { values: 100 })).toHaveLength(50);
    expect(() => read("[".repeat(65))).toThrow(new ExcessiveStructure("Nested too deeply"));
    expect(read(`${"[".repeat(64)}${"]".repeat(64)}`)).toBeDefined();
    const endless = { chunkBytes: 1 << 20, sliceBytes: 65_536 };
    expect(() => read(`{"result":"${"a".repeat(25 << 20)}`, endless)).toThrow(
      new ExcessiveStructure("Too long a string or number"),
    );
  });

  it("takes as many values as there may be, and not one more", () => {
    // The list itself is one value, and each comma.
    const text = JSON.stringify(Array(100).fill("a value of ordinary length"));
    expect(read(text, { values: 100 })).toHaveLength(100);
    expect(() => read(text, { values: 99 })).toThrow(new ExcessiveStructure("Too many values"));
  });

  it("takes 16,384 values that are shorter than any result is made of, and one more for each twelve bytes", () => {
    const list = (values: number): string => `[${"1,".repeat(values - 1)}1]`;
    const whole = { chunkBytes: 1 << 20, sliceBytes: 1 << 20 };
    // So many values take twice their number in bytes, and one: v <= 16,384 + (2 v + 1) / 12.
    const most = Math.floor(((16_384 + 1 / 12) * 12) / 10);
    expect(read(list(most), whole)).toHaveLength(most);
    expect(() => read(list(most + 1), whole)).toThrow(new ExcessiveStructure("Too many values for the length"));
  });

  it("takes 100,000 members of an object that comes in slices, and not one more", () => {
    const sliced = { chunkBytes: 65_536, sliceBytes: 16_384 };
    const text = (members: number): string =>
      JSON.stringify(Object.fromEntries(Array.from({ length: members }, (_, index) => [`name ${index}`, ""])));
    expect(Object.keys(read(text(100_000), sliced) as object)).toHaveLength(100_000);
    expect(() => read(text(100_001), sliced)).toThrow(new ExcessiveStructure("Too many members of an object"));
  });

  it.each([
    ["[1,2,3", "Unexpected end of JSON"],
    ["[1,2,3],[4]", "A comma after the value"],
    ["[1,2,3]]", "Unexpected end of a container"],
    ["[1,2,3}", "Unexpected end of a container"],
    ["[1,2,3] 4", "Unexpected text between members"],
    ["[[1,1,1,1] [2]]", "A missing comma"],
    ["[[1],,[2]]", "A missing element"],
    ['{"a":[1,2,3],,"b":1}', "A missing member"],
    ['{"a":[1,2,3]"b":1}', "Unexpected text between members"],
  ])("says what is wrong with %s", (text, message) => {
    expect(() => read(text, { chunkBytes: 1, sliceBytes: 1 })).toThrow(new SyntaxError(message));
  });

  it("parses what is as short as four slices at once", () => {
    let parsed = 0;
    const parse = (text: string): unknown => {
      parsed += 1;
      return JSON.parse(text);
    };
    const text = "[1,2,3,[4,5],[6,7],8]";
    read(text, { parse, sliceBytes: Math.ceil(text.length / 4) });
    expect(parsed).toBe(1);
    read(text, { parse, chunkBytes: 1, sliceBytes: Math.floor(text.length / 4) - 1 });
    expect(parsed).toBeGreaterThan(3);
  });

  describe("with a lease", () => {
    const limits = { values: 1e6, depth: 64, isPassedByCorrectNodes: false };

    /** Returns the reader with the growth of its lease, without growth by nothing. */
    function lend(text: string | Buffer, chunkBytes: number) {
      const grown: (readonly [bytes: number, values: number])[] = [];
      const lease = {
        grow: (bytes: number, values: number) => void (bytes !== 0 || values !== 0 ? grown.push([bytes, values]) : 0),
      };
      const reader = new SlicedJsonReader(JSON.parse, limits, lease);
      const bytes = Buffer.from(text);
      for (let start = 0; start < bytes.length; start += chunkBytes)
        reader.push(bytes.subarray(start, start + chunkBytes));
      return { reader, grown, total: grown.reduce((sum, [growth]) => sum + growth, 0) };
    }

    it("counts its buffer with what that is decoded to, and its values", () => {
      expect(lend('{"a":[1,2],"b":[3]}', 5).grown).toEqual([
        [65_536, 0],
        [0, 1],
        [0, 2],
        [0, 1],
        [0, 1],
      ]);
      // One string fills the buffer, which is doubled each time, and is counted twice when it is decoded.
      expect(lend(`"${"a".repeat(200_000)}"`, 10_000).grown).toEqual([
        [65_536, 0],
        [65_536, 0],
        [131_072, 0],
        [262_144, 0],
        [400_000, 0],
      ]);
      // A chunk that is longer than twice the buffer gets as much as it needs.
      expect(lend(`"${"a".repeat(99_998)}"`, 100_000).grown).toEqual([
        [65_536, 0],
        [200_000 - 65_536, 0],
      ]);
    });

    it("makes space by what it has parsed, which it counts twice", () => {
      const list = JSON.stringify(Array(20_000).fill("a value of ordinary length"));
      const { reader, total } = lend(list, 10_000);
      expect(reader.end()).toEqual(JSON.parse(list));
      // Four slices are buffered at first, and the buffer stays as it is, however long the list becomes.
      const parsed = total - 8 * 32_768;
      expect(parsed).toBeLessThanOrEqual(2 * list.length);
      expect(parsed).toBeGreaterThan(2 * (list.length - 20_001 - 10_000));
    });

    it("counts a long string twice as much from where a character may take two bytes", () => {
      const long = "a".repeat(1_000_000);
      const total = (text: string) => lend(text, 10_000).total;
      // The buffer contains a plain string, and 128 KiB of another one.
      const buffer = 2 * 262_144;
      const wide = total(`["${"\\u20ac".repeat(200_000)}"]`);
      expect(wide).toBeGreaterThanOrEqual(4 * 1_200_000);
      expect(wide).toBeLessThanOrEqual(4 * 1_200_000 + buffer);
      expect(total(`["${"\\n".repeat(600_000)}"]`)).toBeLessThanOrEqual(2 * 1_200_000 + buffer);
      // The part before it, too.
      expect(total(`["${long}é"]`) - total(`["${long}a"]`)).toBeGreaterThanOrEqual(2 * 1_000_000);
      expect(total(`["${"\\n".repeat(600_000)}é"]`)).toBeGreaterThanOrEqual(4 * 1_200_000);
    });

    it("gives back the space of a long string that has been decoded", () => {
      const text = `["${"a".repeat(10_000_000)}","b"]`;
      const { grown, reader, total } = lend(text, 65_536);
      expect(total - 20_000_000).toBeLessThanOrEqual(2 * 1_048_576 + 10);
      expect(grown.some(([bytes]) => bytes < -8_000_000)).toBe(true);
      expect(reader.end()).toEqual(JSON.parse(text));
    });

    it("counts slices twice as much where a character may take two bytes", () => {
      const list = (string: string) => lend(JSON.stringify(Array(20_000).fill(string)), 10_000).total - 8 * 32_768;
      const plain = list("a value of ordinary len.th");
      // Once as many bytes, or one more for each string.
      expect(list("a value of ordinary len\u00e9h")).toBeGreaterThanOrEqual(2 * plain);
      const escaped = lend(`[${'"a value of ordin\\u20acth",'.repeat(20_000)}1]`, 10_000).total - 8 * 32_768;
      expect(escaped).toBeGreaterThan(1.8 * plain);
    });

    it("holds at most the bytes that it counts, and frees those that it has not parsed when it is closed", () => {
      const chunk = Buffer.from("a".repeat(65_536));
      let counted = 0;
      const lease = {
        grow(bytes: number) {
          counted += bytes;
        },
      };
      const resize = vi.spyOn(ArrayBuffer.prototype, "resize");
      const reader = new SlicedJsonReader(JSON.parse, limits, lease);
      const taken = () => (resize.mock.contexts.at(-1) as ArrayBuffer | undefined)?.byteLength ?? 0;
      reader.push(Buffer.from('{"result":"'));
      for (let pushed = 0; pushed < 20_000_000; pushed += chunk.length) {
        reader.push(chunk);
        expect(2 * taken()).toBeLessThanOrEqual(counted);
      }
      // One buffer, which has grown where it is.
      expect(new Set(resize.mock.contexts).size).toBe(1);
      expect([taken() > 20_000_000, counted < 43_000_000]).toEqual([true, true]);
      reader.close();
      expect(taken()).toBe(0);
      resize.mockRestore();
    });
  });

  it("gives long strings with escapes and characters beyond ASCII, whether they come at once or are cut anywhere", () => {
    const pieces = ["\\u0000", "\\n", "\\\\", '\\"', "\\\\\\\\", "\\ud83d\\ude00", "\\ud83d", "é", "€", "😀", "ab"];
    const string = fc
      .tuple(fc.constantFrom(0, 131_060, 200_000), fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 9 }))
      .map(
        ([plain, parts]) =>
          `"${"a".repeat(plain)}${parts.join("").repeat(Math.ceil(150_000 / parts.join("").length))}"`,
      );
    const text = fc.oneof(
      string,
      fc.tuple(string, string).map(([one, other]) => `{"a":[${one},1],"b":${other},"c":{}}`),
    );
    const chunkBytes = fc.integer({ min: 5_000, max: 70_000 });
    fc.assert(
      fc.property(text, chunkBytes, (given, cut) => {
        const expected = JSON.stringify(JSON.parse(given));
        for (const length of [cut, given.length * 3])
          expect(JSON.stringify(read(given, { chunkBytes: length, sliceBytes: 16_384 })) === expected).toBe(true);
      }),
      { numRuns: 60 },
    );
    // Every place where a piece may end.
    for (let shift = 0; shift < 12; shift += 1) {
      const given = `["${"a".repeat(140_000 + shift)}${"\\\\\\u00e9€😀".repeat(3_000)}"]`;
      expect(read(given, { chunkBytes: 20_000, sliceBytes: 1_000 })).toEqual(JSON.parse(given));
    }
  });

  it("decodes bytes that are no UTF-8 in a long string as they are decoded in a short one", () => {
    const limits = { values: 1e6, depth: 64, isPassedByCorrectNodes: false };
    const invalid = [[0x80], [0xe2, 0x82], [0xf0, 0x9f, 0x98], [0xf0, 0x9f, 0x98, 0x80, 0x80], [0xff], [0xc0, 0x80]];
    for (const bytes of invalid) {
      const spelled = Buffer.concat([
        Buffer.from('["'),
        ...Array<Buffer>(40_000).fill(Buffer.from([0x61, ...bytes, 0x80])),
        Buffer.from('"]'),
      ]);
      const expected: unknown = JSON.parse(spelled.toString("utf8"));
      const reader = new SlicedJsonReader(JSON.parse, limits, { grow: () => undefined });
      for (let start = 0; start < spelled.length; start += 20_001) reader.push(spelled.subarray(start, start + 20_001));
      expect(JSON.stringify(reader.end()) === JSON.stringify(expected)).toBe(true);
    }
  });

  it("gives long strings wherever they are, however they are cut", () => {
    const lengths = [131_000, 131_071, 131_072, 131_073, 190_000];
    const string = fc
      .constantFrom(...lengths, 3, 20_000)
      .map((length) => "0123456789abcdef/".repeat(12_000).slice(-length));
    const value = fc.oneof(
      fc.array(string, { maxLength: 4 }),
      fc.dictionary(fc.constantFrom("a", "b", "__proto__"), string),
      fc.array(fc.tuple(fc.record({ id: fc.nat(), list: fc.tuple(string, string) }), string), { maxLength: 3 }),
      string,
    );
    fc.assert(
      fc.property(
        value,
        fc.constantFrom("", " "),
        fc.integer({ min: 1_000, max: 200_000 }),
        (given, space, chunkBytes) => {
          const text = JSON.stringify(given, null, space);
          expect(JSON.stringify(read(text, { chunkBytes, sliceBytes: 16_384 }))).toBe(JSON.stringify(JSON.parse(text)));
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each([
    ["a line break", `["${"a".repeat(300_000)}\n"]`, SyntaxError],
    ["a name", `{"a":{"${"a".repeat(150_000)}`, new ExcessiveStructure("Too long a name")],
    ["a string behind a member", `{"a":{"b":[[1]]"${"a".repeat(150_000)}`, SyntaxError],
    ["white space", `[1,${" ".repeat(80_000)}`, new ExcessiveStructure("Too long a number or white space")],
    ["white space before the value", " \n".repeat(40_000), new ExcessiveStructure("Too long a number or white space")],
    ["digits", `{"a":-1.5e${"1".repeat(80_000)}`, new ExcessiveStructure("Too long a number or white space")],
    ["other text", "Bad gateway. ".repeat(8_000), new SyntaxError("Neither a number nor white space")],
  ])("refuses %s before it has come whole", (_what, text, error) => {
    expect(() => read(text, { chunkBytes: 10_000, sliceBytes: 16_384 })).toThrow(error);
  });

  describe("takes what is as long as it may be, and not one byte more:", () => {
    const longGap = new ExcessiveStructure("Too long a number or white space");

    /** Returns the value of the chunks, read in slices of the ordinary size. */
    function readChunks(...chunks: readonly string[]): unknown {
      const limits = { values: 1e6, depth: 64, isPassedByCorrectNodes: false };
      const reader = new SlicedJsonReader(JSON.parse, limits, { grow: () => undefined });
      try {
        for (const chunk of chunks) reader.push(Buffer.from(chunk));
        return reader.end();
      } finally {
        reader.close();
      }
    }

    it.each<[what: string, before: string, byte: string, after: string, value: unknown]>([
      ["white space between two members", '["a"', " ", ",2]", ["a", 2]],
      ["white space before the value", "", "\n", "[]", []],
      ["white space before a member's name", '{"a":1,', "\t", '"b":2}', { a: 1, b: 2 }],
      ["a number", "[1,", "1", "]", [1, Infinity]],
    ])("%s of 64 KiB that has not ended", (_what, before, byte, after, value) => {
      expect(readChunks(before + byte.repeat(65_536), after)).toEqual(value);
      expect(() => readChunks(before + byte.repeat(65_537))).toThrow(longGap);
      // The number of chunks does not matter.
      const half = byte.repeat(32_768);
      expect(readChunks(before, half, half, after)).toEqual(value);
      expect(() => readChunks(before, half, half, byte)).toThrow(longGap);
    });

    it.each([7, 50_000, 1_000_000])("the same where it has ended, in chunks of %i bytes", (chunkBytes) => {
      const cut = (text: string): readonly string[] =>
        Array.from({ length: Math.ceil(text.length / chunkBytes) }, (_, index) =>
          text.slice(index * chunkBytes, (index + 1) * chunkBytes),
        );
      const list = (space: number): string => `["a"${" ".repeat(space)},"b"]`;
      expect(readChunks(...cut(list(65_536)))).toEqual(["a", "b"]);
      expect(() => readChunks(...cut(list(65_537)))).toThrow(longGap);
      // A string after too many values compensates for none of them.
      const dense = (values: number): string => `[${"1,".repeat(values)}"${"a".repeat(100_000)}"]`;
      expect(readChunks(...cut(dense(19_000)))).toHaveLength(19_001);
      const tooDense = new ExcessiveStructure("Too many values for the length");
      expect(() => readChunks(...cut(dense(20_000)))).toThrow(tooDense);
    });

    it.each([
      ["", "[", '"a"]'],
      ['["a"', "]", ""],
      ["", "{", '"a":"b"}'],
      ['{"a":"b"', "}", ""],
      ['["a"', ",", '"b"]'],
      ['["a', '"', ',"b"]'],
      ["[", '"', 'a"]'],
    ])("white space of 64 KiB on both sides of what is between %j, %j and %j", (before, punctuation, after) => {
      const space = " ".repeat(65_536);
      const chunks = [before + space, punctuation + space, after] as const;
      expect(readChunks(...chunks)).toEqual(JSON.parse(chunks.join("")));
    });

    it("a name of 128 KiB, in one chunk or several", () => {
      const name = "a".repeat(131_070);
      expect(readChunks(`{"${name}a`, 'a":1}')).toEqual({ [`${name}aa`]: 1 });
      expect(readChunks(`{"${name}aa`, '":1}')).toEqual({ [`${name}aa`]: 1 });
      const tooLong = new ExcessiveStructure("Too long a name");
      expect(() => readChunks(`{"${name}aaa`)).toThrow(tooLong);
      expect(() => readChunks(`{"${name}aaa":1}`)).toThrow(tooLong);
      expect(() => readChunks(`[{"${name}`, 'aaa"', " :1}")).toThrow(tooLong);
    });

    it("a long string of each character of ASCII that needs no escape", () => {
      const plain = Array.from({ length: 0x80 - 0x20 }, (_, index) => String.fromCharCode(0x20 + index))
        .filter((character) => character !== '"' && character !== "\\")
        .join("");
      expect(plain).toHaveLength(94);
      const text = plain.repeat(2_000);
      expect(readChunks('["', text, `${plain}"]`)).toEqual([text + plain]);
      expect(() => readChunks('["', text, "\u001f", '"]')).toThrow(SyntaxError);
    });

    it("a string of 24 MiB, in as large chunks as are taken at once", () => {
      const longest = "0123456789abcdef".repeat(24 * 65_536);
      const tooLong = new ExcessiveStructure("Too long a string or number");
      const value = readChunks('{"a":["', longest, '"]}') as { readonly a: readonly string[] };
      expect(value.a[0] === longest).toBe(true);
      expect(() => readChunks('{"a":["', longest, "a")).toThrow(tooLong);
      expect(() => readChunks('{"a":["', longest, 'a"]}')).toThrow(tooLong);
    });
  });

  it("takes white space behind a list that was parsed in slices while its buffer was moved, for no further element", () => {
    const long = JSON.stringify(Array(5_000).fill("a value"));
    const space = " ".repeat(60_000);
    const limits = { values: 1e6, depth: 64, isPassedByCorrectNodes: false };
    const texts = ["", "1,", `${long},1,`, `${long},${long},`, `1,${"[1],".repeat(6_000)}`].flatMap((before) =>
      [long, `[${long}]`, `{"a":${long}}`].flatMap((inner) => [
        // The bracket that ends the list moves to the beginning of the buffer.
        [`[${before}[${inner}`, `]${space}`, "]"],
        [`[${before}[${inner.slice(0, -2)}`, `${inner.slice(-2)}]${space}`, "]"],
        [`[${before}[${inner}]`, `${space},${long}${space}`, "]"],
      ]),
    );
    for (const parts of texts)
      for (const chunkBytes of [20_000, 33_000, 64_000]) {
        const reader = new SlicedJsonReader(JSON.parse, limits, { grow: () => undefined });
        for (const part of parts)
          for (let start = 0; start < part.length; start += chunkBytes)
            reader.push(Buffer.from(part.slice(start, start + chunkBytes)));
        expect(reader.end()).toEqual(JSON.parse(parts.join("")));
      }
  });

  it("parses all but a slice of what has come, at once where nothing more comes", () => {
    const lengths: number[] = [];
    const parse = (text: string): unknown => {
      lengths.push(text.length);
      return JSON.parse(text);
    };
    const limits = { values: 1e6, depth: 64, isPassedByCorrectNodes: false };
    const reader = new SlicedJsonReader(parse, limits, { grow: () => undefined }, 100);
    // A member before it, two levels of nesting and most of a list.
    reader.push(Buffer.from(`[1,[[${"2,".repeat(1_000)}2`));
    const before = lengths.splice(0);
    expect(Math.max(...before)).toBe(2_000 - 1 + 2);
    reader.push(Buffer.from("]]]"));
    expect(Math.max(...lengths)).toBeLessThanOrEqual(100);
    expect(reader.end()).toEqual([1, [Array(1_001).fill(2)]]);
  });

  it("says of which limits correct nodes may pass: those of values, members and strings, where the result grows with the call", () => {
    const members = JSON.stringify(
      Object.fromEntries(Array.from({ length: 100_001 }, (_, index) => [`n${index}`, ""])),
    );
    const manyValues = JSON.stringify(Array(1_000).fill("a value of ordinary length"));
    const refusalOf = (text: string, reading: Reading): unknown => outcomeOf(() => read(text, reading));
    const longString = `["${"a".repeat(25 << 20)}"]`;
    for (const isPassedByCorrectNodes of [true, false]) {
      const reading = { chunkBytes: 65_536, sliceBytes: 16_384, isPassedByCorrectNodes };
      expect(refusalOf(members, reading)).toMatchObject({ isPassedByCorrectNodes });
      expect(refusalOf(manyValues, { ...reading, values: 900 })).toMatchObject({ isPassedByCorrectNodes });
      expect(refusalOf(longString, { ...reading, chunkBytes: 1 << 20 })).toMatchObject({ isPassedByCorrectNodes });
      // Also for results that clients shape.
      for (const isShapedByClients of [true, false]) {
        const expected = { isPassedByCorrectNodes: isShapedByClients };
        const shaped = { ...reading, isShapedByClients };
        expect(refusalOf(`[${"{},".repeat(30_000)}`, shaped)).toMatchObject(expected);
        expect(refusalOf("[".repeat(65), shaped)).toMatchObject(expected);
        expect(refusalOf(`{"${"a".repeat(150_000)}`, shaped)).toMatchObject(expected);
      }
    }
  });
});
