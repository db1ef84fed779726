/**
 * Each directory here is a case: a document, the texts that are generated from it (`expected/`), and calls, requests and values that the
 * generated code is run with (`cases.ts`). `config.json` adds to what the configuration says of the document; `diagnostics.txt` has the
 * warnings that it gets, none without it. `UPDATE_GOLDEN=1` writes `expected/` and `diagnostics.txt` again: read the difference.
 */
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Diagnostic } from "@nodewright/source";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../support/workspace.ts";
import type { GoldenCases } from "./golden-cases.ts";
import { runCases } from "./run-cases.ts";

const here = join(root, "test/golden");
const isUpdate = process.env["UPDATE_GOLDEN"] === "1";
const cases = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** All cases are generated in one run, below the workspace, where the runtime is found. */
let directory = "";
let diagnostics: readonly Diagnostic[] = [];

beforeAll(() => {
  mkdirSync(join(root, ".cache"), { recursive: true });
  directory = mkdtempSync(join(root, ".cache/golden-"));
  for (const name of cases)
    cpSync(join(here, name), join(directory, name), { recursive: true, filter: (path) => !path.endsWith("/expected") });
  const config = join(directory, "nodewright.config.ts");
  writeFileSync(config, `export default ${JSON.stringify({ documents: cases.map(documentOf) })};\n`);
  const program = ["--conditions=source", join(root, "generators/cli/src/bin.ts"), "gen", "--json", "--config", config];
  const { status, stdout, stderr } = spawnSync(process.execPath, program, { encoding: "utf8", maxBuffer: 1 << 26 });
  expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: "" });
  ({ diagnostics } = JSON.parse(stdout) as { readonly diagnostics: readonly Diagnostic[] });
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

function documentOf(name: string): object {
  const [source = ""] = readdirSync(join(here, name)).filter((file) => file.startsWith("document."));
  const added = join(here, name, "config.json");
  return {
    source: `${name}/${source}`,
    package: `${name}/api`,
    artefacts: ["types", "validators", "client", "server"],
    ...(existsSync(join(here, name, "operations")) ? { operationDocuments: `${name}/operations` } : {}),
    ...(existsSync(added) ? (JSON.parse(readFileSync(added, "utf8")) as object) : {}),
  };
}

/** Digests of the generator change with every line of it; what a package declares is held by the cases with handlers. */
function isLeftOut(path: string, below: string): boolean {
  return path === "src/gen/manifest.json" || (path === "package.json" && !existsSync(join(below, "handlers")));
}

function readTree(below: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const part of ["api", "handlers"]) {
    if (!existsSync(join(below, part))) continue;
    for (const path of readdirSync(join(below, part), { recursive: true, encoding: "utf8" })) {
      const file = join(below, part, path);
      if (statSync(file).isFile() && !isLeftOut(path, below)) files.set(`${part}/${path}`, readFileSync(file, "utf8"));
    }
  }
  return new Map([...files].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

describe("generated files", () => {
  it.each(cases)("%s", (name) => {
    const written = readTree(join(directory, name));
    const expectedDirectory = join(here, name, "expected");
    if (isUpdate) {
      rmSync(expectedDirectory, { recursive: true, force: true });
      for (const [path, text] of written) {
        mkdirSync(join(expectedDirectory, path, ".."), { recursive: true });
        writeFileSync(join(expectedDirectory, path), text);
      }
    }
    const expected = readTree(expectedDirectory);
    expect([...written.keys()]).toEqual([...expected.keys()]);
    for (const [path, text] of written) expect(text, path).toBe(expected.get(path));
  });
});

describe("diagnostics", () => {
  it.each(cases)("%s", (name) => {
    const found = diagnostics
      .filter(({ source }) => source.file.startsWith(`${name}/`))
      .map(({ source, severity, code }) => `${source.line}:${source.column} ${severity} ${code}\n`)
      .join("");
    const file = join(here, name, "diagnostics.txt");
    if (isUpdate) {
      rmSync(file, { force: true });
      if (found !== "") writeFileSync(file, found);
    }
    expect(found).toBe(existsSync(file) ? readFileSync(file, "utf8") : "");
  });
});

describe("generated code that is run", () => {
  it.each(cases)("%s", async (name) => {
    const module = (await import(join(here, name, "cases.ts"))) as { readonly cases: GoldenCases };
    await runCases(join(directory, name, "api/src/gen"), module.cases);
  });
});
