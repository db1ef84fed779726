import { resolve } from "node:path";
import { type ApiModel, handlerFileName } from "@nodewright/model";
import type { HandlerRename, PeopleFileChange } from "@nodewright/output/rename";
import type { HandlersRecord, Manifest, WriteStep } from "@nodewright/output/write";
import { UsageError } from "@nodewright/terminal-text";
import { type AmbiguousRename, findRenames, type Rename } from "./find-renames.ts";
import { operationShapes } from "./operation-shape.ts";

/** The user's decision about operations that look renamed. */
export type RenameDecision =
  /** Reports them, and withholds the stubs of the new names. */
  | { readonly kind: "propose" }
  /** Treats each as one removed and one new operation. */
  | { readonly kind: "ignore" }
  /** Moves the handlers of certain renames. */
  | { readonly kind: "apply-sure" }
  /** Moves the handlers of the named renames. */
  | { readonly kind: "apply"; readonly renames: readonly Rename[] };

/** The facts about a document and its handlers before anything is emitted. */
export interface RenameSituation {
  readonly root: string;
  readonly model: ApiModel;
  readonly manifest: Manifest | undefined;
  /** Directories of the handlers, of the package and of its generated files, relative to the root. */
  readonly handlers: string;
  readonly package: { readonly directory: string; readonly generated: string; readonly name: string };
  /** Handler files on disk, without extension. */
  readonly present: readonly string[];
  readonly choice: RenameDecision;
}

export interface RenamePlan {
  readonly applied: readonly Rename[];
  /** Hand-written files that move or change. */
  readonly changes: readonly PeopleFileChange[];
  /** Open renames; a certain one has a single candidate. */
  readonly proposed: readonly AmbiguousRename[];
  /** New operations that get no stub until it is decided whether they are new. */
  readonly withheld: ReadonlySet<string>;
  /** Handler files by name after the plan is performed. */
  readonly present: readonly string[];
  /** Operations that were removed from the document while their handlers still exist, after the plan is performed. */
  readonly removed: readonly string[];
  /** Shapes of operations to record, by name. */
  readonly shapes: Readonly<Record<string, string>>;
}

/** Plans the handlers of removed operations. Writes nothing. Throws a `UsageError` for an impossible move. */
export async function planRenames(situation: RenameSituation): Promise<RenamePlan> {
  const { model, manifest, present, choice } = situation;
  const shapes = operationShapes(model);
  const files = new Set(present);
  const known = manifest?.handlers?.shapes ?? {};
  const gone = [...new Set([...(manifest?.operations ?? []), ...Object.keys(known)])].filter(
    (name) => shapes[name] === undefined && files.has(handlerFileName(name)),
  );
  const appeared = appearedOperations(situation, new Set(gone.map(handlerFileName)));
  const found =
    choice.kind === "ignore"
      ? { sure: [], ambiguous: [] }
      : findRenames(
          new Map(gone.flatMap((name) => (known[name] === undefined ? [] : [[name, known[name]]]))),
          new Map(appeared.map((name) => [name, shapes[name] ?? ""])),
        );
  const applied = chosenRenames(choice, found.sure, new Set(gone), new Set(appeared));
  const changes = applied.length === 0 ? [] : await planMoves(situation, applied);
  const settledFrom = new Set(applied.map(({ from }) => from));
  const settledTo = new Set(applied.map(({ to }) => to));
  const proposed = [...found.sure.map(({ from, to }) => ({ from, candidates: [to] })), ...found.ambiguous].flatMap(
    ({ from, candidates }) => {
      const open = candidates.filter((to) => !settledTo.has(to));
      return settledFrom.has(from) || open.length === 0 ? [] : [{ from, candidates: open }];
    },
  );
  const removed = gone.filter((name) => !settledFrom.has(name)).toSorted();
  return {
    applied,
    changes,
    proposed,
    withheld: new Set(proposed.flatMap(({ candidates }) => candidates)),
    present: presentAfter(present, applied),
    removed,
    shapes: { ...shapes, ...Object.fromEntries(removed.map((name) => [name, known[name] ?? ""])) },
  };
}

