import { isRecord } from "@nodewright/api-model";
import { plainName } from "../compare/volatile-names.ts";

/** A whole number of any size: a number, or a string of its digits, decimal or hexadecimal with 0x. */
export function heightOf(value: unknown): bigint | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined;
  return typeof value === "string" && /^(?:0x[0-9a-f]{1,16}|[0-9]{1,18})$/i.test(value) ? BigInt(value) : undefined;
}

/** Whether a parameter or a member is the place of something in a chain, by its name. */
export function isHeightName(name: string): boolean {
  return /^(?:block)?(?:height|number)$/.test(plainName(name));
}

/** The place of an object in a chain, by the name of a member. */
export function heightIn(value: unknown): bigint | undefined {
  if (!isRecord(value)) return undefined;
  return heightOf(Object.entries(value).find(([name]) => isHeightName(name))?.[1]);
}

const parentName = /^(?:parenthash|previousblockhash|prevhash|prevblockhash|previoushash|prevblock|parentid)$/;

/** The hash by which an object names the one before it; undefined for the first one. */
export function parentHashIn(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined;
  const parent = Object.entries(value).find(([name]) => parentName.test(plainName(name)))?.[1];
  const isHash = typeof parent === "string" && /^(?:0x)?[0-9a-f]{64}$/i.test(parent) && !/^(?:0x)?0*$/.test(parent);
  return isHash ? parent : undefined;
}

const headName =
  /(?:block|head|tip|best|latest|current|chain).*(?:count|height|number)$|^(?:.*[._])?(?:height|blockcount)$/;
const otherHead = /final|safe|index|sync|confirm|header|peer|tx|transaction|pending|transact|slot|proof|state|uncle|by/;

/** Whether an operation reports how high a chain is, by its name: of what is final, or only known by its header, something else holds. */
export function isHeadName(name: string): boolean {
  const plain = plainName(name);
  return headName.test(plain) && !otherHead.test(plain);
}
