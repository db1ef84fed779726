import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createDiagnosticSink } from "./diagnostic.ts";
import { createDocumentSet } from "./document-set.ts";
import { locateSchemaProblems, type SchemaProblem } from "./schema-problems.ts";
import { cpuMillisecondsOf } from "../../../test/support/cpu-time.ts";

const directory = mkdtempSync(join(tmpdir(), "nodewright-problems-"));

afterAll(() => rmSync(directory, { recursive: true }));

function locate(
  value: unknown,
  problems: readonly SchemaProblem[],
  reported: readonly string[] = [],
): readonly string[] {
  writeFileSync(join(directory, "document.json"), JSON.stringify(value));
  const document = createDocumentSet(directory, createDiagnosticSink()).read("document.json");
  if (document === undefined) throw new Error("The document can't be read");
  const known = reported.map((pointer) => ({
    code: "a/b",
    severity: "error" as const,
    message: "",
    source: { ...document.root.source, pointer },
  }));
  return locateSchemaProblems(document, problems, known).map(({ source, problem }) => `${source.pointer}: ${problem}`);
}

describe("the problems that an official schema finds", () => {
  it("are reported where they are deepest, and summaries only where nothing says why", () => {
    const problems: readonly SchemaProblem[] = [
      { dataPath: ".methods[0]", keyword: "required", message: "should have required property '$ref'" },
      { dataPath: ".methods[0].name", keyword: "type", message: "should be string", params: { type: "string" } },
      { dataPath: ".methods[0]", keyword: "oneOf", message: "should match exactly one schema in oneOf" },
      { instancePath: "/info", keyword: "anyOf", message: "must match a schema in anyOf" },
    ];
    expect(locate({ methods: [{ name: 1 }], info: {} }, problems)).toEqual([
      "/methods/0/name: This should be string",
      "/info: This must match a schema in anyOf",
    ]);
  });

  it("are one where alternatives request other types", () => {
    const ofType = (type: string): SchemaProblem => ({
      dataPath: ".items",
      keyword: "type",
      message: `should be ${type}`,
      params: { type },
    });
    expect(locate({ items: "x" }, [ofType("object"), ofType("boolean"), ofType("object")])).toEqual([
      "/items: This should be object or boolean",
    ]);
  });

  it("are not reported again at, around or in a place that is reported already", () => {
    const at = (instancePath: string): SchemaProblem => ({ instancePath, keyword: "minimum", message: "must be more" });
    const value = { a: { b: { c: 1 } }, ab: 1 };
    expect(locate(value, [at("/a/b")], ["/a/b"])).toEqual([]);
    expect(locate(value, [at("/a/b/c")], ["/a/b"])).toEqual([]);
    expect(locate(value, [at("/a")], ["/a/b"])).toEqual([]);
    expect(locate(value, [at("/ab")], ["/a"])).toEqual(["/ab: This must be more"]);
  });

  it("are located in a time that grows with their number alone", () => {
    const count = 20_000;
    const value = { list: Array.from({ length: count }, () => 1) };
    const problems = value.list.map(
      (_, index): SchemaProblem => ({ instancePath: `/list/${index}`, keyword: "const", message: "must be 2" }),
    );
    const reported = problems.slice(0, count / 2).map(({ instancePath = "" }) => instancePath);
    // Comparing all pairs would take minutes.
    expect(cpuMillisecondsOf(() => expect(locate(value, problems, reported)).toHaveLength(count / 2))).toBeLessThan(
      5_000,
    );
  });
});
