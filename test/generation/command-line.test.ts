import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { root } from "../support/workspace.ts";

let directory = "";

const document = `openapi: 3.1.0
info: { title: Small, version: "1" }
servers: [{ url: / }]
paths: { /x: { get: { operationId: getX, responses: { "200": { description: Fine. } } } } }
`;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "nodewright-command-line-"));
  writeFileSync(join(directory, "small.yaml"), document);
});

afterEach(() => rmSync(directory, { recursive: true }));

function configure(...documents: readonly object[]): void {
  writeFileSync(join(directory, "nodewright.config.ts"), `export default ${JSON.stringify({ documents })};\n`);
}

function nodewright(...parameters: readonly string[]) {
  const program = join(root, "generators/cli/src/bin.ts");
  return spawnSync(process.execPath, ["--conditions=source", program, ...parameters], {
    cwd: directory,
    encoding: "utf8",
  });
}

describe("nodewright", () => {
  it("writes a package whose directory is given from the root of the file system", () => {
    configure({ source: "small.yaml", package: join(directory, "far/small-api") });
    expect(nodewright("gen").status).toBe(0);
    expect(readdirSync(join(directory, "far/small-api/src/gen"))).toContain("types.ts");
    expect(nodewright("check").stdout).toBe("1 document, all generated files are fresh.\n");
    expect(nodewright("gen").stdout).toBe("1 document, nothing to do.\n");
  });

  it("refuses two documents that would write into one directory", () => {
    configure(
      { source: "small.yaml", package: "a", handlers: { directory: "handlers", context: "../c.ts#C" } },
      { source: "small.yaml", package: "./a/", handlers: { directory: "handlers/", context: "../c.ts#C" } },
    );
    const { status, stderr } = nodewright("gen");
    expect(status).toBe(1);
    expect(stderr).toContain('documents[1]: "./a/" is written by documents[0] too');
    expect(stderr).toContain('documents[1]: "handlers/" is written by documents[0] too');
    expect(existsSync(join(directory, "a"))).toBe(false);
  });

  it("names what is wrong with a configuration, all of it", () => {
    configure(
      { source: "", package: 3, artefacts: "types", scalars: { Long: { pattern: "(" } } },
      { source: "small.yaml", package: "a", handlers: { directory: "", context: "C" }, operations: "" },
    );
    const { status, stderr } = nodewright("gen");
    expect(status).toBe(1);
    expect(stderr.trimEnd().split("\n").slice(1)).toEqual([
      '  documents[0]: "source" has to be a path.',
      '  documents[0]: "package" has to be a path.',
      '  documents[0]: "artefacts" has to be a list.',
      '  documents[0]: "scalars.Long.pattern" has to be a regular expression, as text.',
      '  documents[1]: "operations" has to be a path.',
      '  documents[1]: "handlers.directory" has to be a path.',
    ]);
  });

  it.each([
    ["whose package.json is no JSON", () => writeFileSync(join(directory, "a/package.json"), "{")],
    ["that is a file", () => writeFileSync(join(directory, "a/src"), "")],
  ])("says in one sentence that it cannot write into a package %s", (_what, spoil) => {
    mkdirSync(join(directory, "a"));
    spoil();
    configure({ source: "small.yaml", package: "a" });
    const { status, stderr } = nodewright("gen");
    expect(status).toBe(1);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(stderr).toMatch(/^(?:\S+package\.json cannot be read|A file could not be read or written): /);
  });

  it("prints one JSON value whatever the outcome", () => {
    configure({ source: "small.yaml", package: "a" });
    expect(JSON.parse(nodewright("gen", "--json").stdout)).toMatchObject({
      diagnostics: [],
      edited: [],
      written: true,
    });
    const types = join(directory, "a/src/gen/types.ts");
    writeFileSync(types, `${readFileSync(types, "utf8")}// by hand\n`);
    expect(JSON.parse(nodewright("gen", "--json").stdout)).toMatchObject({
      changes: [{ kind: "update", path: "a/src/gen/types.ts" }],
      edited: ["a/src/gen/types.ts"],
      written: false,
    });
    expect(JSON.parse(nodewright("gen", "--json", "--config", "none.ts").stdout)).toMatchObject({
      problem: expect.stringContaining("none.ts"),
      written: false,
    });
  });
});
