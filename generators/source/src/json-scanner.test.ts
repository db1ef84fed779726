import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createDiagnosticSink, createReport } from "./diagnostic.ts";
import { readJson } from "./json-scanner.ts";
import { plainValue } from "./plain-value.ts";
import { sourceDiagnostics } from "./source-diagnostics.ts";
import { Located } from "./source-document.ts";
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
    const place = new Located(source, root, "").member("a")?.items[1];
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
