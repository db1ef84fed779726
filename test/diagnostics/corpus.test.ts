/**
 * The corpus of documents with mistakes. Each folder of `corpus/` holds those of one language: a document `<name>.yaml` (or
 * `.json`, `.graphql`) of one or a few mistakes, and beside it `<name>.txt`, the diagnostics that it gets, each with its line and
 * column, the text that stands there, and its message. A document too large or too odd to be kept is a module
 * `<name>.yaml.ts` with the export `text`. What a document refers to stands in the folder `<name>.parts/`, whose diagnostics
 * are told with those of the document; `<name>.config.json` adds to what the configuration says of one document. All documents of a folder are read in one run
 * of the command line, as a user would run it: it has to end in time and with exit code 1, write nothing, and print no stack
 * trace; every document has to have an error. `UPDATE_GOLDEN=1` writes the texts again: read them, for a position that is off
 * by one column is a mistake of ours.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Diagnostic } from "@nodewright/source";
import { root } from "../support/workspace.ts";

const corpus = join(root, "test/diagnostics/corpus");
const documentName = /\.(yaml|json|graphql)(\.ts)?$/;
/** Of one run over a whole folder. */
const allowedMilliseconds = 60_000;
const allowedMegabytes = 768;
const shownCharacters = 60;

interface Run {
  readonly status: number | null;
  readonly stderr: string;
  readonly written: readonly string[];
  readonly diagnostics: ReadonlyMap<string, readonly Diagnostic[]>;
  readonly textOf: (file: string) => string;
}

/** The documents of a folder by the name that they have when they are read. */
function documentsOf(language: string): readonly string[] {
  return readdirSync(join(corpus, language), { withFileTypes: true })
    .filter((entry) => entry.isFile() && documentName.test(entry.name) && !entry.name.endsWith(".config.json"))
    .map(({ name }) => name.replace(/\.ts$/, ""));
}

async function copyDocuments(language: string, directory: string): Promise<void> {
  cpSync(join(corpus, language), directory, { recursive: true });
  for (const name of documentsOf(language)) {
    const generator = join(corpus, language, `${name}.ts`);
    if (!existsSync(generator)) continue;
    const { text } = (await import(generator)) as { readonly text: string };
    writeFileSync(join(directory, name), text);
  }
}

function configurationOf(directory: string, name: string): object {
  const file = join(directory, `${stemOf(name)}.config.json`);
  const added = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as object) : {};
  return { source: name, package: `out/${name}`, ...added };
}

async function generateAll(language: string): Promise<Run> {
  const directory = mkdtempSync(join(tmpdir(), "nodewright-corpus-"));
  await copyDocuments(language, directory);
  const documents = documentsOf(language).map((name) => configurationOf(directory, name));
  writeFileSync(join(directory, "nodewright.config.ts"), `export default ${JSON.stringify({ documents })};\n`);
  mkdirSync(join(directory, "out"));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      "--conditions=source",
      `--max-old-space-size=${allowedMegabytes}`,
      join(root, "generators/cli/src/main.ts"),
      "gen",
      "--json",
      "--config",
      join(directory, "nodewright.config.ts"),
    ],
    { encoding: "utf8", cwd: directory, timeout: allowedMilliseconds, maxBuffer: 64 * 1024 * 1024 },
  );
  const written = readdirSync(join(directory, "out"), { recursive: true, encoding: "utf8" });
  const texts = new Map<string, string>();
  const textOf = (file: string): string => {
    const path = join(directory, file);
    const text = texts.get(file) ?? (existsSync(path) ? readFileSync(path, "utf8") : "");
    texts.set(file, text);
    return text;
  };
  const { diagnostics } = (stdout === "" ? { diagnostics: [] } : JSON.parse(stdout)) as { diagnostics: Diagnostic[] };
  for (const { source } of diagnostics) textOf(source.file);
  rmSync(directory, { recursive: true });
  return { status, stderr, written, diagnostics: byDocument(diagnostics), textOf };
}

function byDocument(diagnostics: readonly Diagnostic[]): ReadonlyMap<string, readonly Diagnostic[]> {
  return Map.groupBy(diagnostics, ({ source }) => stemOf(source.file.replace(/\.parts\/.*$/, "")));
}

function stemOf(file: string): string {
  return file.replace(documentName, "");
}

/** What a person checks: the place, the text that stands there, and what is said of it. */
function rendered(diagnostics: readonly Diagnostic[], textOf: (file: string) => string): string {
  return diagnostics
    .flatMap(({ code, severity, message, source }) => {
      const [line = ""] = textOf(source.file).slice(source.start).split(/\r?\n/, 1);
      const shown = line.length > shownCharacters ? `${line.slice(0, shownCharacters)}…` : line;
      const part = source.file.includes(".parts/") ? `${source.file}:` : "";
      return [`${part}${source.line}:${source.column} ${severity} ${code}`, `  at ${shown}`.trimEnd(), `  ${message}`];
    })
    .map((line) => `${line}\n`)
    .join("");
}

const languages = readdirSync(corpus, { withFileTypes: true }).filter((entry) => entry.isDirectory());

describe.each(languages.map(({ name }) => name))("the corpus of mistakes in %s", (language) => {
  const run: { value?: Run } = {};

  beforeAll(async () => {
    run.value = await generateAll(language);
  }, allowedMilliseconds + 10_000);

  afterAll(() => {
    delete run.value;
  });

  it("ends in time with exit code 1, nothing written and no stack trace", () => {
    expect(run.value?.stderr).toBe("");
    expect(run.value?.status).toBe(1);
    expect(run.value?.written).toEqual([]);
  });

  it.each(documentsOf(language))("%s: is told each mistake at its place", (name) => {
    const diagnostics = run.value?.diagnostics.get(stemOf(name)) ?? [];
    const text = rendered(diagnostics, run.value?.textOf ?? String);
    const golden = join(corpus, language, `${stemOf(name)}.txt`);
    // A run that broke off says nothing of the documents.
    expect(run.value?.stderr).toBe("");
    if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(golden, text);
    expect(text).toBe(readFileSync(golden, "utf8"));
    expect(diagnostics.some(({ severity }) => severity === "error")).toBe(true);
  });
});
