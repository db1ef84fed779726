import { isRecord } from "@nodewright/api-model";
import { plainName } from "../compare/volatile-names.ts";
import { singularOf } from "../basics/singular.ts";

/** A member of an object that counts the elements of a list next to it. */
export interface Counter {
  readonly name: string;
  readonly count: number;
  readonly items: readonly unknown[];
}

/**
 * Returns counters such as `txCount`, `nTx`, `num_outputs` and `itemCount` next to `txs`, `tx`, `outputs` and `items`; none of empty lists,
 * which may stand for omitted ones.
 */
export function countersOf(value: unknown): readonly Counter[] {
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, member]): readonly Counter[] => {
    const count = wholeNumberOf(member);
    const items = count === undefined ? undefined : countedBy(plainName(name), value);
    return count === undefined || items === undefined || items.length === 0 ? [] : [{ name, count, items }];
  });
}

/** Returns a non-negative integer from a number, or from a decimal or 0x-prefixed hexadecimal string; undefined for other values. */
function wholeNumberOf(value: unknown): number | undefined {
  const isWhole = Number.isSafeInteger(value) || /^(?:0x[0-9a-fA-F]{1,12}|[0-9]{1,15})$/.test(String(value));
  return isWhole && typeof value !== "object" ? Number(value) : undefined;
}

/** Returns the only list of the same object that has the name of the counted objects. */
function countedBy(plain: string, value: Readonly<Record<string, unknown>>): readonly unknown[] | undefined {
  const typeName = /^(?:n|num|number(?:of)?)([a-z]+)$/.exec(plain)?.[1] ?? /^([a-z]+)count$/.exec(plain)?.[1];
  if (typeName === undefined) return undefined;
  const singular = singularOf(typeName);
  const lists = Object.entries(value).flatMap(([name, member]) => {
    const other = plainName(name);
    const isCounted = singularOf(other) === singular || other === `${singular}es` || other === `${singular}ids`;
    return isCounted && Array.isArray(member) ? [member as readonly unknown[]] : [];
  });
  return lists.length === 1 ? lists[0] : undefined;
}
