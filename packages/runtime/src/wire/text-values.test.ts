import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rawJson } from "../json/lossless-json.ts";
import type { Decoding, ParameterFacts, ScalarDecoding } from "../operations/operation.ts";
import { decodeBase64, encodeBase64 } from "./base64.ts";
import { readDelimited, readNested } from "./delimited-text.ts";
import { LineSplitter } from "./line-splitter.ts";
import { createPairs, readCookies, readPairs } from "./pairs.ts";
import { decodeFormText, decodePercent, encodePercent, encodeReserved } from "./percent-encoding.ts";
import { decodeScalar, isScalarValue, scalarText } from "./scalar-text.ts";
import { hasMembers, isStructure, memberDecoding, styleOfParameter } from "./value-style.ts";
import { WireError } from "./wire-error.ts";

describe("a scalar", () => {
  it.each<[ScalarDecoding, string, unknown]>([
    ["string", "5", "5"],
    ["number", "-1.5e3", -1500],
    ["number", "1E+2", 100],
    ["number", "0.5", 0.5],
    ["number", "01", "01"],
    ["number", ".5", ".5"],
    ["number", "1.", "1."],
    ["number", "+1", "+1"],
    ["number", "1e", "1e"],
    ["number", "x1", "x1"],
    ["number", "1x", "1x"],
    ["number", "1e400", "1e400"],
    ["number", "", ""],
    ["integer", "-12", -12],
    ["integer", "1.0", "1.0"],
    ["integer", "1e2", "1e2"],
    ["integer", "-", "-"],
    ["integer", "9".repeat(400), "9".repeat(400)],
    ["bigint", "9007199254740991", 9_007_199_254_740_991],
    ["bigint", "9007199254740992", 9_007_199_254_740_992n],
    ["bigint", "1.5", "1.5"],
    ["bigint", "9".repeat(1000), BigInt("9".repeat(1000))],
    ["bigint", "9".repeat(1001), "9".repeat(1001)],
    ["boolean", "true", true],
    ["boolean", "false", false],
    ["boolean", "TRUE", "TRUE"],
    ["boolean", "1", "1"],
    ["scalar", "1.5", 1.5],
    ["scalar", "false", false],
    ["scalar", "null", "null"],
    ["scalar", "a", "a"],
  ])("of the kind %s is read from %j", (kind, text, value) => {
    expect(decodeScalar(kind, text)).toBe(value);
  });

  it.each<[unknown, string, boolean]>([
    ["a", "a", true],
    [1.5, "1.5", true],
    [1e20, "100000000000000000000", true],
    [1e21, "1000000000000000000000", true],
    [-1e21, "-1000000000000000000000", true],
    [Number.POSITIVE_INFINITY, "Infinity", true],
    [5n, "5", true],
    [false, "false", true],
    [null, "null", true],
    [undefined, "undefined", true],
    [[1, "a"], '[1,"a"]', false],
    [{ a: null }, '{"a":null}', false],
    [rawJson("1.50"), "1.50", true],
  ])("is written as its characters, and anything else as JSON: %o", (value, text, isScalar) => {
    expect(scalarText(value)).toBe(text);
    expect(isScalarValue(value)).toBe(isScalar);
  });
});

describe("percent-encoding", () => {
  it("encodes all but unreserved characters (RFC 3986, section 2.3), and decodes what it encodes", () => {
    expect(encodePercent("aZ09-._~!'()*/ é\u{1f600}")).toBe("aZ09-._~%21%27%28%29%2A%2F%20%C3%A9%F0%9F%98%80");
    expect(encodePercent("\ud800")).toBe("%EF%BF%BD");
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const encoded = encodePercent(text);
        expect(encoded).toMatch(/^(?:[A-Za-z0-9\-._~]|%[0-9A-F]{2})*$/);
        expect(decodePercent(encoded)).toBe(text);
      }),
    );
  });

  it.each([
    ["query", "a/b?c=d:@!$'()*,;%20", "a/b?c=d:@!$'()*,;%20"],
    ["query", "#[]&+ é%zz%", "%23%5B%5D%26%2B%20%C3%A9%25zz%25"],
    ["path", "a&b+c=d:@%2f", "a&b+c=d:@%2f"],
    ["path", "#[]/?", "%23%5B%5D%2F%3F"],
    ["path", "\ud800", "%EF%BF%BD"],
  ] as const)("may leave reserved characters, in a %s: %s", (place, text, encoded) => {
    expect(encodeReserved(text, place)).toBe(encoded);
  });

  it("takes a plus for a space in forms alone", () => {
    expect([decodePercent("a+b%2B"), decodeFormText("a+b+%2B")]).toEqual(["a+b+", "a b +"]);
    expect([decodePercent("a"), decodeFormText("a")]).toEqual(["a", "a"]);
  });

  it.each(["%", "%zz", "a%f", "%ff", "%C3"])("says where a percent sign escapes nothing: %s", (text) => {
    for (const decode of [decodePercent, decodeFormText]) {
      expect(() => decode(text)).toThrow(new WireError("malformed", "A percent sign escapes no character"));
    }
  });
});

