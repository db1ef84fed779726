import { isRecord } from "../json/is-record.ts";
import { readValidJson } from "../json/valid-json.ts";

/** Pattern of a fraction, an exponent or more digits than are converted after `"id":`, or a zero with a sign. */
const unusualId = /"id"\s*:\s*(?:-?[0-9]+[.eE]|-?[0-9]{1000}|-0)/;

/**
 * Returns whether a request or batch may have an id that differs, as it was sent, from JavaScript's output for it: `1e400` is read as
 * infinite, `1.50` as `1.5`. May be true for text without such an id.
 */
export function hasUnusualId(text: string, members: readonly { readonly id?: unknown }[]): boolean {
  if (!members.some(({ id }) => typeof id === "number" || typeof id === "bigint")) return false;
  return unusualId.test(text) || members.some(({ id }) => typeof id === "number" && !Number.isSafeInteger(id));
}

/**
 * Returns the texts of numeric ids as they were sent, for the request or for each member of a batch; undefined for other ids. `text` is the
 * JSON that `members` were read from.
 */
export function readIdTexts(
  text: string,
  members: readonly { readonly id?: unknown }[],
): readonly (string | undefined)[] {
  const value = readValidJson(text, (source) => source);
  const records = Array.isArray(value) ? value : [value];
  return members.map(({ id }, position) => {
    if (typeof id !== "number" && typeof id !== "bigint") return undefined;
    const record: unknown = records[position];
    const source = isRecord(record) ? record["id"] : undefined;
    return typeof source === "string" ? source : undefined;
  });
}
