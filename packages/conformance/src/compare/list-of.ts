import { escapeSegment, isRecord } from "@nodewright/api-model";
import { plainName } from "./volatile-names.ts";

/** A list in a response, with its place. */
export interface ListInResult {
  /** JSON Pointer; empty where the response is the list. */
  readonly pointer: string;
  readonly items: readonly unknown[];
}

/** Names of members that contain the elements of a page, without separators and in lower case. */
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

/** Returns the main list of a response: the response itself, the one with a usual name, or its only list. */
export function listOf(value: unknown): ListInResult | undefined {
  if (Array.isArray(value)) return { pointer: "", items: value };
  if (!isRecord(value)) return undefined;
  const lists = Object.entries(value).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  const [only] = lists;
  const named = lists.find(([name]) => listNames.has(plainName(name)));
  const found = named ?? (lists.length === 1 ? only : undefined);
  return found === undefined ? undefined : { pointer: `/${escapeSegment(found[0])}`, items: found[1] };
}

/** Names of members that identify an object among others of its type, the best first. */
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

/** Returns the member that identifies the elements of a list: all have it, with a string or an integer. */
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

/** Whether a value can identify objects. */
export function isIdentifier(value: unknown): value is string | number | bigint {
  return (typeof value === "string" && value !== "") || typeof value === "bigint" || Number.isInteger(value);
}

/**
 * Returns the identity of a list element: its identifier, or the element itself where it is plain. Numbers and strings of their digits are
 * equal, as they are in a path.
 */
export function identityOf(item: unknown, identifier: string | undefined): string | undefined {
  if (identifier !== undefined && isRecord(item)) return String(item[identifier]);
  return isIdentifier(item) ? String(item) : undefined;
}
