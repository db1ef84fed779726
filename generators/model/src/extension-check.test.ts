import { createDiagnosticSink, createDocumentSet, type SourceValue } from "@nodewright/source";
import { describe, expect, it } from "vitest";
import { checkExtensions } from "./extension-check.ts";
import { extensionsFrom, schemaExtensionValues } from "./extensions.ts";
import { readRelations } from "./relation-reader.ts";

const uri = "https://api.example/document.json";

/** Calls `work` with the root of a document and returns the diagnostics. */
function diagnosticsOf(
  value: unknown,
  work: (root: SourceValue, sink: ReturnType<typeof createDiagnosticSink>) => void,
) {
  const sink = createDiagnosticSink();
  const documents = createDocumentSet("/", sink);
  documents.register(uri, JSON.stringify(value));
  const root = documents.read(uri)?.root;
  if (root === undefined) throw new Error("The document could not be read");
  work(root, sink);
  return sink.diagnostics.map(({ code, message, severity }) => [code, severity, message]);
}

describe("the x- members of an operation", () => {
  const check = (value: unknown) => diagnosticsOf(value, (root, sink) => checkExtensions(root, sink));

  it.each([
    ["x-disabled-by-default", [true, false], ["true", 1, null], "true or false"],
    ["x-node-control", [true, false], ["false", 0, {}], "true or false"],
    ["x-safe", [true, false], [[], "yes"], "true or false"],
    ["x-units", [1, 0.5, 1000], [0, -1, "1", true], "a number above 0"],
    ["x-served-by", ["index", "node"], ["", "cache", 1, ["index"]], "one of index, node"],
    ["x-live", [true, false], ["", 1], "true or false"],
    ["x-may-fail", [true, false], ["", 1], "true or false"],
    ["x-invalid-message", ["", "no such height"], [1, true, ["a"]], "a text"],
    ["x-provoked-by", [[], [{ name: "a" }]], [{}, "a", true], "a list"],
    ["x-immutable", [true, false], ["", 1], "true or false"],
    ["x-volatile", [true, false], ["", 1], "true or false"],
    ["x-relations", [[]], [{}, "a"], "a list"],
  ])("%s has values of its own", (mark, right, wrong, expected) => {
    for (const value of right) expect(check({ [mark]: value })).toEqual([]);
    for (const value of wrong) {
      expect(check({ [mark]: value })).toEqual([
        ["mark/wrong-value", "error", `The extension "${mark}" must be ${expected}.`],
      ]);
    }
  });

  it("are named when they are up to two letters away from one that is known", () => {
    for (const mark of ["x-unit", "x-unitss", "x-nits", "x-uints"]) {
      expect(check({ [mark]: 2 })).toEqual([
        ["mark/unknown", "error", `"${mark}" is not a known extension; did you mean "x-units"?`],
      ]);
    }
  });

  it("belong to others when they are further away, or do not begin with x-", () => {
    expect(check({ "x-internal-name": 1, "x-codeSamples": [], units: "many", safe: 1 })).toEqual([]);
    expect(check({ title: "a", "x-units": "many", other: 1 })).toHaveLength(1);
    expect(check([])).toEqual([]);
    expect(check("x-units")).toEqual([]);
  });

  it("are those that are looked for alone", () => {
    const inSchema = (value: unknown) =>
      diagnosticsOf(value, (root, sink) => checkExtensions(root, sink, schemaExtensionValues));
    expect(inSchema({ "x-units": "many", "x-volatile": true })).toEqual([]);
    expect(inSchema({ "x-volatile": 1 })).toHaveLength(1);
  });

  it("have their defaults where they are not there or hold something else", () => {
    const extensions = (values: Readonly<Record<string, unknown>>) => extensionsFrom((name) => values[name]);
    expect(extensions({})).toEqual({ disabledByDefault: false, nodeControl: false, units: 1 });
    expect(
      extensions({
        "x-disabled-by-default": "true",
        "x-node-control": 1,
        "x-units": "2",
        "x-safe": "no",
        "x-served-by": "me",
      }),
    ).toEqual({ disabledByDefault: false, nodeControl: false, units: 1 });
    const all = { "x-disabled-by-default": true, "x-node-control": true, "x-units": 7, "x-safe": false };
    expect(extensions({ ...all, "x-served-by": "node", "x-immutable": false })).toEqual({
      disabledByDefault: true,
      nodeControl: true,
      units: 7,
      safe: false,
      servedBy: "node",
      immutable: false,
    });
    expect(extensions({ "x-served-by": "index" }).servedBy).toBe("index");
  });
});

describe("the relations of an operation", () => {
  /** Reads a list of relations; `others`: further members that they may have. */
  function read(items: readonly unknown[], others?: ReadonlySet<string>) {
    let relations: readonly Record<string, unknown>[] = [];
    let places: readonly string[] = [];
    const diagnostics = diagnosticsOf(items, (root, sink) => {
      const read = readRelations(root.items, sink, others);
      relations = read.map(({ source: _source, ...relation }) => relation);
      places = sink.diagnostics.map(({ source }) => source.pointer);
    });
    return { relations, diagnostics, places };
  }

  it("have a name in kebab case, an expression and, where it is given, a reason", () => {
    const { relations, diagnostics } = read([
      { name: "heightGrows", holds: "a < b", because: "BIP 34" },
      { name: "b", holds: "$exists(x)" },
    ]);
    expect(diagnostics).toEqual([]);
    expect(relations).toEqual([
      { name: "height-grows", holds: "a < b", because: "BIP 34" },
      { name: "b", holds: "$exists(x)" },
    ]);
  });

  it.each([
    ["a text", "a < b", ""],
    ["without a name", { holds: "a" }, ""],
    ["without an expression", { name: "a" }, ""],
    ["with an empty name", { name: " ", holds: "a" }, "/name"],
    ["with an empty expression", { name: "a", holds: "()" }, "/holds"],
    ["with a number as its name", { name: 1, holds: "a" }, "/name"],
    ["with an empty reason", { name: "a", holds: "b", because: "" }, "/because"],
    ["with a reason that is no text", { name: "a", holds: "b", because: true }, "/because"],
    ["without a name and with an empty expression", { holds: "" }, "/holds"],
  ])("are none when one is %s; the others are read", (_, item, place) => {
    const { relations, diagnostics, places } = read([item, { name: "good", holds: "x" }]);
    expect(diagnostics.map(([code]) => code)).toEqual(["relation/not-a-relation"]);
    expect(places).toEqual([`/0${place}`]);
    expect(relations).toEqual([{ name: "good", holds: "x" }]);
  });

  it("have no other members than theirs and those of the place where they stand", () => {
    const item = { name: "a", holds: "b", why: "c", operation: "d" };
    expect(read([item]).diagnostics).toEqual([
      ["relation/unknown-member", "error", '"why" is not a member of a relation.'],
      ["relation/unknown-member", "error", '"operation" is not a member of a relation.'],
    ]);
    const { relations, diagnostics } = read([item], new Set(["operation"]));
    expect(diagnostics).toHaveLength(1);
    expect(relations).toEqual([{ name: "a", holds: "b" }]);
  });

  it("have names that differ when they are in kebab case", () => {
    const { diagnostics } = read([
      { name: "heightGrows", holds: "a" },
      { name: "other", holds: "a" },
      { name: "height-grows", holds: "b" },
    ]);
    expect(diagnostics).toEqual([
      ["relation/duplicate-name", "error", 'The relation "height-grows" stands here a second time.'],
    ]);
  });
});
