import { isRecord } from "@nodewright/api-model";
import { elementOf, memberOf, membersOf } from "../compare/member-facts.ts";
import { isIdentifier } from "../compare/list-of.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { isValueOf } from "@nodewright/api-values";
import { declaredName, declaredNames, typeOfValue } from "./declared-names.ts";
import { type Addressed, identifierMemberOf } from "./identifier-member.ts";
import type { Parameter } from "./list-roles.ts";
import { singularOf } from "../basics/singular.ts";

/** An operation that returns one object by its identifier. */
export interface Lookup<Of extends Addressed = Addressed> {
  readonly operation: Of;
  /** Parameter that takes the identifier. */
  readonly parameter: Parameter;
  /** Member of the object that is the identifier. */
  readonly member: string;
  /** Declared types of the object. */
  readonly names: ReadonlySet<string>;
}

/** Infers the parameters by which an operation returns one object: its only required one, or each of the optional ones. */
export function inferLookups<Of extends Addressed>(operation: Of): readonly Lookup<Of>[] {
  const { parameters, result, types } = operation;
  const members = membersOf(result, types).map(({ name }) => name);
  const required = parameters.filter((one) => one.required);
  if (members.length === 0 || required.length > 1) return [];
  return (required.length === 1 ? required : parameters).flatMap((parameter): readonly Lookup<Of>[] => {
    const member = identifierMemberOf(operation, parameter, members);
    return member === undefined ? [] : [{ operation, parameter, member, names: declaredNames(result, types) }];
  });
}

/** An object within a result. */
export interface FoundObject {
  readonly value: Readonly<Record<string, unknown>>;
  readonly type: SuiteType | undefined;
  readonly name: string | undefined;
  /** `whole`: the result itself. `listed`: an element of the list that the result is or contains. `within`: nested in one of these. */
  readonly position: "whole" | "listed" | "within";
}

/** Maximum number of values to visit in one result. */
const mostValues = 5_000;

const known = new WeakMap<object, readonly FoundObject[]>();

/** Finds the objects within a result. */
export function objectsIn(result: unknown, type: SuiteType | undefined, types: SuiteTypes): readonly FoundObject[] {
  if (typeof result !== "object" || result === null) return [];
  const earlier = known.get(result);
  if (earlier !== undefined) return earlier;
  const found: FoundObject[] = [];
  let looked = 0;
  const walk = (value: unknown, declared: SuiteType | undefined, position: FoundObject["position"]): void => {
    looked += 1;
    if (looked > mostValues) return;
    if (Array.isArray(value)) {
      const isOuter = position === "whole";
      for (const [index, item] of value.entries())
        walk(item, elementOf(declared, index, types), isOuter ? "listed" : "within");
    } else if (isRecord(value)) {
      const own = typeOfValue(declared, value, types);
      found.push({ value, type: own, name: declaredName(own, types), position });
      for (const [name, member] of Object.entries(value)) {
        // Relay connections contain elements as `edges { node }`.
        const isKept = name === "node" || (position === "whole" && Array.isArray(member));
        walk(member, memberOf(own, name, types)?.type, isKept ? position : "within");
      }
    }
  };
  walk(result, type, "whole");
  known.set(result, found);
  return found;
}

/** Whether an object that an operation returned is one that a lookup returns by its identifier. */
export function isLookedUp(
  { operation, parameter, member, names }: Lookup,
  source: Addressed,
  { value, type, name, position }: FoundObject,
): boolean {
  const isSameType = name !== undefined && names.has(name);
  const isPart = isSameType || isPartOf(type, operation, member);
  const namesSameType = position === "listed" && name === undefined && typeNameOf(source) === typeNameOf(operation);
  const identifier = value[member];
  return (
    (isPart || namesSameType) &&
    isIdentifier(identifier) &&
    isValueOf(parameter.type, identifier, operation.types, "request")
  );
}

/**
 * Whether a type is a part of the object that a lookup returns: it has the identifier, another identifier of the same declared type, and no
 * further members. `{ height, hash, time }` within the state of a chain is a block.
 */
function isPartOf(type: SuiteType | undefined, { result, types }: Addressed, member: string): boolean {
  const members = membersOf(type, types);
  if (/^(?:id|uuid)$/.test(plainName(member)) || !members.some(({ name }) => name === member)) return false;
  const wholes = members.map(({ name }) => memberOf(result, name, types));
  return (
    wholes.every((whole) => whole !== undefined) &&
    members.some(({ name, type: own }, index) => {
      const declared = declaredName(own, types);
      const isSame = declared !== undefined && declared === declaredName(wholes[index]?.type, types);
      return isSame && name !== member && /^(?:id|uuid|hash|txid)$/.test(plainName(name));
    })
  );
}

function typeNameOf({ typeNames }: Addressed): string | undefined {
  return typeNames === undefined ? undefined : singularOf(plainName(typeNames));
}
