import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { commandLineProgram, createCommandLineProject, smallOpenapi } from "../support/command-line-project.ts";

let project: ReturnType<typeof createCommandLineProject>;

beforeEach(() => {
  project = createCommandLineProject();
  project.write("small.yaml", smallOpenapi());
});

afterEach(() => project.remove());

function generated(directory = "a"): readonly string[] {
  return [...project.tree(`${directory}/src/gen`).keys()];
}

/** The times of the generated files' last changes. */
function modified(): ReadonlyMap<string, bigint> {
  return new Map(
    generated().map((path) => [path, statSync(join(project.directory, "a/src/gen", path), { bigint: true }).mtimeNs]),
  );
}

/** Twelve examples that are not what their schema says. */
const withWarnings = `openapi: 3.1.0
info: { title: Small, version: "1" }
servers: [{ url: / }]
paths:
${Array.from({ length: 12 }, (_, index) => `  /x${index}: { get: { operationId: x${index}, parameters: [{ name: a, in: query, schema: { type: integer }, example: b }], responses: { "200": { description: Fine. } } } }`).join("\n")}
`;

describe("nodewright gen", () => {
  it("needs nothing but a document and a directory", () => {
    const first = project.nodewright("gen", "./small.yaml", "--output", "./petstore");
    expect(first.stderr).toBe("");
    expect(first.status).toBe(0);
    expect(first.stdout).toContain("new     petstore/src/gen/client.ts\n");
    expect(project.read("petstore/src/gen/client.ts")).toContain("createPetstoreClient");
    expect(project.nodewright("gen", "small.yaml", "--output", "petstore/").stdout).toContain("nothing to do");
    expect(project.nodewright("check", "small.yaml", "--output", "petstore").status).toBe(0);
  });

  it.each([
    [["gen", "small.yaml"], "nodewright gen small.yaml --output ./petstore"],
    [["gen", "--output", "a"], "--output goes with a document"],
    [["gen", "small.yaml", "other.yaml", "--output", "a"], "--output takes one document"],
    [["gen"], "There is no nodewright.config.ts."],
    [["gen", "--config", "none.ts"], "There is no none.ts."],
    [["gen", "--config", "."], ". is not a file"],
    [["gne"], "Did you mean gen?"],
    [["gen", "--forse"], "forse"],
    [["gen", "--watch", "--dry-run", "small.yaml", "--output", "a"], "leave one of them out"],
    [[], "The command is missing"],
    [["explain", "openapi/no-such-thing"], 'There is no diagnostic "openapi/no-such-thing".'],
  ])("says what is wrong with the command %j, with exit code 2", (parameters, sentence) => {
    const { status, stderr, stdout } = project.nodewright(...parameters);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toMatch(/^ {4}at /m);
    expect(status).toBe(2);
    expect(stdout).toBe("");
  });

  it("writes only what changed, says so in one line per file, and removes what it no longer owns", () => {
    project.configure({ source: "small.yaml", package: "a" });
    project.nodewright("gen");
    const before = modified();
    project.write("small.yaml", smallOpenapi("getX", "2"));
    const { stdout } = project.nodewright("gen");
    expect(stdout.trimEnd().split("\n")).toEqual([
      "changed a/src/gen/conformance.ts",
      "changed a/src/gen/manifest.json",
      "1 document, 2 files.",
    ]);
    const after = modified();
    expect([...after].filter(([path, time]) => before.get(path) !== time).map(([path]) => path)).toEqual([
      "conformance.ts",
      "manifest.json",
    ]);
    project.configure({ source: "small.yaml", package: "a", artefacts: ["client"] });
    expect(project.nodewright("gen").stdout).toContain("removed a/src/gen/server.ts\n");
    expect(generated()).not.toContain("server.ts");
  });

  it("does not touch files of people: in its directory they are named, and --force is requested", () => {
    project.configure({ source: "small.yaml", package: "a", artefacts: ["types"] });
    project.write("a/src/gen/types.ts", "export const mine = 1;\n");
    project.write("a/src/gen/manifest.json", '{ "name": "a web manifest" }\n');
    const { status, stderr } = project.nodewright("gen");
    expect(status).toBe(1);
    expect(stderr).toBe(`Edited by hand since they were generated, so nothing was written:
  a/src/gen/types.ts
  a/src/gen/manifest.json
Put the change into the document or the generator, or overwrite the files with --force.
`);
    expect(project.read("a/src/gen/types.ts")).toBe("export const mine = 1;\n");
    project.write("a/src/gen/mine.ts", "export const mine = 1;\n");
    expect(project.nodewright("gen", "--force").stdout).toContain(
      "kept    a/src/gen/mine.ts: nodewright did not write it\n1 document, 3 files.",
    );
    expect(project.read("a/src/gen/types.ts")).toContain("GetXOutput");
    expect(project.read("a/src/gen/mine.ts")).toBe("export const mine = 1;\n");
    expect(project.nodewright("gen").stdout).toBe("1 document, nothing to do.\n");
    const { status: fresh, stderr: named } = project.nodewright("check");
    expect(fresh).toBe(0);
    expect(named).toBe("kept    a/src/gen/mine.ts: nodewright did not write it\n");
  });

  it("keeps an edited index of the handlers", () => {
    const handlers = { directory: "handlers", context: "../context.ts#Context" };
    project.configure({ source: "small.yaml", package: "a", handlers });
    project.nodewright("gen");
    project.write("handlers/index.ts", `${project.read("handlers/index.ts")}// mine\n`);
    const { status, stderr } = project.nodewright("gen");
    expect(status).toBe(1);
    expect(stderr).toContain("  handlers/index.ts\n");
    expect(project.read("handlers/index.ts")).toContain("// mine");
  });

  it("shows with --dry-run what it would do, and does nothing", () => {
    project.configure({ source: "small.yaml", package: "a", artefacts: ["types"] });
    const { status, stdout } = project.nodewright("gen", "--dry-run");
    expect(status).toBe(0);
    expect(stdout).toContain("new     a/src/gen/types.ts\n");
    expect(stdout).toMatch(/^1 document, \d files to change; nothing was written\.$/m);
    expect([...project.tree().keys()]).toEqual(["nodewright.config.ts", "small.yaml"]);
  });

  it("writes with --only one document, or one artefact, and leaves the rest for the next whole run", () => {
    project.write("other.yaml", smallOpenapi("getOther"));
    project.configure({ source: "small.yaml", package: "a" }, { source: "other.yaml", package: "b" });
    expect(project.nodewright("gen", "--only", "other.yaml").status).toBe(0);
    expect(existsSync(join(project.directory, "a"))).toBe(false);
    expect(project.nodewright("gen", "a").status).toBe(0);
    expect(project.nodewright("gen").stdout).toBe("2 documents, nothing to do.\n");

    project.write("small.yaml", smallOpenapi("getZ"));
    const client = project.read("a/src/gen/client.ts");
    const part = project.nodewright("gen", "--only", "types", "small.yaml");
    expect(part.stdout).toContain("changed a/src/gen/types.ts\n");
    expect(part.stdout).not.toContain("client.ts");
    expect(project.read("a/src/gen/types.ts")).toContain("GetZOutput");
    expect(project.read("a/src/gen/client.ts")).toBe(client);
    expect(project.nodewright("check", "--only", "types").status).toBe(0);
    expect(project.nodewright("check").status).toBe(1);
    expect(project.nodewright("gen").stdout).toContain("changed a/src/gen/client.ts\n");
    expect(project.nodewright("gen").stdout).toBe("2 documents, nothing to do.\n");

    const unknown = project.nodewright("gen", "--only", "smal.yaml");
    expect(unknown.status).toBe(2);
    expect(unknown.stderr).toContain(
      '--only smal.yaml: there is no artefact or document of that name (did you mean "small.yaml"?).',
    );
  });

  it("shows a handful of warnings of a code, counts the rest, and remembers how many there were", () => {
    project.write("small.yaml", withWarnings);
    project.configure({ source: "small.yaml", package: "a", artefacts: ["types"] });
    const shown = (text: string): number => [...text.matchAll(/^warning example\/does-not-match-schema: /gm)].length;
    const first = project.nodewright("gen");
    expect(first.status).toBe(0);
    expect(shown(first.stderr)).toBe(5);
    expect(first.stderr).toContain("  … and 7 more of example/does-not-match-schema\n  --verbose shows all of them.\n");
    expect(first.stderr).toContain("\n0 errors, 12 warnings.\n");
    expect(project.nodewright("gen").stdout).toBe(
      "1 document, nothing to do. 12 warnings from before: nodewright check shows them.\n",
    );
    expect(JSON.parse(project.nodewright("gen", "--json").stdout)).toMatchObject({
      documents: [{ warnings: { "example/does-not-match-schema": 12 } }],
    });
    expect(shown(project.nodewright("check", "--verbose").stderr)).toBe(12);
  });

  it("tells with --verbose where time and memory went", () => {
    project.configure({ source: "small.yaml", package: "a" });
    const { stderr } = project.nodewright("gen", "--verbose");
    expect(stderr).toMatch(
      /^Times: configuration \d+ ms, look \d+ ms, .*read \d+ ms, .*emit client \d+ ms.*, write \d+ ms; .* in total; peak memory \d+ MB\.$/m,
    );
  });

  it.each([
    [
      "whose package.json is no JSON",
      (path: string) => writeFileSync(join(path, "package.json"), "{"),
      "package.json cannot be read: ",
    ],
    [
      "that is a file",
      (path: string) => writeFileSync(join(path, "src"), ""),
      "could not be written: a file stands where a directory",
    ],
    [
      "whose output is a file",
      (path: string) => {
        mkdirSync(join(path, "src"));
        writeFileSync(join(path, "src/gen"), "");
      },
      "could not be written: a file stands where a directory",
    ],
  ])("says in one sentence that it cannot write into a package %s", (_what, spoil, sentence) => {
    mkdirSync(join(project.directory, "a"));
    spoil(join(project.directory, "a"));
    const before = [...project.tree()];
    const { status, stderr } = project.nodewright("gen", "small.yaml", "--output", "a");
    expect(status).toBe(1);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(stderr).toContain(sentence);
    expect([...project.tree()]).toEqual(before);
  });

  it("shows no control characters of other people's documents, and no colours where there is no terminal", () => {
    project.write(
      "small.yaml",
      'openapi: 3.1.0\ninfo: { title: "a\\e[31mred", version: 1 }\npaths: {}\n# \u001B[2J\nx: *y\n',
    );
    const { stderr } = project.nodewrightWith({ environment: { NO_COLOR: "1" } }, "gen", "small.yaml", "--output", "a");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what must not appear
    expect(stderr).not.toMatch(/[\u0000-\u0009\u000B-\u001F]/);
    expect(stderr).toContain("error ");
  });

  it("shows on a terminal what a long run is at, takes the line away, and colours unless NO_COLOR says not to", () => {
    const paths = Array.from(
      { length: 2500 },
      (_, index) =>
        `  /x${index}: { get: { operationId: x${index}, responses: { "200": { description: Fine and long enough to make the document large. } } } }`,
    );
    project.write("large.yaml", `${smallOpenapi().split("paths:")[0]}paths:\n${paths.join("\n")}\n  y: {}\n`);
    // Node takes a terminal of continuous integration for one without colours.
    const { CI: _, ...ownEnvironment } = process.env;
    const terminal = (environment: Readonly<Record<string, string>>): string =>
      spawnSync(
        "script",
        [
          "-qec",
          `'${process.execPath}' --conditions=source '${commandLineProgram}' gen large.yaml --output a`,
          "/dev/null",
        ],
        { cwd: project.directory, encoding: "utf8", env: { ...ownEnvironment, TERM: "xterm", ...environment } },
      ).stdout;
    const coloured = terminal({});
    const lines = coloured.split("\r\u001B[2K");
    expect(lines.length).toBeGreaterThan(2);
    expect(lines[1]).toMatch(/^large\.yaml: (?:loading|reading) …$/);
    expect(lines.at(-1)).toContain("openapi/path-without-slash");
    expect(coloured).toContain("\u001B[31merror openapi/path-without-slash\u001B[39m");
    expect(terminal({ NO_COLOR: "1" })).not.toContain("\u001B[3");
  });

  it("ends quietly when nobody reads on", () => {
    const { stderr } = spawnSync(
      "sh",
      ["-c", '"$0" --conditions=source "$1" explain | head -n 1', process.execPath, commandLineProgram],
      { encoding: "utf8" },
    );
    expect(stderr).toBe("");
  });
});

