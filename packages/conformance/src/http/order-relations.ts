import { inTurns } from "../basics/in-turns.ts";
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
import { elementTypeOf } from "./operation-shape.ts";
import { widest } from "./list-filter.ts";
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
  const base = baseInputOf(context, operation);
  if (base === undefined) return [];
  return byTurns(ordersOf(context, operation)).map((order) => {
    // The longer the list, the more there is to be in order.
    const input = { ...base, ...widest(context, operation), ...order.input };
    return caseOf(context, operation, {
      group: "relation",
      name: `order-${kebabCase(order.name)}`,
      rule: httpRules.sorted,
      expected: `elements in the order of ${order.member}`,
      isLive: true,
      input,
      play: async (play) => {
        const observation = await ask(context, play, operation, input);
        const found = successFindings(context, play, observation, httpRules.validValue);
        if (observation.judged.kind !== "success") return found;
        return [...found, ...orderFindings(itemsOf(observation), order)];
      },
    });
  });
}

/** One order by each member, down and up by turns, and then the others: what is too much is left out of all. */
function byTurns(orders: readonly Order[]): readonly Order[] {
  const byMember = Map.groupBy(orders, ({ member }) => member);
  const turned = [...byMember.values()].map((all, index) => (index % 2 === 0 ? all.toReversed() : all));
  return inTurns(turned).slice(0, mostOrders);
}

function ordersOf(context: HttpContext, operation: SuiteHttpOperation): readonly Order[] {
  const { types } = context;
  const element = elementTypeOf(operation, types);
  const [direction] = parametersOfRole(operation, "direction", types);
  const sorts = parametersOfRole(operation, "sort", types);
  const orders = sorts.flatMap((parameter) =>
    valuesOf(parameter, types).flatMap((value, _index, values) => {
      const order = orderOf(value, element, types);
      if (order === undefined) return [];
      // Beside a name with a minus the bare one is the other direction.
      const named: ListOrder = values.includes(`-${value}`) ? { ...order, sign: 1 } : order;
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
  const values = plainValues(items.map((item) => (isRecord(item) ? item[member] : undefined)));
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

/** The values that have an order: of amounts with a currency, or whatever stands beside one number and is the same in all, the numbers. */
function plainValues(values: readonly unknown[]): readonly unknown[] {
  const records = values.filter(isRecord);
  const [first] = records;
  if (first === undefined || records.length < values.length) return values.filter(isPlainValue);
  const names = Object.keys(first).filter((name) => typeof first[name] === "number");
  const [amount] = names;
  const kindOf = (record: Readonly<Record<string, unknown>>): string =>
    JSON.stringify(Object.entries(record).filter(([name]) => name !== amount));
  const isOfOneKind = records.every((record) => kindOf(record) === kindOf(first));
  return amount !== undefined && names.length === 1 && isOfOneKind ? records.map((record) => record[amount]) : [];
}

function wordOf(sign: 1 | -1): string {
  return sign === 1 ? "ascending" : "descending";
}
