import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Decoding, ParameterFacts, ParameterStyle } from "../operations/operation.ts";
import { createParametersReader, type RawParameters } from "./read-parameters.ts";
import { isWireError } from "./wire-error.ts";
import { type WrittenParameters, writeParameters } from "./write-parameters.ts";

type Location = Exclude<ParameterFacts["location"], "argument">;

function parameter(location: Location, changes: Partial<ParameterFacts> = {}): ParameterFacts {
  return { name: "p", property: "p", location, required: true, ...changes };
}

function write(facts: ParameterFacts, value: unknown): WrittenParameters {
  return writeParameters(facts.location === "path" ? `/x/{${facts.name}}` : "/x", [facts], { [facts.property]: value });
}

/** Returns the parts that a server reads from a written request. */
function rawOf(facts: ParameterFacts, { path, query, headers }: WrittenParameters): RawParameters {
  return { path: facts.location === "path" ? { [facts.name]: path.slice("/x/".length) } : {}, query, headers };
}

function exchange(facts: ParameterFacts, value: unknown): unknown {
  return createParametersReader([facts])(rawOf(facts, write(facts, value)))[facts.property];
}

function read(facts: ParameterFacts, places: Partial<RawParameters>): unknown {
  return createParametersReader([facts])({ path: {}, query: "", headers: {}, ...places })[facts.property];
}

/** Returns the part of a written request at its location. */
function spelled(facts: ParameterFacts, value: unknown): string | undefined {
  const { path, query, headers } = write(facts, value);
  if (facts.location === "path") return path.slice("/x/".length);
  return facts.location === "query" || facts.location === "querystring"
    ? query
    : headers[facts.location === "cookie" ? "cookie" : facts.name];
}

const styles: readonly (readonly [Location, ParameterStyle, boolean])[] = [
  ["path", "simple", false],
  ["path", "simple", true],
  ["path", "label", false],
  ["path", "label", true],
  ["path", "matrix", false],
  ["path", "matrix", true],
  ["query", "form", false],
  ["query", "form", true],
  ["query", "spaceDelimited", false],
  ["query", "pipeDelimited", false],
  ["query", "deepObject", true],
  ["header", "simple", false],
  ["header", "simple", true],
  ["cookie", "form", false],
  ["cookie", "form", true],
  ["cookie", "cookie", true],
];

/** Returns strings that a style can represent: all of them where they are percent-encoded. */
function textsFor(location: Location, style: ParameterStyle): fc.Arbitrary<string> {
  if (location === "header")
    return fc.stringMatching(/^[!-+\--~][ -+\--~]*[!-+\--<>-~]$/).filter((text) => !/[=]/.test(text));
  if (style === "cookie") return fc.stringMatching(/^[!-+\--:<-~]{1,9}$/).filter((text) => !text.includes("="));
  const texts = fc
    .string({ unit: "grapheme", minLength: 1 })
    .filter((text) => text.isWellFormed() && !/^\.{1,2}$/.test(text));
  if (style === "spaceDelimited") return texts.filter((text) => !text.includes(" "));
  return style === "pipeDelimited" ? texts.filter((text) => !text.includes("|")) : texts;
}

