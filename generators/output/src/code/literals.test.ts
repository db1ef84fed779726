import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderCode } from "./code.ts";
import { dataLiteral, jsonLiteral, numberLiteral, propertyKey, stringLiteral, templateText } from "./literals.ts";

/** Evaluates an expression of literals with JavaScript itself. */
async function evaluate(expression: string): Promise<unknown> {
  const url = `data:text/javascript,${encodeURIComponent(`export default ${expression};`)}`;
  return ((await import(/* @vite-ignore */ url)) as { default: unknown }).default;
}

describe("literals", () => {
  it("have the value they were made of, whatever the text", async () => {
    const texts = fc.sample(fc.string({ unit: "binary", maxLength: 12 }), { seed: 7, numRuns: 300 });
    const awkward = [
      '"',
      "'",
      "\\",
      "`",
      `\${x}`,
      `\\\${x}`,
      "\u2028",
      "\u2029",
      "\0",
      "\ud800",
      "</script>",
      "\u202e",
      "\"'`",
    ];
    const all = [...awkward, ...texts];
    const strings = await evaluate(`[${all.map(stringLiteral).join(",")}]`);
    const templates = await evaluate(`[${all.map((text) => `\`${templateText(text)}\``).join(",")}]`);
    expect(strings).toEqual(all);
    expect(templates).toEqual(all);
  });

  it("hold any JSON value, __proto__ as a member", async () => {
    const values = fc
      .sample(fc.jsonValue(), { seed: 7, numRuns: 100 })
      .map((value) => JSON.parse(JSON.stringify(value)));
    const own = JSON.parse('{"__proto__": 1, "a": {"__proto__": []}}');
    const printed = renderCode(jsonLiteral([...values, own]));
    const read = (await evaluate(printed)) as unknown[];
    expect(JSON.stringify(read)).toBe(JSON.stringify([...values, own]));
  });

  it("show characters that cannot be seen", () => {
    expect(stringLiteral("a\u202eb\u200bc\u0007")).toBe('"a\\u202eb\\u200bc\\u0007"');
  });

  it("take the quotes that need fewer escapes", () => {
    expect([stringLiteral('a"b'), stringLiteral("it's"), stringLiteral(`'"`)]).toEqual([`'a"b'`, `"it's"`, `"'\\""`]);
  });

  it("are the shortest spelling of a number", () => {
    expect([numberLiteral(1e21), numberLiteral(-0), numberLiteral(0.1), numberLiteral(2n ** 64n)]).toEqual([
      "1e21",
      "-0",
      "0.1",
      "18446744073709551616n",
    ]);
    expect(() => numberLiteral(Number.NaN)).toThrow("is not a JSON number");
  });

  it("quote property names that are no plain names", () => {
    expect(["a", "class", "a-b", "1", "", "ü", "日本", "a b"].map(propertyKey)).toEqual([
      "a",
      "class",
      '"a-b"',
      '"1"',
      '""',
      "ü",
      "日本",
      '"a b"',
    ]);
  });
});

describe("data", () => {
  it("has the value that it was made of, members that are undefined left out", async () => {
    const values = fc.sample(fc.jsonValue(), { seed: 11, numRuns: 200 });
    for (const value of values) expect(await evaluate(renderCode(dataLiteral(value)))).toEqual(value);
    expect(renderCode(dataLiteral({ a: undefined, b: 1 }))).toBe("{ b: 1 }");
    expect(renderCode(dataLiteral({ a: 2n ** 64n }))).toBe("{ a: 18446744073709551616n }");
    expect(() => dataLiteral(Symbol.iterator)).toThrow("A symbol is not JSON data");
  });

  it("stands on one line where it fits", () => {
    expect(renderCode(dataLiteral({ kind: "list", element: { kind: "any" } }))).toBe(
      '{ kind: "list", element: { kind: "any" } }',
    );
    expect(renderCode(dataLiteral({ text: "x".repeat(70), other: ["y".repeat(40)] }))).toBe(
      `{\n  text: "${"x".repeat(70)}",\n  other: ["${"y".repeat(40)}"],\n}`,
    );
  });

  it("has several objects or lists of several parts on lines of their own, as the formatter has", () => {
    expect(
      renderCode(
        dataLiteral([
          { a: 1, b: 2 },
          { a: 1, b: 2 },
        ]),
      ),
    ).toBe("[\n  { a: 1, b: 2 },\n  { a: 1, b: 2 },\n]");
    expect(
      renderCode(
        dataLiteral([
          [1, 2],
          [3, 4],
        ]),
      ),
    ).toBe("[\n  [1, 2],\n  [3, 4],\n]");
    expect(renderCode(dataLiteral([{ a: 1 }, { a: 1, b: 2 }]))).toBe("[{ a: 1 }, { a: 1, b: 2 }]");
  });
});
