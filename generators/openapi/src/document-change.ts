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

/** What changed in a document: operations of one path. Offsets are into the text before, unless they say otherwise. */
export interface PathChange {
  readonly path: string;
  /** The path item as it was. */
  readonly start: number;
  readonly end: number;
  /** By how many characters the text is longer than before, all of them in the path item. */
  readonly delta: number;
  /** Members of the path item that describe what is not the same for all of its operations, as they were and are. */
  readonly operations: readonly ChangedMember[];
  /** Members that hold for all operations. */
  readonly shared: readonly ChangedMember[];
  /** Operations that are the same in both texts. */
  readonly others: readonly ChangedMember[];
}

/** A member of a path item in both texts: offsets into the one and into the other. */
export interface ChangedMember {
  readonly name: string;
  readonly before: TextRange;
  readonly after: TextRange;
}

export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Finds what changed between two texts of a document, where that is no more than operations of one path; else says what it is. */
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

/** The path item that holds everything between two offsets, its own braces outside. */
function itemAround(paths: readonly NamedRange[], start: number, end: number): NamedRange | undefined {
  return paths.find(([, from, to]) => from < start && end < to);
}

/** How many characters two texts begin with alike. */
function commonStart(left: string, right: string): number {
  const longest = Math.min(left.length, right.length);
  return longestAlike(longest, (length, from) => left.slice(from, length) === right.slice(from, length));
}

/** How many characters two texts end with alike, those at their start left out. */
function commonEnd(left: string, right: string, start: number): number {
  const longest = Math.min(left.length, right.length) - start;
  return longestAlike(
    longest,
    (length, from) =>
      left.slice(left.length - length, left.length - from) === right.slice(right.length - length, right.length - from),
  );
}

/** The largest length up to which all is alike; `isAlike` says it of what lies between a length that is known to be and another. */
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

/** The members of an object that stands in a text; undefined where it is none, or where anything about it is wrong. */
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
