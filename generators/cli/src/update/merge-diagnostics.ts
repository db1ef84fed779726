import type { ChangedMember, DocumentSlice, PathChange, TextRange } from "@nodewright/openapi";
import { appendPointer, type Diagnostic, type SourceText } from "@nodewright/source";
import type { ReadSlices } from "./read-slices.ts";

/**
 * Codes of diagnostics that depend only on a single value. All others may depend on the complete document.
 */
const valueCodes: ReadonlySet<string> = new Set(["example/does-not-match-schema", "value/unfit-default"]);

/** Input of `mergeDiagnostics`. */
export interface MergedParts {
  /** Diagnostics of the previous run. */
  readonly diagnostics: readonly Diagnostic[];
  readonly read: ReadSlices;
  readonly slice: DocumentSlice;
  readonly change: PathChange;
  /** Current source text of the document. */
  readonly text: SourceText;
}

/**
 * Returns the warnings of the complete document: the previous ones at their current locations, and those of the changed operations. Returns
 * undefined if they cannot be determined with certainty.
 */
export function mergeDiagnostics({
  diagnostics,
  read,
  slice,
  change,
  text,
}: MergedParts): readonly Diagnostic[] | undefined {
  const isOwn = isWithin(change.path, ownMembers(change));
  const isMovable = (diagnostic: Diagnostic): boolean => valueCodes.has(diagnostic.code) && isOwn(diagnostic);
  const [old, now] = [read.before, read.after].map((one) => one.diagnostics);
  if (old === undefined || now === undefined) return undefined;
  // Diagnostics that are not about values of the operations must be the same, wherever they are reported.
  const rest = (all: readonly Diagnostic[]): string => joinedKeys(all.filter((one) => !isMovable(one)));
  if (rest(old) !== rest(now)) return undefined;
  if (joinedKeys(old.filter(isMovable)) !== joinedKeys(diagnostics.filter(isMovable))) return undefined;
  const inSlice = new Map(now.map((one) => [diagnosticKey(one), one]));
  const unmoved = diagnostics.filter((one) => !isMovable(one));
  const kept = unmoved.map((one) => moveDiagnostic(text, one, currentRange(one, { isOwn, inSlice, slice, change })));
  const current = now.filter(isMovable).map((one) => moveDiagnostic(text, one, rangeInDocument(slice, one.source)));
  const all = [...kept, ...current].filter((one) => one !== undefined);
  return all.length < kept.length + current.length ? undefined : all;
}

/**
 * Returns the members whose diagnostics were all reported again. Members that the operations of a path share count only if all of these
 * operations were read.
 */
function ownMembers({ operations, shared, others }: PathChange): readonly ChangedMember[] {
  return others.length === 0 ? [...operations, ...shared] : operations;
}

/** Returns a predicate for diagnostics in one of some members of a path item. */
function isWithin(path: string, members: readonly ChangedMember[]): (diagnostic: Diagnostic) => boolean {
  const item = appendPointer("/paths", path);
  const places = members.map(({ name }) => appendPointer(item, name));
  return ({ source: { pointer } }) => places.some((place) => pointer === place || pointer.startsWith(`${place}/`));
}

function diagnosticKey({ code, source }: Diagnostic): string {
  return `${code} ${source.pointer}`;
}

function joinedKeys(diagnostics: readonly Diagnostic[]): string {
  return diagnostics
    .map((one) => `${diagnosticKey(one)} ${one.severity} ${one.message}`)
    .toSorted()
    .join("\n");
}

/** Returns the current location of a previous diagnostic; undefined where that is not known. */
function currentRange(
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
): TextRange | undefined {
  const { start, end, pointer } = diagnostic.source;
  if (start < change.start) return { start, end: end >= change.end ? end + change.delta : end };
  if (start >= change.end) return { start: start + change.delta, end: end + change.delta };
  if (isOwn(diagnostic)) {
    const found = inSlice.get(diagnosticKey(diagnostic));
    if (found !== undefined) return rangeInDocument(slice, found.source);
    const item = appendPointer("/paths", change.path);
    return change.operations.find(({ name }) => appendPointer(item, name) === pointer)?.after;
  }
  // Next to an unchanged operation, the shared members are unchanged too.
  const same = change.others.length === 0 ? [] : [...change.others, ...change.shared];
  const around = same.find(({ before }) => before.start <= start && start < before.end);
  return around && { start: shiftedOffset(around, start), end: shiftedOffset(around, end) };
}

function shiftedOffset({ before, after }: ChangedMember, offset: number): number {
  return offset - before.start + after.start;
}

function rangeInDocument({ segments }: DocumentSlice, { start, end }: TextRange): TextRange | undefined {
  const segment = segments.find(({ at, length }) => at <= start && start < at + length);
  return segment && { start: segment.from + start - segment.at, end: segment.from + end - segment.at };
}

function moveDiagnostic(
  text: SourceText,
  diagnostic: Diagnostic,
  place: TextRange | undefined,
): Diagnostic | undefined {
  return place && { ...diagnostic, source: text.range(place.start, place.end, diagnostic.source.pointer) };
}
