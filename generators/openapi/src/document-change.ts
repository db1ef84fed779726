import {
  createDiagnosticSink,
  createReport,
  createSourceText,
  readJson,
  sourceDiagnostics,
  type SourceNode,
} from "@nodewright/source";
import { type DocumentOutline, type NamedRange, unsliceable } from "./document-outline.ts";
import { isOperationMember } from "./operation-places.ts";

/** A change of a document that is confined to the operations of one path. Offsets are into the old text unless stated otherwise. */
export interface PathChange {
  readonly path: string;
  /** Offset of the path item in the old text. */
  readonly start: number;
  readonly end: number;
  /** Length difference between the new and the old text, in UTF-16 units; all of it is within the path item. */
  readonly delta: number;
  /** Changed members of the path item that describe single operations, before and after. */
  readonly operations: readonly ChangedMember[];
  /** Members that apply to all operations of the path item. */
  readonly shared: readonly ChangedMember[];
  /** Operations that are the same in both texts. */
  readonly others: readonly ChangedMember[];
}

/** A member of a path item, with its offsets in the old and in the new text. */
export interface ChangedMember {
  readonly name: string;
  readonly before: TextRange;
  readonly after: TextRange;
}

/** Range of a source text: offsets in UTF-16 code units, without the end. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the change between two versions of a document if it is confined to operations of one path; otherwise returns the reason why it is
 * not.
 */
export function findPathChange(
  before: string,
  after: string,
  { paths }: DocumentOutline,
): PathChange | { readonly doubt: string } {
  const start = commonStart(before, after);
  const rest = commonEnd(before, after, start);
  const end = before.length - rest;
  const delta = after.length - before.length;
  const item = itemAround(paths, start, end);
  if (item === undefined) return { doubt: "more than one path changed" };
  const [path, itemStart, itemEnd] = item;
  const old = membersOf(before, { start: itemStart, end: itemEnd });
  const now = membersOf(after, { start: itemStart, end: itemEnd + delta });
  if (old === undefined || now === undefined) return { doubt: "the path item cannot be read separately" };
  if (JSON.stringify([...old.keys()]) !== JSON.stringify([...now.keys()]))
    return { doubt: "members of a path come or go" };
  if (unsliceable.some((pattern) => pattern.test(after.slice(itemStart, itemEnd + delta))))
    return { doubt: "something refers to other things than components" };
  if (old.has("$ref") || old.has("additionalOperations")) return { doubt: "the path item stands elsewhere" };
  const members = [...old].map(
    ([name, range]): ChangedMember => ({ name, before: range, after: now.get(name) ?? range }),
  );
  const isChanged = ({ before: from, after: to }: ChangedMember): boolean =>
    before.slice(from.start, from.end) !== after.slice(to.start, to.end);
  const shared = members.filter(({ name }) => !isOperationMember(name));
  const own = members.filter(({ name }) => isOperationMember(name));
  const operations = shared.some(isChanged) ? own : own.filter(isChanged);
  if (operations.length === 0) return { doubt: "no operation changed" };
  const changed = new Set(operations);
  const others = own.filter((member) => !changed.has(member));
  return { path, start: itemStart, end: itemEnd, delta, operations, shared, others };
}

/** Returns the path item that contains the range between two offsets, excluding its own braces. */
function itemAround(paths: readonly NamedRange[], start: number, end: number): NamedRange | undefined {
  return paths.find(([, from, to]) => from < start && end < to);
}

/** Returns the length of the common prefix of two strings. */
function commonStart(left: string, right: string): number {
  const longest = Math.min(left.length, right.length);
  return longestAlike(longest, (length, from) => left.slice(from, length) === right.slice(from, length));
}

/** Returns the length of the common suffix of two strings, excluding the first `start` characters. */
function commonEnd(left: string, right: string, start: number): number {
  const longest = Math.min(left.length, right.length) - start;
  return longestAlike(
    longest,
    (length, from) =>
      left.slice(left.length - length, left.length - from) === right.slice(right.length - length, right.length - from),
  );
}

/**
 * Returns the greatest length up to which everything is equal, by binary search. `isAlike` compares only from the length that is known to
 * be equal.
 */
function longestAlike(longest: number, isAlike: (length: number, from: number) => boolean): number {
  let known = 0;
  for (let low = 0, high = longest; low < high; ) {
    const middle = (low + high + 1) >> 1;
    if (isAlike(middle, known)) {
      low = middle;
      known = middle;
    } else high = middle - 1;
  }
  return known;
}

/** Returns the members of the object at a range of a text; undefined if there is no object or it has a syntax error. */
function membersOf(text: string, { start, end }: TextRange): ReadonlyMap<string, TextRange> | undefined {
  const sink = createDiagnosticSink();
  const source = createSourceText("", text.slice(start, end));
  const node: SourceNode | undefined = readJson(source, createReport("source", sourceDiagnostics, sink));
  if (node?.kind !== "object" || sink.diagnostics.length > 0) return undefined;
  return new Map(
    [...node.members.values()].map(({ name, node: value }) => [
      name,
      { start: start + value.start, end: start + value.end },
    ]),
  );
}