describe("a parameter", () => {
  it.each(styles)("in %s, style %s, explode %s: a text is read as it was written", (location, style, explode) => {
    const facts = parameter(location, { style, explode });
    fc.assert(
      fc.property(textsFor(location, style), (text) => {
        expect(exchange(facts, text)).toBe(text);
      }),
    );
  });

  it.each(styles)("in %s, style %s, explode %s: a list is read as it was written", (location, style, explode) => {
    const texts = parameter(location, { style, explode, decoding: { list: "string" } });
    const numbers = parameter(location, { style, explode, decoding: { list: "number" } });
    fc.assert(
      fc.property(fc.array(textsFor(location, style), { minLength: 1 }), (values) => {
        expect(exchange(texts, values)).toEqual(values);
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }), (values) => {
        expect(exchange(numbers, values)).toEqual(values.map((value) => value + 0));
      }),
    );
  });

  it.each(styles)("in %s, style %s, explode %s: an object is read as it was written", (location, style, explode) => {
    const record: Record<string, Decoding> = { a: "integer", b: "boolean", c: "string", d: { list: "integer" } };
    const facts = parameter(location, { style, explode, decoding: { record } });
    const value = fc.record(
      { a: fc.integer(), b: fc.boolean(), c: textsFor(location, style) },
      { requiredKeys: ["b"] },
    );
    fc.assert(
      fc.property(value, (sent) => {
        expect(exchange(facts, sent)).toEqual(sent);
      }),
    );
  });

  it.each([
    ["query", "form", true],
    ["query", "deepObject", true],
    ["path", "matrix", false],
  ] as const)("in %s, style %s, explode %s: names of an open object may be any", (location, style, explode) => {
    const facts = parameter(location, { style, explode, decoding: { record: {}, additional: "string" } });
    const name = fc
      .string({ minLength: 1 })
      .filter((text) => text.isWellFormed() && !/[[\]]/.test(text) && text !== "p");
    const value = fc.dictionary(
      name,
      fc.string().filter((text) => text.isWellFormed()),
      { minKeys: 1 },
    );
    fc.assert(
      fc.property(value, (sent) => {
        const received = exchange(facts, sent) as Readonly<Record<string, unknown>>;
        expect(Object.entries(received).toSorted()).toEqual(Object.entries(sent).toSorted());
      }),
    );
  });

  it("in style deepObject carries objects and lists inside", () => {
    const leaf: Decoding = { record: { n: "integer", t: "string" }, additional: "string" };
    const decoding: Decoding = { record: { tree: { list: leaf }, tags: { list: "string" }, one: leaf } };
    const facts = parameter("query", { style: "deepObject", explode: true, decoding });
    const texts = fc.string().filter((text) => text.isWellFormed());
    const leaves = fc.record({ n: fc.integer(), t: texts });
    const value = fc.record({
      tree: fc.array(leaves, { minLength: 1 }),
      tags: fc.array(texts, { minLength: 1 }),
      one: leaves,
    });
    fc.assert(
      fc.property(value, (sent) => {
        expect(exchange(facts, sent)).toEqual(sent);
      }),
    );
  });

  it("with a media type carries a complete document", () => {
    for (const location of ["path", "query", "header", "cookie"] as const) {
      const facts = parameter(location, { mediaType: "application/json" });
      const value = fc.jsonValue().filter((sent) => sent !== null && !/[^ -~]/.test(JSON.stringify(sent)));
      fc.assert(
        fc.property(value, (sent) => {
          expect(exchange(facts, sent)).toEqual(JSON.parse(JSON.stringify(sent)));
        }),
      );
    }
  });

  it("may be the complete query", () => {
    const form = parameter("querystring", {
      mediaType: "application/x-www-form-urlencoded",
      decoding: { record: { p: "integer", q: { list: "string" } } },
    });
    expect(spelled(form, { p: 1, q: ["a b", "c&d"] })).toBe("p=1&q=a%20b&q=c%26d");
    expect(exchange(form, { p: 1, q: ["a b", "c&d"] })).toEqual({ p: 1, q: ["a b", "c&d"] });
    const any = parameter("querystring", { mediaType: "application/x-www-form-urlencoded" });
    expect(read(any, { query: "a=1&b=x+y" })).toEqual({ a: "1", b: "x y" });
    const json = parameter("querystring", { mediaType: "application/json" });
    expect(spelled(json, { a: 1 })).toBe("%7B%22a%22%3A1%7D");
    expect(exchange(json, { a: 1 })).toEqual({ a: 1 });
  });

  // The table of OpenAPI 3.1.1, section 4.8.12.4, for `color`.
  const list = ["blue", "black", "brown"];
  const record = { R: 100, G: 200, B: 150 };
  it.each([
    ["path", "matrix", false, "", ";color"],
    ["path", "matrix", false, "blue", ";color=blue"],
    ["path", "matrix", false, list, ";color=blue,black,brown"],
    ["path", "matrix", false, record, ";color=R,100,G,200,B,150"],
    ["path", "matrix", true, list, ";color=blue;color=black;color=brown"],
    ["path", "matrix", true, record, ";R=100;G=200;B=150"],
    ["path", "label", false, "blue", ".blue"],
    ["path", "label", false, list, ".blue,black,brown"],
    ["path", "label", false, record, ".R,100,G,200,B,150"],
    ["path", "label", true, list, ".blue.black.brown"],
    ["path", "label", true, record, ".R=100.G=200.B=150"],
    ["path", "simple", false, list, "blue,black,brown"],
    ["path", "simple", false, record, "R,100,G,200,B,150"],
    ["path", "simple", true, record, "R=100,G=200,B=150"],
    ["query", "form", false, "", "color="],
    ["query", "form", false, list, "color=blue,black,brown"],
    ["query", "form", false, record, "color=R,100,G,200,B,150"],
    ["query", "form", true, list, "color=blue&color=black&color=brown"],
    ["query", "form", true, record, "R=100&G=200&B=150"],
    ["query", "spaceDelimited", false, list, "color=blue%20black%20brown"],
    ["query", "spaceDelimited", false, record, "color=R%20100%20G%20200%20B%20150"],
    ["query", "pipeDelimited", false, list, "color=blue%7Cblack%7Cbrown"],
    ["query", "deepObject", true, record, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"],
    ["cookie", "cookie", true, list, "color=blue; color=black; color=brown"],
    ["header", "simple", true, record, "R=100,G=200,B=150"],
  ] as const)("in %s, style %s, explode %s writes %j as %s", (location, style, explode, value, text) => {
    const facts = parameter(location, { name: "color", style, explode });
    expect(spelled(facts, value)).toBe(text);
  });

  it("is percent-encoded but for what RFC 3986 calls unreserved", () => {
    const text = "aZ0-._~ !\"#$%&'()*+,/:;<=>?@[\\]^`{|}é\u{1F600}";
    const encoded =
      "aZ0-._~%20%21%22%23%24%25%26%27%28%29%2A%2B%2C%2F%3A%3B%3C%3D%3E%3F%40%5B%5C%5D%5E%60%7B%7C%7D%C3%A9%F0%9F%98%80";
    expect(spelled(parameter("query"), text)).toBe(`p=${encoded}`);
    expect(spelled(parameter("path"), text)).toBe(encoded);
    expect(spelled(parameter("query"), "\ud800")).toBe("p=%EF%BF%BD");
  });

  it("lets reserved characters and triplets stand where they may, but those that would end it", () => {
    const facts = parameter("query", { allowReserved: true });
    expect(spelled(facts, "/a?b=c:d@e!$'()*,;%20%")).toBe("p=/a?b=c:d@e!$'()*,;%20%25");
    expect(spelled(facts, "#[]&+ é")).toBe("p=%23%5B%5D%26%2B%20%C3%A9");
    const texts = fc.string({ unit: "grapheme" }).filter((text) => text.isWellFormed() && !/%[0-9a-f]{2}/i.test(text));
    fc.assert(
      fc.property(texts, (text) => {
        expect(exchange(facts, text)).toBe(text);
      }),
    );
    expect(spelled(parameter("path", { allowReserved: true }), "a/b?c:d")).toBe("a%2Fb%3Fc:d");
  });

  it("that is undefined, null or an empty exploded list is not there", () => {
    for (const value of [undefined, null, []]) expect(spelled(parameter("query"), value)).toBe("");
    expect(exchange(parameter("query", { explode: false, decoding: { list: "integer" } }), [])).toEqual([]);
    expect(spelled(parameter("query", { explode: false }), [1, null, 2])).toBe("p=1,2");
    for (const location of ["path", "query", "querystring", "header", "cookie"] as const) {
      for (const decoding of ["string", "number", { list: "string" }, { record: { a: "string" } }] as const) {
        expect(read(parameter(location, { decoding }), {})).toBeUndefined();
      }
    }
    expect(read(parameter("query", { default: 5 }), {})).toBe(5);
  });

  it.each([
    ["number", "12", 12],
    ["number", "-1.5e3", -1500],
    ["number", "1e999", "1e999"],
    ["number", "01", "01"],
    ["number", "1.", "1."],
    ["number", "1x", "1x"],
    ["number", "", ""],
    ["number", " 1", " 1"],
    ["number", "0x10", "0x10"],
    ["number", "Infinity", "Infinity"],
    ["integer", "12", 12],
    ["integer", "-0", -0],
    ["integer", "1e0", "1e0"],
    ["integer", "1.0", "1.0"],
    ["integer", " 1", " 1"],
    ["integer", "+1", "+1"],
    ["bigint", "18446744073709551615", 18_446_744_073_709_551_615n],
    ["bigint", "5", 5],
    ["bigint", "1.5", "1.5"],
    ["boolean", "true", true],
    ["boolean", "1", "1"],
    ["scalar", "1", 1],
    ["scalar", "false", false],
    ["scalar", "latest", "latest"],
  ] as const)("of kind %s reads %j", (decoding, text, value) => {
    expect(read(parameter("query", { decoding }), { query: `p=${encodeURIComponent(text)}` })).toEqual(value);
  });

  it("that is repeated where one value is meant is a list, for the validator to refuse", () => {
    expect(read(parameter("query", { decoding: "number" }), { query: "p=1&p=2" })).toEqual(["1", "2"]);
  });

  it("takes lists as others write them", () => {
    const facts = parameter("query", { style: "deepObject", explode: true, decoding: { list: "string" } });
    for (const query of ["p[0]=a&p[1]=b", "p[]=a&p[]=b", "p%5B1%5D=b&p%5B0%5D=a", "p=a&p=b", "p[7]=a&p[999999999]=b"]) {
      expect(read(facts, { query })).toEqual(["a", "b"]);
    }
    expect(read(parameter("query", { decoding: { list: "string" } }), { query: "p[]=a&p[]=b" })).toEqual(["a", "b"]);
    const records = parameter("query", {
      style: "deepObject",
      decoding: { list: { record: { x: "integer", y: "integer" } } },
    });
    expect(read(records, { query: "p[][x]=1&p[][y]=2&p[][x]=3" })).toEqual([{ x: 1, y: 2 }, { x: 3 }]);
    expect(read(parameter("query", { explode: false, decoding: { list: "integer" } }), { query: "p=1%2C2" })).toEqual([
      1, 2,
    ]);
  });

  it("that may be an object or a list is the list where its name is sent", () => {
    const facts = parameter("query", { decoding: { record: { a: "string" }, list: "string" } });
    expect(read(facts, { query: "p=1&p=2" })).toEqual(["1", "2"]);
    expect(read(facts, { query: "a=1" })).toEqual({ a: "1" });
    const one = parameter("query", { explode: false, decoding: { record: {}, scalar: "integer" } });
    expect(read(one, { query: "p=1&p=x" })).toEqual(["1", "x"]);
  });

  it("has a plus sign where reserved characters stand as they are, else a space", () => {
    expect(read(parameter("query", { allowReserved: true }), { query: "p=a+b%20c" })).toBe("a+b c");
    expect(read(parameter("query"), { query: "p=a+b%20c" })).toBe("a b c");
  });

  it("in a header has commas where it is one value", () => {
    expect(spelled(parameter("header"), "a,b")).toBe("a,b");
  });

  it("may have brackets in its own name", () => {
    const facts = parameter("query", { name: "page[size]", property: "size", decoding: "integer" });
    expect(exchange(facts, 5)).toBe(5);
  });

  it("may be called as what every object has", () => {
    for (const location of ["query", "header", "cookie"] as const) {
      const facts = parameter(location, { name: "constructor", property: "constructor", required: false });
      expect(spelled(facts, "1")).toBe(location === "header" ? "1" : "constructor=1");
      expect(exchange(facts, "1")).toBe("1");
      expect(writeParameters("/x", [facts], {})).toEqual({ path: "/x", query: "", headers: {} });
      expect(createParametersReader([facts])({ path: {}, query: "", headers: {} })).toEqual({});
    }
  });

  it("that is a large integer has no exponent", () => {
    expect(exchange(parameter("query", { decoding: "integer" }), 1e25)).toBe(1e25);
  });

  it("that is an object may have a member of its own name", () => {
    for (const decoding of [{ record: { p: "integer" } }, { record: {}, additional: "integer" }] as const) {
      expect(exchange(parameter("query", { decoding }), { p: 1 })).toEqual({ p: 1 });
    }
  });

  it("in a cookie stands as it is where reserved characters may", () => {
    const facts = parameter("cookie", { allowReserved: true });
    expect(spelled(facts, "a/b,c%20=d")).toBe("p=a/b,c%20=d");
    expect(exchange(facts, "a/b,c%20=d")).toBe("a/b,c%20=d");
  });

  it("that is an object of any names leaves those of other parameters alone", () => {
    const facts = parameter("query", { decoding: { record: {} } });
    const other = parameter("query", { name: "other", property: "other" });
    const reader = createParametersReader([facts, other]);
    expect(reader({ path: {}, query: "a=1&other=2", headers: {} })).toEqual({ p: { a: "1" }, other: "2" });
  });

  it("makes no prototypes of names", () => {
    const facts = parameter("query", { style: "deepObject", decoding: { record: {}, additional: { record: {} } } });
    const value = read(facts, { query: "p[__proto__][polluted]=1&p[constructor][prototype][polluted]=1" });
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value as object)).toEqual(["__proto__", "constructor"]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("is refused when it is nested too deep, has too many pairs, or is no percent-encoding", () => {
    const deep = parameter("query", { style: "deepObject", decoding: { record: {} } });
    for (const [facts, query] of [
      [deep, `p${"[a]".repeat(101)}=1`],
      [deep, "p[a=1&p[a]]=1"],
      [deep, "p[a]=1&p[a][b]=1"],
      [parameter("query"), "p=1&".repeat(10_001)],
      [parameter("query"), "p=%zz"],
      [parameter("query"), "p=%ff"],
    ] as const) {
      expect(() => read(facts, { query })).toThrow(expect.toSatisfy(isWireError));
    }
  });

  it("is not written where it would be read as something else", () => {
    for (const [facts, value] of [
      [parameter("path"), ""],
      [parameter("path"), undefined],
      [parameter("path"), null],
      [parameter("path"), ".."],
      [parameter("path", { style: "simple" }), []],
      [parameter("header"), "a\r\nb: c"],
      [parameter("header"), "\u{1F600}"],
      [parameter("header"), ["a,b"]],
      [parameter("cookie", { style: "cookie" }), "a;b"],
      [parameter("cookie", { style: "cookie", explode: false }), ["a,b"]],
      [parameter("query", { style: "spaceDelimited", explode: false }), ["a b"]],
      [parameter("query", { style: "pipeDelimited", explode: false }), ["a|b"]],
      [parameter("query", { style: "deepObject" }), { "a]": 1 }],
    ] as const) {
      expect(() => write(facts, value)).toThrow(RangeError);
    }
    const step = [parameter("path", { name: "a", property: "a" }), parameter("path", { name: "b", property: "b" })];
    expect(() => writeParameters("/x/{a}{b}", step, { a: ".", b: "." })).toThrow(RangeError);
    expect(() => writeParameters("/x/.{a}", step.slice(0, 1), { a: "." })).toThrow(RangeError);
    expect(writeParameters("/{a}", step.slice(0, 1), { a: "{b}$&" }).path).toBe("/%7Bb%7D%24%26");
  });
});
