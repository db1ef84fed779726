import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createDiagnosticSink } from "./diagnostic.ts";
import { createDocumentSet } from "./document-set.ts";
import { renderDiagnostic } from "./render-diagnostic.ts";

const directories: string[] = [];

function documents(files: Readonly<Record<string, string>>) {
  const directory = mkdtempSync(join(tmpdir(), "nodewright-source-"));
  directories.push(directory);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  const sink = createDiagnosticSink();
  return { set: createDocumentSet(directory, sink), sink };
}

afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true });
});

describe("createDocumentSet", () => {
  it("follows references through files and pointer escapes", () => {
    const { set, sink } = documents({
      "a.yaml": 'start: { $ref: "b.yaml#/x~1y/with%20space" }\n',
      "b.yaml": 'x/y:\n  with space: { $ref: "#/end" }\nend: { found: true }\n',
    });
    const start = set.read("a.yaml")?.root.member("start");
    expect(start && set.resolve(start)?.value).toEqual({ found: true });
    expect(sink.diagnostics).toEqual([]);
  });

  it("reads what is registered under a URI, and counts it not among the files", () => {
    const { set, sink } = documents({});
    set.register("https://x.example/a", '{"list": [{"b": true}]}');
    expect([set.knows("https://x.example/a"), set.knows("https://x.example/b")]).toEqual([true, false]);
    const root = set.read("https://x.example/a")?.root;
    expect(root && set.follow(root, ["list", "0", "b"], root)).toMatchObject({ pointer: "/list/0/b", boolean: true });
    expect([...set.files.keys()]).toEqual([]);
    expect(sink.diagnostics).toEqual([]);
    expect(root && set.follow(root, ["list", "1"], root)).toBeUndefined();
    expect(sink.diagnostics).toMatchObject([{ message: expect.stringContaining('no "1" in #/list') as string }]);
  });

  it("names the last step that a dangling reference could take, and a near name", () => {
    const { set, sink } = documents({ "a.yaml": 'schemas: { Block: {} }\nuse: { $ref: "#/schemas/Blok" }\n' });
    const use = set.read("a.yaml")?.root.member("use");
    expect(use && set.resolve(use)).toBeUndefined();
    expect(sink.diagnostics).toMatchObject([
      {
        code: "source/unresolved-reference",
        message:
          'The reference "#/schemas/Blok" leads nowhere: there is no "Blok" in #/schemas (did you mean "Block"?).',
        source: { line: 2, column: 14 },
      },
    ]);
  });

  it("refuses references that lead to another machine and circles", () => {
    const { set, sink } = documents({
      "a.yaml": 'far: { $ref: "https://example.org/x" }\nloop: { $ref: "#/pool" }\npool: { $ref: "#/loop" }\n',
    });
    const root = set.read("a.yaml")?.root;
    for (const name of ["far", "loop"]) {
      const place = root?.member(name);
      expect(place && set.resolve(place)).toBeUndefined();
    }
    expect(sink.diagnostics.map(({ code }) => code)).toEqual(["source/remote-reference", "source/circular-reference"]);
  });

  it("reports every syntax error of a YAML document with its place", () => {
    const { set, sink } = documents({ "a.yaml": "a: [1, 2\nb: }\n" });
    expect(set.read("a.yaml")).toBeUndefined();
    expect(sink.diagnostics.length).toBeGreaterThan(0);
    expect(sink.diagnostics.every(({ code, source }) => code === "source/yaml-syntax" && source.line >= 1)).toBe(true);
  });

  it.each([
    ["a: 1\npaths: [\n  /pets:\n    get:\n      b: 1\nc: 1\n", ["2:8 This [ is never closed."]],
    ["a: { b: [1, 2 }\nc: { d: [1]\ne: 1\n", ["1:9 This [ is never closed.", "2:4 This { is never closed."]],
    ["a: {b: 1, c: [1\n  d: 2}\n", ["1:14 This [ is never closed."]],
  ])("names the bracket of YAML that is never closed, and no consequence: %j", (text, reported) => {
    const { set, sink } = documents({ "a.yaml": text });
    expect(set.read("a.yaml")).toBeUndefined();
    expect(sink.diagnostics.map(({ source, message }) => `${source.line}:${source.column} ${message}`)).toEqual(
      reported,
    );
  });

  const laughs = (levels: number): string =>
    [
      "l0: &l0 x",
      ...Array.from({ length: levels }, (_, level) => `l${level + 1}: &l${level + 1} [*l${level}, *l${level}]`),
    ].join("\n");

  it("reads an alias as the node of its anchor, however often it is repeated", () => {
    const { set, sink } = documents({ "a.yaml": laughs(15) });
    const root = set.read("a.yaml")?.root;
    expect(root?.member("l15")?.items[0]?.node).toBe(root?.member("l14")?.node);
    expect(sink.diagnostics).toEqual([]);
  });

  it("refuses aliases that multiply without end, once, and in no time", () => {
    const { set, sink } = documents({ "a.yaml": laughs(60) });
    set.read("a.yaml");
    expect(sink.diagnostics.map(({ code }) => code)).toEqual(["source/too-many-aliases"]);
  });

  it("takes the members of a merge key over, its own first", () => {
    const { set, sink } = documents({ "a.yaml": "base: &base { a: 1, b: 2 }\nown: { <<: *base, b: 3 }\n" });
    expect(set.read("a.yaml")?.root.member("own")?.value).toEqual({ a: 1, b: 3 });
    expect(sink.diagnostics).toEqual([]);
  });

  it("reports an alias inside its own anchor", () => {
    const { set, sink } = documents({ "a.yaml": "a: &a [*a]\n" });
    set.read("a.yaml");
    expect(sink.diagnostics.map(({ code }) => code)).toEqual(["source/recursive-alias"]);
  });

  it("finds a document by what it calls itself, and others relative to that", () => {
    const { set, sink } = documents({
      "a.yaml":
        'whole: { $ref: "https://example.com/apis/pets#/end" }\nnear: { $ref: "pets#/end" }\nfar: { $ref: "https://example.com/apis/dogs" }\nend: 1\n',
    });
    const document = set.read("a.yaml");
    if (document === undefined) throw new Error("nothing was read");
    set.identify("https://example.com/apis/pets", document);
    const values = ["whole", "near", "far"].map((name) => {
      const member = document.root.member(name);
      return member && set.resolve(member)?.value;
    });
    expect(values).toEqual([1, 1, undefined]);
    expect(sink.diagnostics.map(({ code }) => code)).toEqual(["source/remote-reference"]);
  });

  it("refuses references whose path is encoded wrongly or lies on another machine", () => {
    const { set, sink } = documents({ "a.yaml": 'a: { $ref: "b%zz.yaml#/x" }\nb: { $ref: "//example.com/b.yaml" }\n' });
    for (const [, member] of set.read("a.yaml")?.root.members ?? []) expect(set.resolve(member)).toBeUndefined();
    expect(sink.diagnostics.map(({ code }) => code)).toEqual([
      "source/unresolved-reference",
      "source/remote-reference",
    ]);
  });

  it("counts columns as editors do, behind a byte order mark", () => {
    for (const [name, text] of [
      ["a.json", '\uFEFF{ "a": 1, "a": 2 }\n'],
      ["a.yaml", "\uFEFFa: { b: 1, b: 2 }\n"],
      ["b.yaml", "\uFEFFa: 1\na: 2\n"],
    ] as const) {
      const { set, sink } = documents({ [name]: text });
      set.read(name);
      const [{ source } = { source: undefined }] = sink.diagnostics;
      expect(source && `${name} ${source.line}:${source.column}`).toBe(
        { "a.json": "a.json 1:11", "a.yaml": "a.yaml 1:12", "b.yaml": "b.yaml 2:1" }[name],
      );
      expect(set.readText(name)?.line(1)).not.toContain("\uFEFF");
    }
  });

  it("refuses numbers beyond doubles, in YAML as in JSON", () => {
    const digits = `1${"0".repeat(400)}`;
    for (const name of ["a.yaml", "a.json"]) {
      const { set, sink } = documents({ [name]: `{ "a": ${digits}, "b": -1e999, "c": ".inf" }` });
      set.read(name);
      expect(sink.diagnostics.map(({ code, source }) => `${code} ${source.column}`)).toEqual([
        "source/number-too-large 8",
        "source/number-too-large 416",
      ]);
      expect(sink.diagnostics[0]?.message.length).toBeLessThan(120);
    }
    const { set, sink } = documents({ "b.yaml": `a: ${digits}\nb: .inf\n` });
    expect(set.read("b.yaml")?.root.member("b")?.value).toBe("Infinity");
    expect(sink.diagnostics.map(({ code }) => code)).toEqual(["source/number-too-large"]);
  });

  it("keeps the digits of numbers that a double cannot hold", () => {
    const { set } = documents({ "a.yaml": "a: 18446744073709551615\n404: x\n" });
    const root = set.read("a.yaml")?.root;
    expect(root?.member("a")?.node).toMatchObject({ text: "18446744073709551615" });
    expect(root?.member("404")?.string).toBe("x");
  });
});

describe("renderDiagnostic", () => {
  it("shows code, place, pointer, the lines with a caret, and the way out", () => {
    const { set, sink } = documents({ "a.yaml": "x:\n  a: 1\n  a: 2\n" });
    set.read("a.yaml");
    const [diagnostic] = sink.diagnostics;
    if (diagnostic === undefined) throw new Error("no diagnostic");
    expect(renderDiagnostic(diagnostic, set.files.get("a.yaml"))).toBe(
      [
        'error source/duplicate-key: The key "a" stands twice in this object.',
        "  a.yaml:3:3   #/x/a",
        "   1 | x:",
        "   2 |   a: 1",
        "   3 |   a: 2",
        "     |   ^",
        "  Keep one of the two; the first is on line 2.",
      ].join("\n"),
    );
  });
});