describe("Base64", () => {
  it("is that of Node, for bytes of any length", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20, size: "max" }), (bytes) => {
        const text = Buffer.from(bytes).toString("base64");
        expect(encodeBase64(bytes)).toBe(text);
        expect(decodeBase64(text)).toEqual(bytes);
      }),
    );
    const long = new Uint8Array(0x8000 * 2 + 5).map((_, index) => index);
    expect(encodeBase64(long)).toBe(Buffer.from(long).toString("base64"));
  });

  it.each(["A", "AA", "AAA", "AA=", "A===", "AA==A", "-_-_", "AAAA=", "AA==\n", " AAAA", "xAA==", "AA=A"])(
    "is not %j",
    (text) => {
      expect(decodeBase64(text)).toBeUndefined();
    },
  );
});

describe("lines", () => {
  const createSplitter = () => new LineSplitter(/\r\n|\n/g, 5);

  it("are put together from pieces, without their ends", () => {
    const splitter = createSplitter();
    expect(splitter.push("ab\nc")).toEqual(["ab"]);
    expect(splitter.push("d")).toEqual([]);
    expect(splitter.push("e\r\n\nf\n")).toEqual(["cde", "", "f"]);
    expect(splitter.rest()).toBe("");
    splitter.push("rest");
    expect([splitter.rest(), splitter.rest()]).toEqual(["rest", ""]);
  });

  it("are no longer than they may be, however they come", () => {
    expect(createSplitter().push("12345\n12345\n")).toEqual(["12345", "12345"]);
    const tooLong = new WireError("too-large", "A line is longer than 5 characters");
    expect(() => createSplitter().push("123456\n")).toThrow(tooLong);
    expect(() => createSplitter().push("123456")).toThrow(tooLong);
    const splitter = createSplitter();
    splitter.push("\n123");
    splitter.push("45");
    expect(() => splitter.push("6")).toThrow(tooLong);
  });
});

describe("pairs of name and value", () => {
  it("are those of a form, by name and by what stands before a bracket", () => {
    const pairs = readPairs("a=1&&b%5Bx%5D=%20+&a=2=3&c&b[y][z]=&=d&[e]=f");
    expect(pairs.all).toEqual([
      { name: "a", value: "1" },
      { name: "b[x]", value: "%20+" },
      { name: "a", value: "2=3" },
      { name: "c", value: "" },
      { name: "b[y][z]", value: "" },
      { name: "", value: "d" },
      { name: "[e]", value: "f" },
    ]);
    expect(pairs.values("a")).toEqual(["1", "2=3"]);
    expect(pairs.values("b")).toEqual([]);
    expect(pairs.bracketed("b").map(({ name }) => name)).toEqual(["b[x]", "b[y][z]"]);
    expect([pairs.bracketed(""), pairs.bracketed("a")]).toEqual([[], []]);
    expect([pairs.decode("%20+"), pairs.isPercentEncoded]).toEqual(["  ", true]);
  });

  it("are texts as they are unless they are encoded", () => {
    const pairs = createPairs([{ name: "a", value: "%20" }]);
    expect([pairs.decode("%20"), pairs.isPercentEncoded, pairs.values("a")]).toEqual(["%20", false, ["%20"]]);
  });

  it("are no more than may be", () => {
    const limits = { maximumParts: 2 } as Parameters<typeof readPairs>[1];
    expect(readPairs("a&b", limits).all).toHaveLength(2);
    expect(() => readPairs("a&b&c&d", limits)).toThrow(
      new WireError("too-large", "There are more than 2 pairs of name and value"),
    );
  });

  it("are cookies without spaces around (RFC 6265, section 5.4)", () => {
    expect(readCookies("a=1; b = x=y ;c; =d;e=")).toEqual([
      { name: "a", value: "1" },
      { name: "b", value: "x=y" },
      { name: "e", value: "" },
    ]);
    expect(readCookies(undefined)).toEqual([]);
  });
});

