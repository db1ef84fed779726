import { isRecord } from "@nodewright/api-model";
import { plainName } from "../compare/volatile-names.ts";
import { singularOf } from "../basics/singular.ts";

/** A member of an object that counts the elements of a list beside it. */
export interface Counter {
  readonly name: string;
  readonly count: number;
  readonly items: readonly unknown[];
}

/** `txCount`, `nTx`, `num_outputs`, `itemCount` beside `txs`, `tx`, `outputs`, `items`; none of what is empty, as lists are where they are left out. */
export function countersOf(value: unknown): readonly Counter[] {
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, member]): readonly Counter[] => {
    const count = wholeNumberOf(member);
    const items = count === undefined ? undefined : countedBy(plainName(name), value);
    return count === undefined || items === undefined || items.length === 0 ? [] : [{ name, count, items }];
  });
}

/** A whole number in any writing: a number, or its digits, decimal or hexadecimal with 0x. */
function wholeNumberOf(value: unknown): number | undefined {
  const isWhole = Number.isSafeInteger(value) || /^(?:0x[0-9a-fA-F]{1,12}|[0-9]{1,15})$/.test(String(value));
  return isWhole && typeof value !== "object" ? Number(value) : undefined;
}

/** The only list of the same object that is called after what is counted. */
function countedBy(plain: string, value: Readonly<Record<string, unknown>>): readonly unknown[] | undefined {
  const thing = /^(?:n|num|number(?:of)?)([a-z]+)$/.exec(plain)?.[1] ?? /^([a-z]+)count$/.exec(plain)?.[1];
  if (thing === undefined) return undefined;
  const singular = singularOf(thing);
  const lists = Object.entries(value).flatMap(([name, member]) => {
    const other = plainName(name);
    const isCounted = singularOf(other) === singular || other === `${singular}es` || other === `${singular}ids`;
    return isCounted && Array.isArray(member) ? [member as readonly unknown[]] : [];
  });
  return lists.length === 1 ? lists[0] : undefined;
}