describe("nodewright check", () => {
  it("fails with a diff of bounded length and the command to run", () => {
    project.configure({ source: "small.yaml", package: "a" });
    project.nodewright("gen");
    expect(project.nodewright("check").stdout).toBe("1 document, all generated files are fresh.\n");
    const operations = Array.from(
      { length: 40 },
      (_, index) => `/y${index}: { get: { operationId: getY${index}, responses: { "200": { description: Fine. } } } }`,
    );
    project.write("small.yaml", smallOpenapi().replace("paths: {", `paths: { ${operations.join(", ")},`));
    const { status, stdout, stderr } = project.nodewright("check", "--config", "nodewright.config.ts");
    expect(status).toBe(1);
    expect(stdout).toContain("--- a/src/gen/client.ts (on disk)\n+++ a/src/gen/client.ts (generated)\n@@ ");
    expect(stdout).toMatch(/^ {2}… and \d+ lines more to add, 0 to remove\.$/m);
    for (const part of stdout.split("--- ").slice(1)) expect(part.split("\n").length).toBeLessThan(50);
    expect(stderr).toContain("changed a/src/gen/client.ts\n");
    expect(stderr).toContain("Run: nodewright gen --config nodewright.config.ts\n");
    expect(project.nodewright("check", "--verbose").stdout).not.toContain("lines more");
  });
});

