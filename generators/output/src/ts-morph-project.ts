import { createRequire } from "node:module";
import type { Project } from "ts-morph";

export type TsMorph = typeof import("ts-morph");

let loaded: TsMorph | undefined;
let project: Project | undefined;

/** Loads ts-morph on first use: it takes longer than everything else that an unchanged run does. */
export function loadTsMorph(): TsMorph {
  loaded ??= createRequire(import.meta.url)("ts-morph") as TsMorph;
  return loaded;
}

/** The one project, in memory, in which files are printed; each is forgotten after printing. */
export function openProject(): Project {
  const { Project: TsMorphProject, IndentationText, QuoteKind } = loadTsMorph();
  project ??= new TsMorphProject({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    manipulationSettings: { indentationText: IndentationText.TwoSpaces, quoteKind: QuoteKind.Double },
  });
  return project;
}