describe("a text with pieces", () => {
  const commas = { separator: ",", isPaired: false, decode: decodePercent };
  const pairs = { ...commas, isPaired: true };
  const record: Decoding = { record: { a: "integer", b: "string" } };

  it.each<[string, Decoding, typeof commas, unknown]>([
    ["1%2C2", "string", commas, "1,2"],
    ["5", "integer", commas, 5],
    ["1,2%2C,x", { list: "scalar" }, commas, [1, "2,", "x"]],
    ["", { list: "integer" }, commas, []],
    ["", { list: "integer", scalar: "string" }, commas, ""],
    ["", record, commas, {}],
    ["1", { list: "integer", scalar: "integer" }, commas, 1],
    ["1,2", { list: "integer", scalar: "integer" }, commas, [1, 2]],
    ["a,1,b,2,c", record, commas, { a: 1, b: "2", c: "" }],
    ["a=1,b=2=3,c", record, pairs, { a: 1, b: "2=3", c: "" }],
    ["a", { ...record, scalar: "string" }, commas, "a"],
    ["__proto__,1", { additional: "integer" }, commas, Object.fromEntries([["__proto__", 1]])],
    ["a,b", { scalar: "string" }, commas, "a,b"],
    ["a%2C", {}, commas, "a,"],
  ])("%j is decoded by its type %j", (text, decoding, separation, value) => {
    expect(readDelimited(text, decoding, separation)).toEqual(value);
  });

  it.each<[string, Decoding, unknown]>([
    ["5", "integer", 5],
    ["[1]", "string", "[1]"],
    ["[1]", { list: "string" }, [1]],
    ['{"a":1}', record, { a: 1 }],
    ["{a}", record, "{a}"],
    [" [1]", { list: "string" }, " [1]"],
    ["5", { list: "string", scalar: "integer" }, 5],
    ["5", { list: "string" }, "5"],
  ])("may hold JSON: %j as %j", (text, decoding, value) => {
    expect(readNested(text, decoding)).toEqual(value);
  });
});

describe("the style of a parameter", () => {
  const parameter = (facts: Partial<ParameterFacts>): ParameterFacts => ({
    name: "p",
    property: "q",
    location: "query",
    required: false,
    ...facts,
  });

  it.each<[Partial<ParameterFacts>, object]>([
    [{ location: "path" }, { style: "simple", explode: false, allowReserved: false, decoding: "string" }],
    [{ location: "header" }, { style: "simple", explode: false }],
    [{ location: "query" }, { style: "form", explode: true }],
    [{ location: "cookie" }, { style: "form", explode: true }],
    [
      { location: "cookie", style: "cookie" },
      { style: "cookie", explode: true },
    ],
    [
      { location: "cookie", allowReserved: true },
      { style: "cookie", explode: true, allowReserved: false },
    ],
    [
      { location: "query", allowReserved: true },
      { style: "form", allowReserved: true },
    ],
    [
      { location: "query", style: "deepObject" },
      { style: "deepObject", explode: false },
    ],
    [
      { explode: false, decoding: "integer" },
      { style: "form", explode: false, decoding: "integer" },
    ],
    [
      { location: "path", explode: true },
      { style: "simple", explode: true },
    ],
  ])("is OpenAPI's default unless it has one: %j", (facts, style) => {
    expect(styleOfParameter(parameter(facts))).toMatchObject({ name: "p", ...style });
  });

  it("says whether there are members, and how they are read", () => {
    expect(
      (["string", {}, { list: "string" }, { record: {} }, { additional: "string" }] as const).map(hasMembers),
    ).toEqual([false, false, false, true, true]);
    expect([isStructure("integer"), isStructure({})]).toEqual([false, true]);
    const members = { record: { a: "integer" }, additional: "boolean" } as const;
    expect(["a", "b", "toString"].map((name) => memberDecoding(members, name))).toEqual([
      "integer",
      "boolean",
      "boolean",
    ]);
    expect(memberDecoding({}, "a")).toBe("string");
  });
});
