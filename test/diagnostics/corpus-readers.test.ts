// The corpus and the documents with mistakes again, read in this process: `corpus.test.ts` and `diagnostics.test.ts` run the command line,
// which a debugger and a measure of coverage do not look into.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  createDiagnosticSink,
  createDocumentSet,
  createSourceText,
  type Diagnostic,
  renderDiagnostic,
  sortDiagnostics,
} from "@nodewright/source";
import { describe, expect, it } from "vitest";
import { createPhases } from "../../generators/cli/src/jobs/phases.ts";
import { readModel } from "../../generators/cli/src/jobs/read-model.ts";
import { root } from "../support/workspace.ts";

const corpus = join(root, "test/diagnostics/corpus");
const languages = readdirSync(corpus, { withFileTypes: true }).filter((entry) => entry.isDirectory());

/** Documents that stand in a folder as they are. */
function documentsOf(language: string): readonly string[] {
  return readdirSync(join(corpus, language)).filter((name) => /\.(?:yaml|json|graphql)$/.test(name));
}

/** What is said of a document, without the text at each place. */
function expectedOf(language: string, name: string): readonly string[] {
  const golden = readFileSync(join(corpus, language, name.replace(/\.\w+$/, ".txt")), "utf8");
  return golden.split(/^(?=\S)/m).map((entry) => {
    const [head = "", , ...message] = entry.trimEnd().split("\n");
    return `${head} ${message.join("\n").trim()}`;
  });
}

async function readDocument(
  directory: string,
  source: string,
  operationFiles: readonly string[] = [],
): Promise<readonly Diagnostic[]> {
  const sink = createDiagnosticSink();
  const job = { root: directory, apiName: "test", operationFiles, config: { source } };
  await readModel(job, createDocumentSet(directory, sink), sink, createPhases());
  return sink.diagnostics;
}

describe.each(languages.map(({ name }) => name))("the corpus of mistakes in %s", (language) => {
  it.each(documentsOf(language))("%s: is told each mistake by its reader", async (name) => {
    const directory = join(corpus, language);
    const diagnostics = await readDocument(directory, name);
    const told = diagnostics.map(({ code, severity, message, source: { file, line, column } }) => {
      const part = file === name ? "" : `${file}:`;
      return `${part}${line}:${column} ${severity} ${code} ${message}`;
    });
    expect(told.toSorted()).toEqual(expectedOf(language, name).toSorted());
  });
});

const here = join(root, "test/diagnostics");
const cases = readdirSync(here).filter((name) => existsSync(join(here, name, "expected.txt")));

describe("a document with mistakes", () => {
  it.each(cases)("%s: is told all of them by its reader", async (name) => {
    const directory = join(here, name);
    const [source = ""] = readdirSync(directory).filter((file) => file.startsWith("document."));
    const operations = existsSync(join(directory, "operations")) ? readdirSync(join(directory, "operations")) : [];
    const operationFiles = operations.filter((file) => file.endsWith(".graphql")).map((file) => `operations/${file}`);
    const diagnostics = sortDiagnostics(await readDocument(directory, source, operationFiles));
    const textOf = (file: string) => createSourceText(file, readFileSync(join(directory, file), "utf8"));
    const rendered = diagnostics.map((each) => `${renderDiagnostic(each, textOf(each.source.file))}\n\n`).join("");
    const [expected] = readFileSync(join(directory, "expected.txt"), "utf8").split(/^\d+ errors?, /m);
    expect(rendered).toBe(expected);
  });
});