/** Returns the part of a plan that the manifest records. */
export function recordOfRenames({ shapes, proposed }: RenamePlan): Pick<HandlersRecord, "shapes" | "proposed"> {
  if (proposed.length === 0) return { shapes };
  return { shapes, proposed: Object.fromEntries(proposed.map(({ from, candidates }) => [from, candidates])) };
}

/** Returns the write steps that perform the moves and changes. */
export function renameSteps({ changes }: RenamePlan): readonly WriteStep[] {
  return changes.flatMap(({ before, after }): readonly WriteStep[] =>
    before.path === after.path
      ? [{ kind: "write", path: after.path, text: after.text, before: before.text }]
      : [
          { kind: "write", path: after.path, text: after.text, before: undefined },
          { kind: "remove", path: before.path, before: before.text },
        ],
  );
}

/** Returns the operations that no handler was ever written or offered for. */
function appearedOperations(
  { model, manifest, present }: RenameSituation,
  goneFiles: ReadonlySet<string>,
): readonly string[] {
  const offered = new Set(manifest?.operations ?? []);
  const files = new Set(present);
  return model.operations
    .map(({ name }) => name)
    .filter((name) => {
      const file = handlerFileName(name);
      return !offered.has(name) && (!files.has(file) || goneFiles.has(file));
    });
}

function chosenRenames(
  choice: RenameDecision,
  sure: readonly Rename[],
  gone: ReadonlySet<string>,
  appeared: ReadonlySet<string>,
): readonly Rename[] {
  if (choice.kind === "apply-sure") return sure;
  if (choice.kind !== "apply") return [];
  return choice.renames.filter(({ from, to }) => gone.has(from) && appeared.has(to));
}

async function planMoves(situation: RenameSituation, applied: readonly Rename[]): Promise<readonly PeopleFileChange[]> {
  const { root, handlers, manifest, model } = situation;
  // It imports the compiler: it is loaded only when something is renamed.
  const { planHandlerRenames } = await import("@nodewright/output/rename");
  const { contractNames } = await import("@nodewright/emit-contract/names");
  const { safeIdentifier, upperFirst } = await import("@nodewright/output");
  const operations = new Map(model.operations.map((operation) => [operation.name, operation]));
  const names = contractNames(model);
  const renames = applied.flatMap(({ from, to }): readonly HandlerRename[] => {
    const operation = operations.get(to);
    if (operation === undefined) return [];
    return [
      {
        operation: { from, to },
        symbol: { from: safeIdentifier(from), to: safeIdentifier(to) },
        file: { from: handlerFileName(from), to: handlerFileName(to) },
        contractNames: renamedTypes(upperFirst(from), names.of(operation)),
      },
    ];
  });
  const { changes, conflicts } = planHandlerRenames({
    directory: resolve(root, handlers),
    package: {
      directory: resolve(root, situation.package.directory),
      generated: resolve(root, situation.package.generated),
      name: situation.package.name,
    },
    owned: new Set(Object.keys(manifest?.handlers?.owned ?? {}).map((path) => resolve(root, path))),
    renames,
  });
  if (conflicts.length === 0) return changes;
  const sentences = conflicts.map((sentence) => `  ${sentence.replaceAll(`${root}/`, "")}`);
  throw new UsageError(["The renames cannot be applied, and nothing was written:", ...sentences].join("\n"), 1);
}

/** Returns the old and new names of an operation's types and functions in the generated package. */
function renamedTypes(
  stem: string,
  names: Readonly<Record<"input" | "output" | "reply" | "failure", string>>,
): Map<string, string> {
  const pairs = [
    [`${stem}Input`, names.input],
    [`${stem}Output`, names.output],
    [`${stem}Reply`, names.reply],
    [`${stem}Failure`, names.failure],
  ] as const;
  return new Map(
    ["", "is", "violationsOf", "decode", "encode"].flatMap((prefix) =>
      pairs.map(([before, after]) => [prefix + before, prefix + after] as const),
    ),
  );
}

function presentAfter(present: readonly string[], applied: readonly Rename[]): readonly string[] {
  const renamed = new Map(applied.map(({ from, to }) => [handlerFileName(from), handlerFileName(to)]));
  return present.map((name) => renamed.get(name) ?? name).toSorted();
}
