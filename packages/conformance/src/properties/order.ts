import { escapeSegment, isRecord } from "@nodewright/api-model";
import { isOrdered, orderOf } from "../compare/list-order.ts";
import { isMomentName } from "../compare/part-names.ts";
import { distanceOf, isTime, isUnixTime } from "../compare/value-order.ts";
import { plainName } from "../compare/volatile-names.ts";
import { findListType, inferListRoles } from "../inference/list-roles.ts";
import type { OperationDescription } from "./operation.ts";
import type { CalledResult, Problem, ResponseProperty } from "./property.ts";
import { propertyRules } from "./property-rules.ts";

/** Property that a list is in the order that the description of its operation states: "newest first", "sorted by height, descending". */
export const orderProperty: ResponseProperty = { rule: propertyRules.sort, inspect };

/**
 * Minimum number of different values for which an order is not a coincidence; the second one for members that may be unrelated to the
 * order.
 */
const enoughValues = 3;
const manyValues = 5;

/** Names of numbers that increase with time. */
const countedUpName = /(?:id|no|number|seq|sequence|index|height|round|slot|version)$/;

interface OrderedMember {
  readonly name: string;
  readonly values: readonly unknown[];
  readonly distinct: number;
}

function inspect(operation: OperationDescription, { input, result }: CalledResult): readonly Problem[] {
  const { order, parameters, types } = operation;
  const items = (result.page?.items ?? []).filter(isRecord);
  const roles = order === undefined ? [] : inferListRoles(parameters, types);
  const isChosen = roles.some(
    ({ role, parameter }) => (role === "sort" || role === "direction") && input[parameter.property] !== undefined,
  );
  if (order === undefined || isChosen || items.length < enoughValues) return [];
  const members = membersIn(items);
  const element = findListType(operation.result, types)?.element;
  const named = order.by === "time" ? undefined : orderOf(order.by, element, types)?.member;
  const wrong =
    named !== undefined
      ? members.find(({ name, values }) => name === named && !isOrdered(values, order.sign))
      : order.by === "time"
        ? unlikeTime(members, order.sign)
        : unlike(members.filter(isAmount), order.sign);
  if (wrong === undefined) return [];
  const message = `the elements are not in the order that the description states: ${order.sign === 1 ? "ascending" : "descending"} by ${order.by}`;
  return [{ message, detail: `${wrong.name} of ${items.length} elements`, pointer: `/*/${escapeSegment(wrong.name)}` }];
}

/** Returns members that all elements have, with at least two different values. */
function membersIn(items: readonly Readonly<Record<string, unknown>>[]): readonly OrderedMember[] {
  return Object.keys(items[0] ?? {}).flatMap((name) => {
    const values = items.map((item) => item[name]);
    const distinct = new Set(values).size;
    const areOrdered = values.every((value) => distanceOf(value, value) !== undefined);
    return areOrdered && distinct > 1 ? [{ name, values, distinct }] : [];
  });
}

function isMoment(value: unknown): boolean {
  return isTime(value) || isUnixTime(value);
}

/** Whether a member is a quantity, as a number or a string; times and identifiers are not. */
function isAmount({ name, values }: OrderedMember): boolean {
  return !values.some(isMoment) && !/(?:id|no|number|seq|index)$/.test(plainName(name));
}

/** Returns a member in the opposite order, if no member is in the stated order. */
function unlike(members: readonly OrderedMember[], sign: 1 | -1): OrderedMember | undefined {
  if (members.some(({ values }) => isOrdered(values, sign))) return undefined;
  return members.find(({ values, distinct }) => distinct >= enoughValues && isOrdered(values, sign === 1 ? -1 : 1));
}

/**
 * Returns a member in the wrong order, if neither a time nor a number that increases with time is in the stated order: the only time at
 * which an event happened, or another time in the opposite order.
 */
function unlikeTime(members: readonly OrderedMember[], sign: 1 | -1): OrderedMember | undefined {
  const isOfTime = ({ name, values }: OrderedMember): boolean =>
    values.some(isMoment) || countedUpName.test(plainName(name));
  if (members.some((member) => isOfTime(member) && isOrdered(member.values, sign))) return undefined;
  const moments = members.filter(({ name, values }) => isMomentName(name) && values.some(isMoment));
  const [only, ...others] = moments;
  if (only !== undefined && others.length === 0 && only.distinct >= enoughValues) return only;
  const times = members.filter(({ values, distinct }) => distinct >= manyValues && values.every(isMoment));
  return unlike(times, sign);
}
