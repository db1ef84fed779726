import { withPlace } from "../suite/with-place.ts";
import type { Finding } from "../contract/finding.ts";
import type { PlannedCase } from "../contract/planned-case.ts";
import { isRecord } from "../types/is-record.ts";
import { isOrdered, isPlainValue, type ListOrder, orderOf } from "../compare/list-order.ts";
import { armsOf } from "../compare/member-facts.ts";
import { escapeSegment } from "../types/json-pointer.ts";
import type { SuiteHttpOperation, SuiteParameter } from "../suite/suite.ts";
import type { SuiteTypes } from "../suite/suite-type.ts";
import { kebabCase } from "../types/kebab-case.ts";
import { ask, caseOf, type HttpContext } from "./http-context.ts";
import { successFindings } from "./http-expect.ts";
import type { Input } from "./http-request.ts";
import { httpRules } from "./http-rules.ts";
import { elementTypeOf, hasManyParameters } from "./operation-shape.ts";
import { parametersOfRole } from "./parameter-roles.ts";
import { baseInputOf, itemsOf } from "./relation-base.ts";

/** Orders that are asked for of one operation. */
const mostOrders = 6;

interface Order extends ListOrder {
  readonly input: Input;
  readonly name: string;
  readonly parameter: SuiteParameter;
}

/** Elements are in the order that is asked for. */
export function planOrders(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  return orderCases(context, operation, hasManyParameters(operation) ? onePerMember : (orders) => orders);
}

/** The other directions, where there are so many parameters that others come first. */
export function planFurtherOrders(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  if (!hasManyParameters(operation)) return [];
  return orderCases(context, operation, (orders) => {
    const first = new Set(onePerMember(orders));
    return orders.filter((order) => !first.has(order));
  });
}

function orderCases(
  context: HttpContext,
  operation: SuiteHttpOperation,
  choose: (orders: readonly Order[]) => readonly Order[],
): readonly PlannedCase[] {
  const base = baseInputOf(context, operation);
  if (base === undefined) return [];
  return choose(ordersOf(context, operation).slice(0, mostOrders)).map((order) =>
    caseOf(context, operation, {
      group: "relation",
      name: `order-${kebabCase(order.name)}`,
      rule: httpRules.sorted,
      expected: `elements in the order of ${order.member}`,
      isLive: true,
      input: { ...base, ...order.input },
      play: async (play) => {
        const observation = await ask(context, play, operation, { ...base, ...order.input });
        const found = successFindings(context, play, observation, httpRules.validValue);
        if (observation.judged.kind !== "success") return found;
        return [...found, ...orderFindings(itemsOf(observation), order)];
      },
    }),
  );
}

/** One order by each member, down and up by turns. */
function onePerMember(orders: readonly Order[]): readonly Order[] {
  const byMember = Map.groupBy(orders, ({ member }) => member);
  return [...byMember.values()].flatMap((all, index) => {
    const chosen = all[(index + 1) % all.length];
    return chosen === undefined ? [] : [chosen];
  });
}

function ordersOf(context: HttpContext, operation: SuiteHttpOperation): readonly Order[] {
  const { types } = context;
  const element = elementTypeOf(operation, types);
  const [direction] = parametersOfRole(operation, "direction", types);
  const sorts = parametersOfRole(operation, "sort", types);
  const orders = sorts.flatMap((parameter) =>
    valuesOf(parameter, types).flatMap((value) => {
      const named = orderOf(value, element, types);
      if (named === undefined) return [];
      // A sign is no part of a name: `price` and `-price` would be called the same.
      const name = value.startsWith("-") ? `${value.slice(1)} descending` : value;
      return [{ ...named, input: { [parameter.property]: value }, name, parameter }];
    }),
  );
  if (direction === undefined) return orders;
  const directions = directionsOf(direction, types);
  return orders.flatMap((order): readonly Order[] => {
    if (order.sign !== undefined) return [order];
    return directions.map(({ value, sign }) => ({
      ...order,
      sign,
      input: { ...order.input, [direction.property]: value },
      name: `${order.name} ${wordOf(sign)}`,
    }));
  });
}

function valuesOf(parameter: SuiteParameter, types: SuiteTypes): readonly string[] {
  const listed = armsOf(parameter.type, types).flatMap((arm) => (arm.kind === "enumeration" ? arm.values : []));
  const shown = [
    ...(parameter.examples ?? []),
    ...(parameter.type.examples ?? []),
    parameter.default,
    parameter.type.default,
  ];
  const values = listed.length > 0 ? listed : shown;
  return [...new Set(values.filter((value) => typeof value === "string"))];
}

interface NamedDirection {
  readonly value: unknown;
  readonly sign: 1 | -1;
}

function directionsOf(parameter: SuiteParameter, types: SuiteTypes): readonly NamedDirection[] {
  for (const arm of armsOf(parameter.type, types)) {
    if (arm.kind === "boolean") {
      return [
        { value: false, sign: 1 },
        { value: true, sign: -1 },
      ];
    }
    if (arm.kind === "enumeration") {
      return arm.values.flatMap((value): readonly NamedDirection[] => {
        const text = String(value).toLowerCase();
        if (text.startsWith("asc")) return [{ value, sign: 1 }];
        return text.startsWith("desc") ? [{ value, sign: -1 }] : [];
      });
    }
  }
  return [];
}

function orderFindings(items: readonly unknown[], { member, sign, parameter }: Order): readonly Finding[] {
  const values = items.map((item) => (isRecord(item) ? item[member] : undefined)).filter(isPlainValue);
  if (isOrdered(values, sign)) return [];
  return [
    {
      rule: httpRules.sorted,
      message: `The elements are not in ${sign === undefined ? "the" : wordOf(sign)} order of ${member}`,
      detail: `${values.length} elements`,
      pointer: `/*/${escapeSegment(member)}`,
      ...withPlace(parameter.place ?? parameter.type.place),
    },
  ];
}

function wordOf(sign: 1 | -1): string {
  return sign === 1 ? "ascending" : "descending";
}
