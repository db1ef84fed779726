import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sortDiagnostics } from "@nodewright/source";
import { commandLineFile } from "../configuration/config-file.ts";
import type { DocumentConfig } from "../configuration/config.ts";
import { applyGeneration, type GenerationResult, withGeneration } from "../generation/generate.ts";
import { createPhases } from "../jobs/phases.ts";

/** Files and diagnostics of a `gen` run. */
export interface GeneratedProject {
  /** Texts by path relative to the project: all generated files, including the manifest. */
  readonly files: Readonly<Record<string, string>>;
  /** Warnings about the document, ordered by location. */
  readonly warnings: readonly string[];
  readonly hasErrors: boolean;
  /** Whether only the changed parts were read and written again. */
  readonly isUpdate: boolean;
  /** Notes about the course of the run. */
  readonly notes: readonly string[];
}

/** A project with one document, generated in this process. */
export interface TestProject {
  readonly directory: string;
  generate(text: string): Promise<GeneratedProject>;
  remove(): void;
}

/** Generates documents below `root` in this process, as `gen` does, and writes the output of those without errors. */
export async function generateBelow(
  root: string,
  documents: readonly DocumentConfig[],
): Promise<GenerationResult & { readonly notes: readonly string[] }> {
  const phases = createPhases();
  const options = {
    force: false,
    writes: true,
    recovers: true,
    only: { documents: undefined, artefacts: undefined },
    renames: { kind: "propose" },
    phases,
    notice: () => undefined,
  } as const;
  const loaded = { root, config: { documents }, file: commandLineFile, files: [] };
  return await withGeneration(loaded, options, async (planned) => {
    if (planned.failed.length === 0) await applyGeneration(planned.plans, phases);
    return { ...planned, notes: phases.notes };
  });
}

export function createTestProject(config: Partial<DocumentConfig> = {}): TestProject {
  const directory = mkdtempSync(join(tmpdir(), "nodewright-update-"));
  mkdirSync(join(directory, "node_modules"));
  const documents = [{ source: "document.json", package: "pets", ...config }];
  return {
    directory,
    remove: () => rmSync(directory, { recursive: true, force: true }),
    async generate(text) {
      writeFileSync(join(directory, "document.json"), text);
      const { notes, ...result } = await generateBelow(directory, documents);
      return {
        files: filesBelow(directory),
        warnings: sortDiagnostics(result.diagnostics).map((one) => JSON.stringify(one)),
        hasErrors: result.failed.length > 0,
        isUpdate: notes.some((note) => note.includes("written again")),
        notes,
      };
    },
  };
}

function filesBelow(directory: string): Readonly<Record<string, string>> {
  const paths = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules"))
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .filter((path) => path !== "document.json");
  return Object.fromEntries(paths.toSorted().map((path) => [path, readFileSync(join(directory, path), "utf8")]));
}
