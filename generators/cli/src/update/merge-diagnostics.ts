import type { ChangedMember, DocumentSlice, PathChange } from "@nodewright/openapi";
import { appendPointer, type Diagnostic, type SourceRange, type SourceText } from "@nodewright/source";
import type { ReadSlices } from "./read-slices.ts";

/** What is told about values, at the place of each, whatever else the document says. All else may be counted over the whole of it. */
const aboutValues: ReadonlySet<string> = new Set(["example/does-not-match-schema", "value/unfit-default"]);

export interface MergedParts {
  /** Of the run before. */
  readonly diagnostics: readonly Diagnostic[];
  readonly read: ReadSlices;
  readonly slice: DocumentSlice;
  readonly change: PathChange;
  /** The document as it is now. */
  readonly text: SourceText;
}

/**
 * The warnings of the whole document as it is now: those before, at the places where they are now, and those of the changed operations.
 * Undefined where that is not sure.
 */
export function mergeDiagnostics({
  diagnostics,
  read,
  slice,
  change,
  text,
}: MergedParts): readonly Diagnostic[] | undefined {
  const isOwn = ownPlaces(change);
  const isMovable = (diagnostic: Diagnostic): boolean => aboutValues.has(diagnostic.code) && isOwn(diagnostic);
  const [old, now] = [read.before, read.after].map((one) => one.diagnostics);
  if (old === undefined || now === undefined) return undefined;
  // What is not about values of the operations is to be the same, wherever it is told.
  const rest = (all: readonly Diagnostic[]): string => keysOf(all.filter((one) => !isMovable(one)));
  if (rest(old) !== rest(now)) return undefined;
  if (keysOf(old.filter(isMovable)) !== keysOf(diagnostics.filter(isMovable))) return undefined;
  const inSlice = new Map(now.map((one) => [placeKey(one), one]));
  const places = new Map(diagnostics.map((one) => [one, placeOf(one, { isOwn, inSlice, slice, change })]));
  if (diagnostics.some((one) => !isMovable(one) && places.get(one) === undefined)) return undefined;
  const kept = diagnostics
    .filter((one) => !isMovable(one))
    .map((one) => ({ ...one, source: rangeAt(text, one.source, places.get(one) ?? 0) }));
  const own = now.filter(isMovable).map((one) => {
    const start = placeInDocument(slice, one.source.start);
    return start === undefined ? undefined : { ...one, source: rangeAt(text, one.source, start) };
  });
  return own.includes(undefined) ? undefined : [...kept, ...own.filter((one) => one !== undefined)];
}

/** Whether a diagnostic stands in what was read again: an operation, or what holds for all operations of the path. */
function ownPlaces({ path, operations, shared }: PathChange): (diagnostic: Diagnostic) => boolean {
  const item = appendPointer("/paths", path);
  const own = [...operations, ...shared].map(({ name }) => appendPointer(item, name));
  return ({ source: { pointer } }) => own.some((place) => pointer === place || pointer.startsWith(`${place}/`));
}

function placeKey({ code, source }: Diagnostic): string {
  return `${code} ${source.pointer}`;
}

function keysOf(diagnostics: readonly Diagnostic[]): string {
  return diagnostics
    .map((one) => `${placeKey(one)} ${one.severity} ${one.message}`)
    .toSorted()
    .join("\n");
}

/** Where a diagnostic of before starts now; undefined where that is not known. */
function placeOf(
  diagnostic: Diagnostic,
  {
    isOwn,
    inSlice,
    slice,
    change,
  }: {
    readonly isOwn: (diagnostic: Diagnostic) => boolean;
    readonly inSlice: ReadonlyMap<string, Diagnostic>;
    readonly slice: DocumentSlice;
    readonly change: PathChange;
  },
): number | undefined {
  const { start } = diagnostic.source;
  if (start < change.start) return start;
  if (start >= change.end) return start + change.delta;
  if (isOwn(diagnostic)) {
    const found = inSlice.get(placeKey(diagnostic));
    return found && placeInDocument(slice, found.source.start);
  }
  const around = change.others.find(({ before }) => before.start <= start && start < before.end);
  return around && movedWith(around, start);
}

function movedWith({ before, after }: ChangedMember, offset: number): number {
  return offset - before.start + after.start;
}

function placeInDocument({ segments }: DocumentSlice, offset: number): number | undefined {
  const segment = segments.find(({ at, length }) => at <= offset && offset < at + length);
  return segment && segment.from + offset - segment.at;
}

function rangeAt(text: SourceText, { start: from, end, pointer }: SourceRange, start: number): SourceRange {
  return text.range(start, start + end - from, pointer);
}
