import { escapeSegment, isRecord } from "@nodewright/api-model";
import { plainName } from "./volatile-names.ts";

/** A list in an answer, and where it stands. */
export interface ListInAnswer {
  /** JSON Pointer; empty when the answer is the list. */
  readonly pointer: string;
  readonly items: readonly unknown[];
}

/** Names of members that hold the elements of a page, without separators and in lower case. */
export const listNames: ReadonlySet<string> = new Set([
  "items",
  "data",
  "results",
  "result",
  "elements",
  "entries",
  "records",
  "rows",
  "values",
  "list",
  "content",
  "hits",
  "objects",
  "resources",
]);

/** Finds the list that an answer is about: itself, its only list, or the one with a usual name. */
export function listOf(value: unknown): ListInAnswer | undefined {
  if (Array.isArray(value)) return { pointer: "", items: value };
  if (!isRecord(value)) return undefined;
  const lists = Object.entries(value).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  const [only] = lists;
  const named = lists.find(([name]) => listNames.has(plainName(name)));
  const found = named ?? (lists.length === 1 ? only : undefined);
  return found === undefined ? undefined : { pointer: `/${escapeSegment(found[0])}`, items: found[1] };
}

/** Names of members that tell an object from all others of its kind, the best first. */
const identifierNames = [
  "id",
  "uuid",
  "guid",
  "txid",
  "hash",
  "blockhash",
  "transactionid",
  "key",
  "slug",
  "sku",
  "isbn",
  "code",
];

/** The member that tells the elements of a list apart: all have it, and it is a text or a whole number. */
export function identifierOf(items: readonly unknown[]): string | undefined {
  const [first] = items;
  if (!isRecord(first)) return undefined;
  const names = Object.keys(first);
  const ranked = [
    ...identifierNames.flatMap((wanted) => names.filter((name) => plainName(name) === wanted)),
    ...names.filter((name) => /(?:Id|ID|_id|_uuid|Uuid)$/.test(name)).slice(0, 1),
  ];
  return ranked.find((name) => items.every((item) => isRecord(item) && isIdentifier(item[name])));
}

/** Whether a value can tell objects apart. */
export function isIdentifier(value: unknown): value is string | number | bigint {
  return (typeof value === "string" && value !== "") || typeof value === "bigint" || Number.isInteger(value);
}

/**
 * What an element of a list is told apart by: its identifier, or itself when it is plain. Numbers and texts that spell them are the same,
 * as they are in a path.
 */
export function identityOf(item: unknown, identifier: string | undefined): string | undefined {
  if (identifier !== undefined && isRecord(item)) return String(item[identifier]);
  return isIdentifier(item) ? String(item) : undefined;
}
