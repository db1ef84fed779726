import { createRequire } from "node:module";
import type { Project } from "ts-morph";

export type TsMorph = typeof import("ts-morph");

let loaded: TsMorph | undefined;
let project: Project | undefined;

/** Loads ts-morph on first use: it takes longer than everything else in an unchanged run. */
export function loadTsMorph(): TsMorph {
  loaded ??= createRequire(import.meta.url)("ts-morph") as TsMorph;
  return loaded;
}

/** Returns the single project, in memory, in which files are printed; each is removed after printing. */
export function openProject(): Project {
  const { Project: TsMorphProject, IndentationText, QuoteKind } = loadTsMorph();
  project ??= new TsMorphProject({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    manipulationSettings: { indentationText: IndentationText.TwoSpaces, quoteKind: QuoteKind.Double },
  });
  return project;
}
