import { decodeBitcoinAmount, ServiceError } from "@nodewright/runtime";
import { publicNodeText } from "@nodewright/upstream";

/** An object of a node's response. Its members are untrusted until they are read. */
export type NodeRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is NodeRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Creates the failure for a result of the node that does not match its method. */
export function unreadableResult(method: string): ServiceError {
  return new ServiceError("upstream_unavailable", `The node's response to ${method} can't be read`);
}

/** Returns the value, if it is an object. Throws `upstream_unavailable`. */
export function getRecord(value: unknown, method: string): NodeRecord {
  if (isRecord(value)) return value;
  throw unreadableResult(method);
}

/** Returns the value, if it is a list; Go serializes an empty one as null. Throws `upstream_unavailable`. */
export function getList(value: unknown, method: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (value === null) return [];
  throw unreadableResult(method);
}

/** Returns the value, if it is a string. Throws `upstream_unavailable`. */
export function getText(value: unknown, method: string): string {
  if (typeof value === "string") return value;
  throw unreadableResult(method);
}

export function findText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Returns prose of the node as clients may see it; `undefined` for an empty value or another type. */
export function findProse(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? publicNodeText(value) : undefined;
}

export function findBoolean(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

export function findNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Returns an integer within the bounds, both included; `undefined` for anything else. */
export function findInteger(
  value: unknown,
  minimum: number = 0,
  maximum: number = Number.MAX_SAFE_INTEGER,
): number | undefined {
  return Number.isSafeInteger(value) && Number(value) >= minimum && Number(value) <= maximum
    ? Number(value)
    : undefined;
}

/** Returns the satoshi of an amount in bitcoin, whether it was written with 8 decimals or as 1e-05. */
export function findAmount(value: unknown): bigint | undefined {
  try {
    return decodeBitcoinAmount(value);
  } catch {
    return undefined;
  }
}

/** Returns the strings of a list; of another value, a string that is not empty (warnings of older nodes), otherwise nothing. */
export function listTexts(value: unknown): readonly string[] {
  if (typeof value === "string" && value !== "") return [value];
  return Array.isArray(value) ? value.filter((member) => typeof member === "string") : [];
}

/** Maximum number of warnings. */
const maximumWarnings = 20;

/** Returns a node's warnings as clients may see them. */
export function listWarnings(value: unknown): readonly string[] {
  return listTexts(value).slice(0, maximumWarnings).map(publicNodeText);
}

/** Returns the members that have a value. */
export function present<Members extends object>(members: Members): PresentMembers<Members> {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as PresentMembers<Members>;
}

/** Object type whose possibly undefined members are optional instead. */
type PresentMembers<Members> = {
  readonly [Name in keyof Members as undefined extends Members[Name] ? never : Name]: Members[Name];
} & {
  readonly [Name in keyof Members as undefined extends Members[Name] ? Name : never]?: Exclude<
    Members[Name],
    undefined
  >;
};
