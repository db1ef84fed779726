/**
 * Each directory here is a case: a document, the texts that are generated from it (`expected/`), and calls, requests and values that the
 * generated code is run with (`cases.ts`). `config.json` adds to what the configuration says of the document; `diagnostics.txt` has the
 * warnings that it gets, none without it. `UPDATE_GOLDEN=1` writes `expected/` and `diagnostics.txt` again: read the difference.
 */
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
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DocumentConfig } from "../../generators/cli/src/configuration/config.ts";
import { generateBelow } from "../../generators/cli/src/testing/generated-project.ts";
import { root } from "../support/workspace.ts";
import type { GoldenCases } from "./golden-cases.ts";
import { runCases } from "./run-cases.ts";

const here = join(root, "test/golden");
const isUpdate = process.env["UPDATE_GOLDEN"] === "1";
const cases = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** Below the workspace, where the runtime is found. */
let directory = "";
/** By case. In the process of the tests, which debuggers and mutation testing look into. */
const generations = new Map<string, ReturnType<typeof generateBelow>>();

beforeAll(() => {
  mkdirSync(join(root, ".cache"), { recursive: true });
  directory = mkdtempSync(join(root, ".cache/golden-"));
  for (const name of cases)
    cpSync(join(here, name), join(directory, name), { recursive: true, filter: (path) => !path.endsWith("/expected") });
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Generates a case, once. */
async function generate(name: string): ReturnType<typeof generateBelow> {
  const known = generations.get(name) ?? generateBelow(directory, [documentOf(name)]);
  generations.set(name, known);
  return await known;
}

function documentOf(name: string): DocumentConfig {
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
  it.each(cases)("%s", async (name) => {
    await generate(name);
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
  it.each(cases)("%s", async (name) => {
    const { diagnostics } = await generate(name);
    const found = diagnostics
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
    await generate(name);
    const module = (await import(join(here, name, "cases.ts"))) as { readonly cases: GoldenCases };
    await runCases(join(directory, name, "api/src/gen"), module.cases);
  });
});
