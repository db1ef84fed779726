import { isRecord } from "@nodewright/api-model";
import { additionalOf, elementOf, memberOf } from "../compare/member-facts.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { nameOfType, plainName, wordsOf } from "./names.ts";
import type { LeafName } from "./slots.ts";

/** A string or number in a response, with its name. */
export interface Leaf extends LeafName {
  /** Whether it is not a member of an object, but the response itself, an element of a list, or a key of a map. */
  readonly isPlain: boolean;
  /** Distance below 1 that is added to the rank: among equally certain values, the nearest ones are preferred. */
  readonly distance?: number;
  readonly value: string | number | bigint;
}

/** Strings and numbers of one object, or one element of a list. */
export interface Scope {
  readonly parent: Scope | undefined;
  readonly leaves: readonly Leaf[];
}

/** A response to collect leaves from. */
export interface LeafSource {
  readonly type: SuiteType;
  readonly value: unknown;
  readonly typeNames: readonly string[];
  readonly remoteTypeNames: readonly string[];
}

/** Maximum numbers of objects and elements of one response, of members of an object, and of UTF-16 code units of a string. */
const maximumScopes = 1500;
const maximumMembers = 200;
const maximumText = 1000;

/** A value to visit. */
interface QueuedValue {
  readonly value: unknown;
  readonly type: SuiteType | undefined;
  readonly parent: Scope | undefined;
  /** Normalized name of the member or the elements. */
  readonly name: string | undefined;
  readonly typeNames: readonly string[];
  readonly depth: number;
}

/** Yields the strings and numbers of a response, the outermost first; of long lists only the first, middle and last elements. */
export function* scopesOf(source: LeafSource, types: SuiteTypes, parent: Scope | undefined): Iterable<Scope> {
  const { value, type, typeNames, remoteTypeNames } = source;
  const waiting: QueuedValue[] = [{ value, type, parent, name: undefined, typeNames, depth: 0 }];
  for (let index = 0; index < waiting.length && index < maximumScopes; index += 1) {
    const one = waiting[index];
    if (one === undefined) return;
    const named = typeNamesOf(one.type);
    const ownTypeNames = [...new Set([...named, ...one.typeNames])];
    if (Array.isArray(one.value)) {
      const element = elementOf(one.type, 0, types);
      for (const item of samplesOf(one.value))
        waiting.push({ ...one, value: item, type: element, typeNames: ownTypeNames, depth: one.depth + 1 });
      continue;
    }
    const remote = one.depth === 0 ? remoteTypeNames : [...one.typeNames, ...remoteTypeNames];
    const scope = scopeOf(one, ownTypeNames, remote);
    if (scope.leaves.length > 0) yield scope;
    if (isRecord(one.value)) waiting.push(...objectsIn(one.value, one, scope, types));
  }
}

function scopeOf(
  { value, name, parent }: QueuedValue,
  typeNames: readonly string[],
  remoteTypeNames: readonly string[],
): Scope {
  if (isScalar(value)) {
    // A response that is a scalar has no member name: it takes the names of its operation.
    const names = name === undefined ? typeNames.slice(0, 4) : [name];
    return { parent, leaves: names.map((one) => ({ name: one, typeNames, remoteTypeNames, isPlain: true, value })) };
  }
  if (!isRecord(value)) return { parent, leaves: [] };
  const leaves: Leaf[] = [];
  const names = Object.keys(value).slice(0, maximumMembers);
  for (const member of names) {
    const found = value[member];
    if (isScalar(found))
      leaves.push({ name: plainName(member), typeNames, remoteTypeNames, isPlain: false, value: found });
  }
  // Objects whose keys are values: transactions by txid.
  if (names.length > 0 && name !== undefined && names.every((one) => looksLikeValue(one)))
    for (const key of samplesOf(names)) leaves.push({ name, typeNames, remoteTypeNames, isPlain: true, value: key });
  return { parent, leaves };
}

/** Identifier of zeros, which refers to nothing: the parent of the genesis block, the outpoint of a coinbase. */
const zeroIdentifier = /^(?:0x)?0{16,}$/;

/** Returns whether a key is probably a value, and not a member name. */
function looksLikeValue(name: string): boolean {
  return hexadecimalText.test(name) || /^[0-9a-f]{8}-[0-9a-f]{4}-/i.test(name);
}

function objectsIn(
  value: Readonly<Record<string, unknown>>,
  { type, depth }: QueuedValue,
  scope: Scope,
  types: SuiteTypes,
): readonly QueuedValue[] {
  const found: QueuedValue[] = [];
  if (depth > 12) return found;
  const all = Object.keys(value);
  for (const member of all.length > maximumMembers ? samplesOf(all) : all) {
    const inside = value[member];
    if (typeof inside !== "object" || inside === null) continue;
    const name = plainName(member);
    const typeNames = [name, ...wordsOf(member).slice(-1)];
    const memberType = memberOf(type, member, types)?.type ?? additionalOf(type, types);
    found.push({ value: inside, type: memberType, parent: scope, name, typeNames, depth: depth + 1 });
  }
  return found;
}

/** Returns the first, second, middle and last two values: special cases are at the ends of a list. */
function samplesOf<Value>(values: readonly Value[]): readonly Value[] {
  const { length } = values;
  if (length <= 6) return values;
  return [0, 1, Math.floor(length / 2), length - 2, length - 1].map((index) => values[index] as Value);
}

/** Returns whether a value is a scalar that can be used as an argument. */
export function isScalar(value: unknown): value is string | number | bigint {
  if (typeof value === "string") return value !== "" && value.length <= maximumText && !zeroIdentifier.test(value);
  return typeof value === "number" || typeof value === "bigint";
}

/** Returns the names of the objects of a type. */
function typeNamesOf(type: SuiteType | undefined): readonly string[] {
  const types = type?.kind === "union" ? type.members : type === undefined ? [] : [type];
  return types.flatMap((one) => (one.kind === "reference" ? [nameOfType(one.target)] : [])).slice(0, 2);
}

/** Hashes and other long identifiers: at least 8 bytes in hexadecimal. */
export const hexadecimalText: RegExp = /^(?:0x)?[0-9a-f]{16,}$/i;

export function isHexadecimalText(value: unknown): value is string {
  return typeof value === "string" && hexadecimalText.test(value);
}
