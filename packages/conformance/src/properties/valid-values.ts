import { canonicalText, isRecord } from "@nodewright/api-model";
import { isSameValue } from "../compare/differences.ts";
import { armsOf, kindsIn, memberOf } from "../compare/member-facts.ts";
import { isWellFormed } from "../compare/text-formats.ts";
import { hasReversedRange } from "../inference/opposites.ts";
import { defaultOf, hasRoleName, isTooMany, type Parameter, shownOf } from "../inference/list-roles.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { boundaryValuesOf, createRandom, isValueOf, type NamedValue } from "@nodewright/api-values";
import type { InputOperation } from "./input-operation.ts";
import type { Expectation, Input } from "./operation.ts";

/** Values of one parameter that are called with. */
const mostValues = 6;
/** Elements that any list can be called for from. */
const largestOffset = 100;
/** Integers from one end of a range to the other, in which each has to be accepted. */
const shortRange = 1000;
/** Greater numbers are bounds of how a number is stored rather than of what a server does. */
const largestBound = 2 ** 31;

/** A value of a parameter with the input that has it. */
export interface ValidValue extends NamedValue {
  readonly parameter: Parameter;
  readonly input: Input;
  readonly certainty: Expectation["certainty"];
  /** Whether it may be given together with values of other parameters. */
  readonly isFree: boolean;
  /** How many values of the parameter there are. */
  readonly count: number;
}

/** Values of a parameter that the description allows and no call was accepted with, the most telling first. */
export function validValuesOf(operation: InputOperation, base: Input, parameter: Parameter): readonly ValidValue[] {
  const { types, known, failing } = operation;
  const { property, type, required } = parameter;
  const isNaming = operation.isNaming(parameter);
  // Bounds are the same in every run: what is found at them is known by a baseline.
  const all = [...shownValues(parameter, types), ...pageValues(parameter, types), ...allListed(type, types)];
  const bounds = boundaryValuesOf(type, types, createRandom(`${property} boundary`), base[property]);
  const accepted = new Set(known.map(({ input }) => canonicalText(input[property])));
  const isFresh = ({ value, name }: NamedValue): boolean =>
    !accepted.has(canonicalText(value)) &&
    operation.requestOf({ ...base, [property]: value }) !== undefined &&
    // Null mostly stands for what is left out.
    (value !== null || defaultOf(parameter, types) !== undefined) &&
    !isTooMany(parameter, value, types) &&
    (!isNaming || name === "minimum" || name === "maximum") &&
    !failing.some((input) => isSameValue(type, input[property], value, types));
  const fresh = Map.groupBy([...all, ...bounds].filter(isFresh), ({ value }) => canonicalText(value));
  const values = [...fresh.values()].flatMap((same) => same.slice(0, 1)).slice(0, mostValues);
  return values.map(({ name, value }) => ({
    name,
    value,
    parameter,
    input: { ...base, [property]: value },
    certainty: certaintyOf(operation, parameter, { ...base, [property]: value }),
    isFree: !required && !isNaming,
    count: values.length,
  }));
}

/** A value that the description lists, or that is a documented bound, has to be accepted; of others nobody knows. */
function certaintyOf(operation: InputOperation, parameter: Parameter, input: Input): ValidValue["certainty"] {
  const { types, parameters, hasOwnAbsence } = operation;
  const { required, type, property } = parameter;
  const value = input[property];
  // Where no call was accepted so far, another parameter may be what is refused.
  if (operation.known.length === 0) return "open";
  if (hasReversedRange(parameters, input)) return "likely";
  if (required && operation.isNaming(parameter) && !hasOwnAbsence) return "likely";
  const isOneOfSeveral = parameters.filter((one) => one.required).length > 1;
  // Another parameter that has to be given may not go with it.
  if (required && isOneOfSeveral && isListed(type, types)) return "likely";
  // Servers limit how far they go into a list, whatever the limit is.
  if (hasRoleName("offset", parameter.name) && Number(value) > largestOffset) return "likely";
  const isDefault = canonicalText(value) === canonicalText(defaultOf(parameter, types));
  const isPage = pageValues(parameter, types).some((one) => one.value === value);
  return isDefault || isPage || isShown(parameter, value) || isDocumented(type, value, types) ? "documented" : "likely";
}

/** Names of what has to exist at the target: an example may be of another one's data. */
const referringName = /cursor|token|marker|after|before|since|until|from|to$|id$|hash/i;

function isShown(parameter: Parameter, value: unknown): boolean {
  const text = canonicalText(value);
  return !referringName.test(parameter.name) && shownOf(parameter).some((one) => canonicalText(one) === text);
}

/** Whether a value has to be accepted by its type alone, with all that is in it. */
function isDocumented(type: SuiteType | undefined, value: unknown, types: SuiteTypes): boolean {
  const arms = armsOf(type, types).filter((arm) => isValueOf(arm, value, types, "request"));
  return arms.some((arm) => {
    switch (arm.kind) {
      case "enumeration":
      case "boolean":
        return true;
      case "number":
        return isBound(value, arm.minimum, arm.maximum);
      case "list":
        return (
          Array.isArray(value) &&
          value.length > 0 &&
          new Set(value.map(canonicalText)).size === value.length &&
          value.every((item) => isDocumented(arm.element, item, types))
        );
      case "record":
        return (
          isRecord(value) &&
          Object.entries(value).every(([name, member]) => isDocumented(memberOf(arm, name, types)?.type, member, types))
        );
      default:
        return false;
    }
  });
}

function isBound(value: unknown, minimum: unknown, maximum: unknown): boolean {
  const [number, least, most] = [value, minimum, maximum].map((one) => (one === undefined ? undefined : Number(one)));
  if (number === undefined || Math.abs(number) > largestBound) return false;
  const isShort = least !== undefined && most !== undefined && most - least <= shortRange;
  return isShort || number === least || number === most;
}

/** Whether a type has listed values alone. */
function isListed(type: SuiteType, types: SuiteTypes): boolean {
  const kinds = [...kindsIn(type, types)].filter((kind) => kind !== "null");
  return kinds.length > 0 && kinds.every((kind) => kind === "enumeration" || kind === "boolean");
}

function shownValues({ examples = [], type }: Parameter, types: SuiteTypes): readonly NamedValue[] {
  const value = examples.find((one) => isValueOf(type, one, types, "request") && isWellFormed(type, one, types));
  return value === undefined ? [] : [{ name: "shown", value }];
}

/** Numbers that any list can be cut by: no server has to be called for less. */
function pageValues({ name, type }: Parameter, types: SuiteTypes): readonly NamedValue[] {
  if (!armsOf(type, types).some((arm) => arm.kind === "number" && arm.maximum === undefined)) return [];
  const numbers = hasRoleName("limit", name) ? [3, 1, 2] : hasRoleName("offset", name) ? [1, 3, 0] : [];
  return numbers
    .filter((value) => isValueOf(type, value, types, "request"))
    .map((value) => ({ name: `page-${value}`, value }));
}

/** A list of all values that its elements may have, and of the last of them alone. */
function allListed(type: SuiteType, types: SuiteTypes): readonly NamedValue[] {
  const elements = armsOf(type, types).flatMap((arm) => (arm.kind === "list" ? armsOf(arm.element, types) : []));
  const values = elements.flatMap((arm) => (arm.kind === "enumeration" ? arm.values : []));
  if (values.length === 0 || !elements.every(({ kind }) => kind === "enumeration")) return [];
  const lists = [
    { name: "all-listed", value: values },
    { name: "last-listed", value: values.slice(-1) },
  ];
  return lists.filter(({ value }) => isValueOf(type, value, types, "request"));
}
