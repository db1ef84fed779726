import { isRecord } from "@nodewright/api-model";
import { additionalOf, elementOf, memberOf } from "../compare/member-facts.ts";
import { hexadecimalText } from "./hexadecimal-text.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { plainName, thingOfType, wordsOf } from "./names.ts";
import type { LeafName } from "./slots.ts";

/** A text or number of an answer, with what it is called. */
export interface Leaf extends LeafName {
  /** True for what is no member of an object: the answer itself, an element of a list, a name of a map. */
  readonly isPlain: boolean;
  /** Below 1, added to its rank: among equally sure values the nearest are taken. */
  readonly distance?: number;
  readonly value: string | number | bigint;
}

/** Texts and numbers that stand side by side: of one object, or one element of a list. */
export interface Scope {
  readonly parent: Scope | undefined;
  readonly leaves: readonly Leaf[];
}

export interface LeafSource {
  readonly type: SuiteType;
  readonly value: unknown;
  readonly things: readonly string[];
  readonly remoteThings: readonly string[];
}

/** How many objects and elements of one answer are looked at. */
const maximumScopes = 1500;
const maximumMembers = 200;
const maximumText = 1000;

interface Waiting {
  readonly value: unknown;
  readonly type: SuiteType | undefined;
  readonly parent: Scope | undefined;
  /** Plain name of the member or the elements. */
  readonly name: string | undefined;
  readonly things: readonly string[];
  readonly depth: number;
}

/** The texts and numbers of an answer, what is outermost first; of long lists the first, middle and last elements. */
export function* scopesOf(source: LeafSource, types: SuiteTypes, parent: Scope | undefined): Iterable<Scope> {
  const { value, type, things, remoteThings } = source;
  const waiting: Waiting[] = [{ value, type, parent, name: undefined, things, depth: 0 }];
  for (let index = 0; index < waiting.length && index < maximumScopes; index += 1) {
    const one = waiting[index];
    if (one === undefined) return;
    const named = thingsOf(one.type);
    const ownThings = [...new Set([...named, ...one.things])];
    if (Array.isArray(one.value)) {
      const element = elementOf(one.type, 0, types);
      for (const item of samplesOf(one.value))
        waiting.push({ ...one, value: item, type: element, things: ownThings, depth: one.depth + 1 });
      continue;
    }
    const remote = one.depth === 0 ? remoteThings : [...one.things, ...remoteThings];
    const scope = scopeOf(one, ownThings, remote);
    if (scope.leaves.length > 0) yield scope;
    if (isRecord(one.value)) waiting.push(...objectsIn(one.value, one, scope, types));
  }
}

function scopeOf({ value, name, parent }: Waiting, things: readonly string[], remoteThings: readonly string[]): Scope {
  if (isScalar(value)) {
    // A plain answer is called as its operation is: each thing is a name for it.
    const names = name === undefined ? things.slice(0, 4) : [name];
    return { parent, leaves: names.map((one) => ({ name: one, things, remoteThings, isPlain: true, value })) };
  }
  if (!isRecord(value)) return { parent, leaves: [] };
  const leaves: Leaf[] = [];
  const names = Object.keys(value).slice(0, maximumMembers);
  for (const member of names) {
    const found = value[member];
    if (isScalar(found)) leaves.push({ name: plainName(member), things, remoteThings, isPlain: false, value: found });
  }
  // Objects whose names are values: transactions by txid.
  if (names.length > 0 && name !== undefined && names.every((one) => looksLikeValue(one)))
    for (const key of samplesOf(names)) leaves.push({ name, things, remoteThings, isPlain: true, value: key });
  return { parent, leaves };
}

/** Identifiers of zeros stand where there is none: the parent of a first block, the input of a coinbase. */
const namesNothing = /^(?:0x)?0{16,}$/;

/** No programmer gives such a name. */
function looksLikeValue(name: string): boolean {
  return hexadecimalText.test(name) || /^[0-9a-f]{8}-[0-9a-f]{4}-/i.test(name);
}

function objectsIn(
  value: Readonly<Record<string, unknown>>,
  { type, depth }: Waiting,
  scope: Scope,
  types: SuiteTypes,
): readonly Waiting[] {
  const found: Waiting[] = [];
  if (depth > 12) return found;
  const all = Object.keys(value);
  for (const member of all.length > maximumMembers ? samplesOf(all) : all) {
    const inside = value[member];
    if (typeof inside !== "object" || inside === null) continue;
    const name = plainName(member);
    const things = [name, ...wordsOf(member).slice(-1)];
    const memberType = memberOf(type, member, types)?.type ?? additionalOf(type, types);
    found.push({ value: inside, type: memberType, parent: scope, name, things, depth: depth + 1 });
  }
  return found;
}

/** First, second, middle and the last two: what is special about a list stands at its ends. */
function samplesOf<Value>(values: readonly Value[]): readonly Value[] {
  const { length } = values;
  if (length <= 6) return values;
  return [0, 1, Math.floor(length / 2), length - 2, length - 1].map((index) => values[index] as Value);
}

/** Whether a value may be asked for. */
export function isScalar(value: unknown): value is string | number | bigint {
  if (typeof value === "string") return value !== "" && value.length <= maximumText && !namesNothing.test(value);
  return typeof value === "number" || typeof value === "bigint";
}

/** The things that a type is named after. */
function thingsOf(type: SuiteType | undefined): readonly string[] {
  const types = type?.kind === "union" ? type.members : type === undefined ? [] : [type];
  return types.flatMap((one) => (one.kind === "reference" ? [thingOfType(one.target)] : [])).slice(0, 2);
}
