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

/** Maximum number of values of one parameter to call with. */
const mostValues = 6;
/** Greatest offset that any list has to support. */
const largestOffset = 100;
/** Maximum size of a range of integers in which each one has to be accepted. */
const shortRange = 1000;
/** Greater numbers are limits of a storage format rather than of a server. */
const largestBound = 2 ** 31;

/** A value of a parameter with an input that contains it. */
export interface ValidValue extends NamedValue {
  readonly parameter: Parameter;
  readonly input: Input;
  readonly certainty: Expectation["certainty"];
  /** Whether it may be given together with values of other parameters. */
  readonly isFree: boolean;
  /** Number of values of the parameter. */
  readonly count: number;
}

/** Returns values of a parameter that the description allows and no accepted call had, the most important first. */
export function validValuesOf(operation: InputOperation, base: Input, parameter: Parameter): readonly ValidValue[] {
  const { types, known, failing } = operation;
  const { property, type, required } = parameter;
  const isNaming = operation.isNaming(parameter);
  // Bounds are the same in every run: baselines identify their findings.
  const all = [...shownValues(parameter, types), ...pageValues(parameter, types), ...allListed(type, types)];
  const bounds = boundaryValuesOf(type, types, createRandom(`${property} boundary`), base[property]);
  const accepted = new Set(known.map(({ input }) => canonicalText(input[property])));
  const isFresh = ({ value, name }: NamedValue): boolean =>
    !accepted.has(canonicalText(value)) &&
    operation.requestOf({ ...base, [property]: value }) !== undefined &&
    // Null mostly means an omitted value.
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

/** Returns whether a value has to be accepted: listed values and documented bounds do, others are uncertain. */
function certaintyOf(operation: InputOperation, parameter: Parameter, input: Input): ValidValue["certainty"] {
  const { types, parameters, hasOwnAbsence } = operation;
  const { required, type, property } = parameter;
  const value = input[property];
  // If no call was accepted so far, another parameter may be the reason of a refusal.
  if (operation.known.length === 0) return "open";
  // No type states which optional parameters may be combined. Errors of a request with several calls do.
  const isAlone =
    operation.isBatched ||
    parameters.every((one) => one.required || one.property === property || input[one.property] === undefined);
  if (!isAlone) return "open";
  if (hasReversedRange(parameters, input)) return "likely";
  if (required && operation.isNaming(parameter) && !hasOwnAbsence) return "likely";
  const isOneOfSeveral = parameters.filter((one) => one.required).length > 1;
  // Another required parameter may be incompatible with it.
  if (required && isOneOfSeveral && isListed(type, types)) return "likely";
  // Servers limit the depth of pagination, whatever the limit is.
  if (hasRoleName("offset", parameter.name) && Number(value) > largestOffset) return "likely";
  const isDefault = canonicalText(value) === canonicalText(defaultOf(parameter, types));
  const isPage = pageValues(parameter, types).some((one) => one.value === value);
  return isDefault || isPage || isShown(parameter, value) || isDocumented(type, value, types) ? "documented" : "likely";
}

/** Names of parameters whose value has to exist at the target: an example may be of another target's data. */
const referringName = /cursor|token|marker|after|before|since|until|from|to$|id$|hash/i;

function isShown(parameter: Parameter, value: unknown): boolean {
  const text = canonicalText(value);
  return !referringName.test(parameter.name) && shownOf(parameter).some((one) => canonicalText(one) === text);
}

/** Whether a value and all its parts have to be accepted by the type alone. */
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

/** Whether a type allows only listed values. */
function isListed(type: SuiteType, types: SuiteTypes): boolean {
  const kinds = [...kindsIn(type, types)].filter((kind) => kind !== "null");
  return kinds.length > 0 && kinds.every((kind) => kind === "enumeration" || kind === "boolean");
}

function shownValues({ examples = [], type }: Parameter, types: SuiteTypes): readonly NamedValue[] {
  const value = examples.find((one) => isValueOf(type, one, types, "request") && isWellFormed(type, one, types));
  return value === undefined ? [] : [{ name: "shown", value }];
}

/** Returns page sizes and offsets that any list supports. */
function pageValues({ name, type }: Parameter, types: SuiteTypes): readonly NamedValue[] {
  if (!armsOf(type, types).some((arm) => arm.kind === "number" && arm.maximum === undefined)) return [];
  const numbers = hasRoleName("limit", name) ? [3, 1, 2] : hasRoleName("offset", name) ? [1, 3, 0] : [];
  return numbers
    .filter((value) => isValueOf(type, value, types, "request"))
    .map((value) => ({ name: `page-${value}`, value }));
}

/** Returns a list of all values that its elements may have, and one of only the last of them. */
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
