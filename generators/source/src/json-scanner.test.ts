import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createDiagnosticSink, createReport } from "./diagnostic.ts";
import { readJson } from "./json-scanner.ts";
import { plainValue } from "./plain-value.ts";
import { sourceDiagnostics } from "./source-diagnostics.ts";
import { SourceValue } from "./source-document.ts";
import { createSourceText } from "./source-text.ts";

function read(text: string) {
  const sink = createDiagnosticSink();
  const source = createSourceText("a.json", text);
  const root = readJson(source, createReport("source", sourceDiagnostics, sink));
  return { root, source, diagnostics: sink.diagnostics };
}

describe("readJson", () => {
  it("gives the value that JSON.parse gives", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const { root } = read(text);
        expect(root && plainValue(root)).toEqual(JSON.parse(text));
      }),
    );
  });

  it("gives it whatever the characters, those beyond Latin-1 and broken pairs too", () => {
    const texts = fc.json({ stringUnit: "binary" });
    fc.assert(
      fc.property(texts, fc.constantFrom("", "\u2014", "\xff", "\ud83d", "\u{1f600}"), (text, added) => {
        const both = `[${text}, ${JSON.stringify([added])}, "${added}"]`;
        const { root } = read(both);
        expect(root && plainValue(root)).toEqual(JSON.parse(both));
      }),
    );
  });

  it("names what is wrong by its own character, and knows the place behind wide ones", () => {
    expect(read('{"a": "\u2014", \u2014}').diagnostics).toMatchObject([
      { message: 'Expected a key in double quotes, found "\u2014".', source: { line: 1, column: 12 } },
    ]);
  });

  it("refuses exactly what JSON.parse refuses", () => {
    const mutated = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom("", ",", '"', "}", "]", "\\", "0", "\n", "e"))
      .map(([text, at, put]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + put + text.slice(place + 1);
      });
    fc.assert(
      fc.property(mutated, (text) => {
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        expect(read(text).root !== undefined).toBe(isJson);
      }),
    );
  });

  it("knows the place of each value and key", () => {
    const { root, source } = read('{\n  "a": [1, {"b": null}]\n}');
    if (root === undefined) throw new Error("not read");
    const place = new SourceValue(source, root, "").member("a")?.items[1];
    expect(place?.source).toMatchObject({ line: 2, column: 12, pointer: "/a/1" });
    expect(place?.keySource("b")).toMatchObject({ line: 2, column: 13, pointer: "/a/1/b" });
  });

  it("says where a syntax error is", () => {
    expect(read('{"a": 1,\n  b: 2}').diagnostics).toMatchObject([
      {
        code: "source/json-syntax",
        message: 'Expected a key in double quotes, found "b".',
        source: { line: 2, column: 3 },
      },
    ]);
  });

  it.each([
    ['{\n "a": "1"\n "b": { "t": 1, },\n "c": {,}\n}', ['3:2 found "\\""', '3:17 found "}"', '4:8 found ","']],
    [
      '{"a": NaN, "b": 01, "c": -, "d": "\\x", "e": [1,,2], "f": tru}',
      ['1:7 found "N"', '1:18 found "1"', '1:26 found "-"', "1:34 an escape", '1:48 found ","', '1:58 found "t"'],
    ],
    ['{a: 1, b: 2, "c" 3, "d": 4}', ['1:2 found "a"', '1:18 found "3"']],
    ['[1 2 {"x": 1} {"y" 2}]', ['1:4 found "2"', '1:6 found "{"', '1:15 found "{"', '1:20 found "2"']],
    ["{'a, b': 'c', \"d\": 'it, s'}", ['1:2 found "\'"', '1:20 found "\'"']],
    ['{ // c, d "\n "a": 1, /* x */ "b": 2 }', ["1:3 no comments", "2:10 no comments"]],
    ['{"a": "x\n", "b": }', ["1:9 a line break"]],
    ['{"a": {"b": [1, {"c": 2]}, "d": 1, "e" 1}', ['1:24 found "]"', '1:40 found "1"']],
    ["[".repeat(300), ["1:301 found the end"]],
  ])("goes on behind an error: %j", (text, reported) => {
    const { root, diagnostics } = read(text);
    expect(root).toBeUndefined();
    expect(diagnostics.map(({ source }) => `${source.line}:${source.column}`)).toEqual(
      reported.map((each) => each.split(" ")[0]),
    );
    for (const [index, each] of reported.entries())
      expect(diagnostics[index]?.message).toContain(each.slice(each.indexOf(" ") + 1));
  });

  it("tells of a text that was never JSON no more than anybody reads, in no time", () => {
    const { diagnostics } = read(`[${"@ 1 ".repeat(500_000)}]`);
    expect(diagnostics.length).toBeGreaterThan(0);
    expect(diagnostics.length).toBeLessThanOrEqual(1000);
  });

  it("reports each key that stands twice", () => {
    expect(read('{"a": 1, "a": 2, "b": {"c": 1, "c": 2}}').diagnostics.map(({ source }) => source.pointer)).toEqual([
      "/a",
      "/b/c",
    ]);
  });

  it("refuses hostile depth without overflowing the stack", () => {
    expect(read("[".repeat(1_000_000)).diagnostics).toMatchObject([
      { message: "Values are nested more than 500 levels deep." },
    ]);
  });

  it("keeps __proto__ as an ordinary member", () => {
    const { root } = read('{"__proto__": {"polluted": true}}');
    const value = root && plainValue(root);
    expect(Object.keys(value as object)).toEqual(["__proto__"]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});
