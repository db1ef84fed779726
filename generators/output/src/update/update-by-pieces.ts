import type {
  ApiModel,
  ArtefactChange,
  ArtefactResult,
  ArtefactUpdate,
  FilePiece,
  PiecedFile,
} from "@nodewright/model";

/** Emits a model that contains the changed operations only. */
export type EmitSlice = (model: ApiModel) => readonly PiecedFile[];

/**
 * Replaces the pieces of changed operations in the files.
 *
 * The result is certain under three conditions, and a doubt is returned when one is not met: emitting the previous operations gives exactly
 * the pieces that are in the files; the text around the pieces is the same before and after; and the pieces of the files show that nothing
 * else depends on single operations.
 */
export function updateByPieces(change: ArtefactChange, emit: EmitSlice): ArtefactUpdate {
  const before = emit(change.before);
  const after = emit(change.after);
  const files: PiecedFile[] = [];
  if (before.map(({ path }) => path).join() !== after.map(({ path }) => path).join())
    return { doubt: "other files are written" };
  for (const [index, old] of before.entries()) {
    const { path } = old;
    const whole = change.files.get(path);
    const now = after[index];
    if (whole === undefined || now === undefined) return { doubt: `${path} was not written before` };
    const updated = updateFile(whole, old, now);
    if ("doubt" in updated) return { doubt: `${path}: ${updated.doubt}` };
    files.push(updated);
  }
  return { files } satisfies ArtefactResult;
}

function updateFile(whole: PiecedFile, before: PiecedFile, after: PiecedFile): PiecedFile | { readonly doubt: string } {
  const [around, aroundNow] = [partsAround(before), partsAround(after)];
  const needsNothingNew =
    isWithin(around.imports, aroundNow.imports) && isWithin(aroundNow.imports, partsAround(whole).imports);
  if (around.rest !== aroundNow.rest || !needsNothingNew) return { doubt: "what stands around the operation changes" };
  const old = textsByOperation(before);
  const now = textsByOperation(after);
  const parts: string[] = [];
  const pieces: FilePiece[] = [];
  let copied = 0;
  let shift = 0;
  for (const { operation, start, end } of whole.pieces ?? []) {
    const expected = old.get(operation);
    if (expected === undefined) {
      pieces.push({ operation, start: start + shift, end: end + shift });
      continue;
    }
    const replacement = now.get(operation)?.shift();
    if (expected.shift() !== whole.text.slice(start, end)) return { doubt: `${operation} comes out otherwise` };
    if (replacement === undefined) return { doubt: `${operation} has fewer pieces` };
    parts.push(whole.text.slice(copied, start), replacement);
    copied = end;
    pieces.push({ operation, start: start + shift, end: start + shift + replacement.length });
    shift += replacement.length - (end - start);
  }
  if ([...old.values(), ...now.values()].some((rest) => rest.length > 0)) return { doubt: "pieces are left over" };
  parts.push(whole.text.slice(copied));
  return { path: whole.path, text: parts.join(""), ...(pieces.length === 0 ? {} : { pieces }) };
}

interface SurroundingParts {
  /** Imports of the file: module, name, and whether it is only a type. */
  readonly imports: ReadonlySet<string>;
  /** Rest of the text, with placeholders for the pieces. */
  readonly rest: string;
}

/** Returns the text around the pieces. Imports are separate: a file of many operations has those of all of them. */
function partsAround({ text, pieces = [] }: PiecedFile): SurroundingParts {
  const importsEnd = endOfImports(text);
  const parts: string[] = [];
  let at = importsEnd;
  for (const { operation, start, end } of pieces) {
    parts.push(text.slice(at, start), operation);
    at = end;
  }
  return { imports: importsIn(text.slice(0, importsEnd)), rest: [...parts, text.slice(at)].join("\0") };
}

/** Returns the offset of the first declaration: imports are between it and the first line, one after the other. */
function endOfImports(text: string): number {
  const start = text.indexOf("\n\n") + 2;
  return text.startsWith("import ", start) ? text.indexOf("\n\n", start) + 2 : start;
}

function importsIn(head: string): ReadonlySet<string> {
  const statements = head.matchAll(/^import (type )?\{([^}]*)\} from (.*);$/gm);
  const symbols = [...statements].flatMap(([, type = "", names = "", module = ""]) =>
    names
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "")
      .map((name) => `${module} ${type !== "" && !name.startsWith("type ") ? "type " : ""}${name}`),
  );
  return new Set(symbols);
}

function isWithin(names: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return [...names].every((name) => others.has(name));
}

function textsByOperation({ text, pieces = [] }: PiecedFile): ReadonlyMap<string, string[]> {
  const texts = new Map<string, string[]>();
  for (const { operation, start, end } of pieces) {
    const piece = text.slice(start, end);
    const known = texts.get(operation);
    if (known === undefined) texts.set(operation, [piece]);
    else known.push(piece);
  }
  return texts;
}
