import { isRecord } from "@nodewright/api-model";
import { plainName } from "../compare/volatile-names.ts";

/**
 * Returns a non-negative integer of any size from a number, or from a decimal or 0x-prefixed hexadecimal string; undefined for other
 * values.
 */
export function heightOf(value: unknown): bigint | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined;
  return typeof value === "string" && /^(?:0x[0-9a-f]{1,16}|[0-9]{1,18})$/i.test(value) ? BigInt(value) : undefined;
}

/** Whether a parameter or a member is a block height, by its name. */
export function isHeightName(name: string): boolean {
  return /^(?:block)?(?:height|number)$/.test(plainName(name));
}

/** Returns the height of an object in a chain, by the name of a member. */
export function heightIn(value: unknown): bigint | undefined {
  if (!isRecord(value)) return undefined;
  return heightOf(Object.entries(value).find(([name]) => isHeightName(name))?.[1]);
}

const parentName = /^(?:parenthash|previousblockhash|prevhash|prevblockhash|previoushash|prevblock|parentid)$/;

/** Returns the hash by which an object refers to its parent; undefined for the first one. */
export function parentHashIn(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined;
  const parent = Object.entries(value).find(([name]) => parentName.test(plainName(name)))?.[1];
  const isHash = typeof parent === "string" && /^(?:0x)?[0-9a-f]{64}$/i.test(parent) && !/^(?:0x)?0*$/.test(parent);
  return isHash ? parent : undefined;
}

const headName =
  /(?:block|head|tip|best|latest|current|chain).*(?:count|height|number)$|^(?:.*[._])?(?:height|blockcount)$/;
const otherHead = /final|safe|index|sync|confirm|header|peer|tx|transaction|pending|transact|slot|proof|state|uncle|by/;

/** Whether an operation reports the height of a chain, by its name. Heights of finalized blocks, or of known headers, are different. */
export function isHeadName(name: string): boolean {
  const plain = plainName(name);
  return headName.test(plain) && !otherHead.test(plain);
}