describe("--json", () => {
  it("prints one value of one shape, whatever the outcome", () => {
    project.configure({ source: "small.yaml", package: "a" });
    const members = [
      "format",
      "command",
      "exitCode",
      "written",
      "documents",
      "diagnostics",
      "changes",
      "edited",
      "kept",
      "renames",
      "recovered",
      "times",
      "peakBytes",
    ];
    const report = (...parameters: readonly string[]): Record<string, unknown> => {
      const { stdout, status } = project.nodewright(...parameters, "--json");
      const value = JSON.parse(stdout) as Record<string, unknown>;
      expect(Object.keys(value)).toEqual(expect.arrayContaining(members));
      expect(value["exitCode"]).toBe(status);
      return value;
    };
    expect(report("gen")).toMatchObject({
      format: 1,
      command: "gen",
      documents: [{ source: "small.yaml", package: "a", state: "stale", warnings: {} }],
      diagnostics: [],
      edited: [],
      written: true,
    });
    expect(report("gen")).toMatchObject({ documents: [{ state: "fresh" }], changes: [], written: false });
    project.write("a/src/gen/types.ts", `${project.read("a/src/gen/types.ts")}// by hand\n`);
    expect(report("gen")).toMatchObject({
      changes: [{ kind: "update", path: "a/src/gen/types.ts" }],
      edited: ["a/src/gen/types.ts"],
      written: false,
      exitCode: 1,
    });
    expect(report("check")).toMatchObject({ command: "check", exitCode: 1 });
    expect(report("gen", "--config", "none.ts")).toMatchObject({
      problem: expect.stringContaining("none.ts"),
      written: false,
      exitCode: 2,
    });
    expect(report("gen", "--nonsense")).toMatchObject({ problem: expect.stringContaining("nonsense"), exitCode: 2 });
    project.write("small.yaml", "openapi: [");
    expect(report("gen", "--force")).toMatchObject({
      documents: [{ state: "wrong" }],
      diagnostics: [{ code: "source/yaml-syntax", source: { file: "small.yaml", line: 1 } }],
      written: false,
      exitCode: 1,
    });
  });
});

describe("nodewright explain", () => {
  it("explains one diagnostic, by its complete code or its last part, and lists all", () => {
    const { stdout } = project.nodewright("explain", "openapi/duplicate-operation-id");
    expect(stdout).toContain("error openapi/duplicate-operation-id\n");
    expect(stdout).toContain("For example:\n");
    expect(project.nodewright("explain", "duplicate-operation-id").stdout).toBe(stdout);
    const all = project.nodewright("explain").stdout.trimEnd().split("\n");
    expect(all.length).toBeGreaterThan(80);
    expect(JSON.parse(project.nodewright("explain", "--json").stdout)).toHaveLength(all.length);
    expect(project.nodewright("explain", "openapi/duplicate-operation-ids").stderr).toContain(
      'did you mean "openapi/duplicate-operation-id"?',
    );
    expect(project.nodewright("explain", "zod/unsupported-type").stderr).toContain("an emitter of that name");
  });
});
