import { isUtf8 } from "node:buffer";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Project, SourceFile } from "ts-morph";
import { loadTsMorph } from "../typescript/ts-morph-project.ts";
import { type Change, type Edit, editedText, editsOfRename, type RenameRequest } from "./rename-edits.ts";
import { listSourceFiles } from "./source-files.ts";

/** A hand-written file before and after: `before.path` differs from `after.path` where it moves. Paths are absolute. */
export interface PeopleFileChange {
  readonly before: { readonly path: string; readonly text: string };
  readonly after: { readonly path: string; readonly text: string };
}

/** Changes of hand-written files that follow the renaming of operations. */
export interface RenamePlan {
  readonly changes: readonly PeopleFileChange[];
  /** Reasons why the plan must not be applied, one sentence each. */
  readonly conflicts: readonly string[];
}

/**
 * Plans how handlers follow their operations: which files move (the handler and the files next to it with its name), and which identifiers
 * and import paths change in the project of the handlers. Every other byte is unchanged. Writes nothing.
 */
export function planHandlerRenames(request: RenameRequest): RenamePlan {
  const { directory, renames, owned } = request;
  const moves = new Map<string, string>();
  const conflicts: string[] = [];
  for (const { file } of renames) {
    for (const [from, to] of movesOf(directory, file)) {
      if (existsSync(to)) conflicts.push(`${to} exists already; nothing was moved over it.`);
      else if (!isUtf8(readFileSync(from))) conflicts.push(`${from} is not a text file and was not moved.`);
      else moves.set(from, to);
    }
  }
  if (conflicts.length > 0) return { changes: [], conflicts };
  const texts = relevantTexts(request, moves);
  const edits = new Map<string, readonly Edit[]>();
  if (texts.size > 0) {
    const project = openPeopleProject(directory, texts);
    for (const rename of renames) {
      const found = editsOfRename({ project, request, rename, moves });
      conflicts.push(...found.conflicts);
      for (const [path, more] of found.edits) edits.set(path, [...(edits.get(path) ?? []), ...more]);
    }
  }
  if (conflicts.length > 0) return { changes: [], conflicts };
  const changes = [...texts].flatMap(([path, text]): readonly PeopleFileChange[] => {
    if (owned.has(path)) return [];
    const after = { path: moves.get(path) ?? path, text: editedText(text, edits.get(path) ?? []) };
    return after.path === path && after.text === text ? [] : [{ before: { path, text }, after }];
  });
  return { changes, conflicts };
}

/**
 * Returns the moves of the handler's file and of files next to it with its name: `get-pet.test.ts`, `__snapshots__/get-pet.test.ts.snap`.
 */
function movesOf(directory: string, { from, to }: Change): readonly (readonly [from: string, to: string])[] {
  if (from === to) return [];
  return [directory, join(directory, "__snapshots__")].flatMap((folder) => {
    if (!existsSync(folder)) return [];
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.startsWith(`${from}.`))
      .map(({ name }) => [join(folder, name), join(folder, `${to}${name.slice(from.length)}`)] as const);
  });
}

/**
 * Returns the texts that may refer to the renamed items: those that move, and the sources of the project in which a name or path occurs.
 */
function relevantTexts({ directory, renames }: RenameRequest, moves: ReadonlyMap<string, string>): Map<string, string> {
  const words = renames.flatMap(({ symbol, file, operation, contractNames }) => [
    symbol.from,
    file.from,
    operation.from,
    ...contractNames.keys(),
  ]);
  const texts = new Map([...moves.keys()].map((path) => [path, readFileSync(path, "utf8")]));
  for (const path of listSourceFiles(projectDirectory(directory))) {
    if (texts.has(path)) continue;
    const text = readFileSync(path, "utf8");
    if (words.some((word) => text.includes(word))) texts.set(path, text);
  }
  return texts;
}

/** Returns the nearest directory above the handlers that is a package. */
function projectDirectory(directory: string): string {
  for (let place = directory; ; place = dirname(place)) {
    if (existsSync(join(place, "package.json"))) return place;
    if (dirname(place) === place) return directory;
  }
}

/** Parses the texts as one program with the options of the project's own tsconfig.json; nothing in it is ever saved. */
function openPeopleProject(directory: string, texts: ReadonlyMap<string, string>): Project {
  const { Project: TsMorphProject, ts } = loadTsMorph();
  const config = ts.findConfigFile(directory, ts.sys.fileExists);
  const project = new TsMorphProject({
    ...(config === undefined ? {} : { tsConfigFilePath: config }),
    skipAddingFilesFromTsConfig: true,
    skipLoadingLibFiles: true,
    compilerOptions: { noLib: true, types: [], allowJs: false, allowImportingTsExtensions: true, noEmit: true },
  });
  for (const [path, text] of texts) if (isSource(path)) addText(project, path, text);
  return project;
}

/** Adds a text to the project without its byte order mark, which offsets of edits do not count. */
function addText(project: Project, path: string, text: string): SourceFile {
  return project.createSourceFile(path, text.replace(/^\uFEFF/, ""), { overwrite: true });
}

function isSource(path: string): boolean {
  return /\.[cm]?tsx?$/.test(path);
}
