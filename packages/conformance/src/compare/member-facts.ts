import { type JsonValue, partsOfType, type RecordNode } from "@nodewright/api-model";
import type { RecordMember, SuiteType, SuiteTypes } from "../suite/suite-type.ts";

/** Maximum number of references to follow; a longer chain is circular. */
const maximumChainLength = 32;

/** Resolves references of a type; returns undefined for one that resolves to nothing. */
export function resolveType(type: SuiteType | undefined, types: SuiteTypes): SuiteType | undefined {
  let resolved = type;
  for (let steps = 0; resolved?.kind === "reference"; steps += 1) {
    if (steps > maximumChainLength) return undefined;
    resolved = types[resolved.target];
  }
  return resolved;
}

/** Returns the types that a value of a type is or may be valid against: the type itself, the parts of intersections, the arms of unions. */
export function armsOf(type: SuiteType | undefined, types: SuiteTypes, depth = 0): readonly SuiteType[] {
  const resolved = resolveType(type, types);
  if (resolved === undefined || depth > maximumChainLength) return [];
  const isOfParts = ["union", "intersection", "conditional"].includes(resolved.kind);
  const parts = resolved.kind === "unevaluated" ? [resolved.base] : isOfParts ? partsOfType(resolved) : undefined;
  return parts?.flatMap((part) => armsOf(part, types, depth + 1)) ?? [resolved];
}

/** Returns the arms that are objects. */
function recordsOf(type: SuiteType | undefined, types: SuiteTypes): readonly RecordNode[] {
  return armsOf(type, types).filter((arm) => arm.kind === "record");
}

/** Returns the kinds of the arms of a type. */
export function kindsIn(type: SuiteType | undefined, types: SuiteTypes): ReadonlySet<SuiteType["kind"]> {
  return new Set(armsOf(type, types).map(({ kind }) => kind));
}

/** Returns the description of a member of a value; for a union, that of the first arm that has it. */
export function memberOf(type: SuiteType | undefined, name: string, types: SuiteTypes): RecordMember | undefined {
  for (const { members } of recordsOf(type, types)) {
    const member = members.find((candidate) => candidate.name === name);
    if (member !== undefined) return member;
  }
  return undefined;
}

/** Returns the description of the member at the end of a path. */
export function memberAt(
  type: SuiteType | undefined,
  path: readonly string[],
  types: SuiteTypes,
): RecordMember | undefined {
  const [name = "", ...rest] = path;
  const member = memberOf(type, name, types);
  return rest.length === 0 || member === undefined ? member : memberAt(member.type, rest, types);
}

/** Returns the described members of a value, each name once. */
export function membersOf(type: SuiteType | undefined, types: SuiteTypes): readonly RecordMember[] {
  const all = recordsOf(type, types).flatMap(({ members }) => members);
  return [...Map.groupBy(all, ({ name }) => name).values()].flatMap(([first]) => first ?? []);
}

/** Returns the type of the element at an index; undefined where the description has no list type. */
export function elementOf(type: SuiteType | undefined, index: number, types: SuiteTypes): SuiteType | undefined {
  const list = armsOf(type, types).find((arm) => arm.kind === "list");
  return list?.prefix?.[index] ?? list?.element;
}

/** Returns the type of additional members, such as the entries of a map. */
export function additionalOf(type: SuiteType | undefined, types: SuiteTypes): SuiteType | undefined {
  return recordsOf(type, types).find(({ additional }) => additional !== undefined)?.additional;
}

/** Returns the values that a type lists. */
export function listedOf(type: SuiteType | undefined, types: SuiteTypes): readonly JsonValue[] {
  return armsOf(type, types).flatMap((arm) => (arm.kind === "enumeration" ? arm.values : []));
}

/** Returns the minimum and the maximum integer of a type. */
export function integerBoundsOf(
  type: SuiteType,
  types: SuiteTypes,
): { readonly least: number | undefined; readonly greatest: number | undefined } {
  const numbers = armsOf(type, types).filter((arm) => arm.kind === "number");
  const [least] = numbers.flatMap(({ minimum, exclusiveMinimum: above }) =>
    minimum !== undefined ? [Number(minimum)] : above !== undefined ? [Math.floor(Number(above)) + 1] : [],
  );
  const [greatest] = numbers.flatMap(({ maximum, exclusiveMaximum: below }) =>
    maximum !== undefined ? [Number(maximum)] : below !== undefined ? [Math.ceil(Number(below)) - 1] : [],
  );
  return { least, greatest };
}

/** Whether a type is a date, or a date with a time. */
export function isTimeType(type: SuiteType, types: SuiteTypes): boolean {
  return armsOf(type, types).some((arm) => arm.kind === "string" && /^date(?:-time)?$/.test(arm.format ?? ""));
}
