import { ownMember } from "../basics/own-member.ts";
import { isRecord, segmentsOf } from "@nodewright/api-model";
import type { Report } from "../contract/report.ts";
import { visibleText } from "@nodewright/terminal-text";
import { parseJson } from "../basics/parse-json.ts";

/** A line of a shortened JSON value; `isMarked`: the finding is about it. */
export interface ValueLine {
  readonly text: string;
  readonly isMarked: boolean;
}

/** Root of pointers in bodies of a protocol. */
const rootOf = { http: undefined, rpc: "result", graphql: "data" } as const;
/** Number of siblings that are shown around the marked value. */
const shownSiblings = 3;
/** Number of lines that are shown around the marked line. */
const shownLines = 7;

/**
 * Shortens a JSON string to what a finding is about: the members on the way to `pointer` and a few of their siblings. Numbers keep their
 * spelling. A string that is not JSON is cut.
 */
export function showValue(
  text: string,
  pointer: string | undefined,
  protocol: Report["protocol"],
  width: number,
): readonly ValueLine[] {
  const value = parseKeepingNumbers(text);
  if (value === undefined) return [{ text: cut(visibleText(text), width * 2), isMarked: false }];
  const path = pointer === undefined ? undefined : pathOf(value.json, segmentsOf(pointer), rootOf[protocol]);
  const whole = JSON.stringify(value.json);
  if (whole.length <= width && (path === undefined || path.length === 0))
    return [{ text: visibleText(whole), isMarked: path !== undefined }];
  if (path === undefined) return [{ text: cut(visibleText(whole), width * 2), isMarked: false }];
  return linesOf(value.json, path, "", "", width);
}

/** Returns the lines around the first marked one: with its request and the document, a finding fits on a screen. */
export function aroundMarked(lines: readonly ValueLine[]): readonly ValueLine[] {
  if (lines.length <= shownLines) return lines;
  const marked = lines.findIndex(({ isMarked }) => isMarked);
  const from = Math.min(Math.max(0, marked - 4), lines.length - shownLines);
  return lines.slice(from, from + shownLines);
}

function linesOf(
  value: unknown,
  path: readonly string[],
  label: string,
  indent: string,
  width: number,
): readonly ValueLine[] {
  const [step, ...rest] = path;
  const room = Math.max(20, width - indent.length - label.length);
  if (step === undefined || typeof value !== "object" || value === null)
    return [{ text: `${indent}${label}${cut(visibleText(JSON.stringify(value) ?? ""), room)}`, isMarked: true }];
  const isList = Array.isArray(value);
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value);
  const at = entries.findIndex(([name]) => name === step);
  const from = Math.max(0, Math.min(at - 1, entries.length - shownSiblings));
  const deeper = `${indent}  `;
  const shown = entries.slice(from, from + shownSiblings);
  const left = entries.length - from - shown.length;
  const members = shown.flatMap(([name, member], position) => {
    const own = isList ? "" : `${visibleText(JSON.stringify(name))}: `;
    const lines =
      name === step ? linesOf(member, rest, own, deeper, width) : [neighbour(`${deeper}${own}`, member, width)];
    return position === shown.length - 1 && left === 0 ? lines : withComma(lines);
  });
  return [
    { text: `${indent}${label}${isList ? "[" : "{"}`, isMarked: false },
    ...elided(from, deeper),
    ...members,
    ...elided(left, deeper),
    { text: `${indent}${isList ? "]" : "}"}`, isMarked: false },
  ];
}

function neighbour(label: string, value: unknown, width: number): ValueLine {
  const room = Math.max(20, Math.min(60, width - label.length));
  return { text: `${label}${cut(visibleText(JSON.stringify(value)), room)}`, isMarked: false };
}

function elided(count: number, indent: string): readonly ValueLine[] {
  return count === 0 ? [] : [{ text: `${indent}… ${count} more`, isMarked: false }];
}

function withComma(lines: readonly ValueLine[]): readonly ValueLine[] {
  return lines.map((line, position) => (position === lines.length - 1 ? { ...line, text: `${line.text},` } : line));
}

/** Cuts a string at `length` characters, never within a character. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** Parses JSON with the spelling of numbers kept for `JSON.stringify`: a double would round them. */
function parseKeepingNumbers(text: string): { readonly json: unknown } | undefined {
  const { rawJSON } = JSON as unknown as { rawJSON(source: string): unknown };
  try {
    return {
      json: JSON.parse(text, (_name, value: unknown, context?: { readonly source?: string }) =>
        typeof value === "number" && context?.source !== undefined ? rawJSON(context.source) : value,
      ),
    };
  } catch {
    return undefined;
  }
}

/** Returns the path to the value of a pointer, as far as it exists; `*` is the element that differs from the others, else the first. */
function pathOf(value: unknown, segments: readonly string[], root: string | undefined): readonly string[] {
  const inner = root === undefined ? undefined : ownMember(value, root);
  return root === undefined || inner === undefined ? walk(value, segments) : [root, ...walk(inner, segments)];
}

function walk(value: unknown, segments: readonly string[]): readonly string[] {
  const [segment, ...rest] = segments;
  if (segment === undefined) return [];
  if (segment === "*" && Array.isArray(value)) {
    const position = oddOneOf(value.map((element) => kindAt(element, rest)));
    return position === undefined ? [] : [String(position), ...walk(value[position], rest)];
  }
  const member = ownMember(value, segment);
  return member === undefined ? [] : [segment, ...walk(member, rest)];
}

function kindAt(value: unknown, segments: readonly string[]): string {
  let current = value;
  for (const segment of segments) {
    if (segment === "*") break;
    current = ownMember(current, segment);
  }
  if (current === null) return "null";
  if (Array.isArray(current)) return "list";
  // A number with its spelling is an object too.
  return typeof current === "object" && Object.hasOwn(current, "rawJSON") ? "number" : typeof current;
}

/** Returns the position of the first element of the rarest kind. */
function oddOneOf(kinds: readonly string[]): number | undefined {
  const counts = new Map<string, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  let best: number | undefined;
  for (const [position, kind] of kinds.entries()) {
    const before = best === undefined ? undefined : counts.get(kinds[best] ?? "");
    if (before === undefined || (counts.get(kind) ?? 0) < before) best = position;
  }
  return best;
}

/**
 * Returns the call in a body: `eth_getBalance ["0x1","latest"]` for JSON-RPC; for GraphQL, the document in one line and its variables.
 * Returns `undefined` for any other body.
 */
export function calledIn(body: string): string | undefined {
  const value = parseJson(body);
  if (!isRecord(value)) return undefined;
  const { method, params, query, variables } = value;
  if (typeof method === "string") return params === undefined ? method : `${method} ${JSON.stringify(params)}`;
  if (typeof query !== "string" || query === "") return undefined;
  const text = query.replaceAll(/\s+/g, " ").trim();
  return variables === undefined ? text : `${text} ${JSON.stringify(variables)}`;
}
