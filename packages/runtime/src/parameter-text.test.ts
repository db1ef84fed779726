import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ParameterFacts, ParameterStyle } from "./operation.ts";
import { createParameterReader, type RawParameters, writeParameter } from "./parameter-text.ts";

const base: RawParameters = { path: {}, query: {}, headers: {}, cookies: {} };

type Location = "path" | "query" | "header" | "cookie";

function parameter(location: Location, changes: Partial<ParameterFacts>): ParameterFacts {
  return { name: "p", property: "p", location, required: true, ...changes };
}

/** What a server's router would hand on for written pairs. */
function rawOf(location: Location, pairs: readonly (readonly [string, string])[]): RawParameters {
  const values: Record<string, unknown> = {};
  for (const [name, text] of pairs) {
    const before = values[name];
    values[name] = before === undefined ? text : [before, text].flat();
  }
  if (location === "path") return { ...base, path: values as RawParameters["path"] };
  if (location === "query") return { ...base, query: values };
  if (location === "header") return { ...base, headers: values as RawParameters["headers"] };
  return { ...base, cookies: values as RawParameters["cookies"] };
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
  ["header", "simple", false],
  ["header", "simple", true],
  ["cookie", "form", false],
];

describe("a parameter", () => {
  it.each(styles)("in %s, style %s, explode %s: a list is read as it was written", (location, style, explode) => {
    const facts = parameter(location, { style, explode, decoding: { list: "number" } });
    const read = createParameterReader(facts);
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1 }), (values) => {
        expect(read(rawOf(location, writeParameter(facts, values)))).toEqual(values);
      }),
    );
  });

  it.each([...styles, ["query", "deepObject", true] as const])(
    "in %s, style %s, explode %s: an object is read as it was written",
    (location, style, explode) => {
      const facts = parameter(location, {
        style,
        explode,
        decoding: { record: { a: "number", b: "boolean", c: "string" } },
      });
      const read = createParameterReader(facts);
      const words = fc.stringMatching(/^[a-z]{1,8}$/);
      fc.assert(
        fc.property(fc.record({ a: fc.integer(), b: fc.boolean(), c: words }), (value) => {
          expect(read(rawOf(location, writeParameter(facts, value)))).toEqual(value);
        }),
      );
    },
  );

  it("is undefined where it was left out", () => {
    for (const location of ["path", "query", "header", "cookie"] as const) {
      for (const decoding of ["string", "number", { list: "string" }, { record: { a: "string" } }] as const) {
        expect(createParameterReader(parameter(location, { decoding }))(base)).toBeUndefined();
      }
    }
  });

  it.each([
    ["number", "12", 12],
    ["number", "-1.5e3", -1500],
    ["number", "1x", "1x"],
    ["number", "", ""],
    ["number", " 1", " 1"],
    ["number", "0x10", "0x10"],
    ["number", "Infinity", "Infinity"],
    ["bigint", "18446744073709551615", 18_446_744_073_709_551_615n],
    ["bigint", "5", 5],
    ["bigint", "1.5", "1.5"],
    ["boolean", "true", true],
    ["boolean", "1", "1"],
    ["scalar", "1", 1],
    ["scalar", "false", false],
    ["scalar", "latest", "latest"],
  ] as const)("of kind %s reads %j", (decoding, text, value) => {
    const read = createParameterReader(parameter("path", { decoding }));
    expect(read({ ...base, path: { p: text } })).toEqual(value);
  });

  it("that is repeated where one value is meant stays a list, for the validator to refuse", () => {
    const read = createParameterReader(parameter("query", { decoding: "number" }));
    expect(read({ ...base, query: { p: ["1", "2"] } })).toEqual(["1", "2"]);
  });
});
