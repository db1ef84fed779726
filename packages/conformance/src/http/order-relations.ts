import { withPlace } from "../suite/with-place.ts";
import type { Finding } from "../contract/finding.ts";
import type { PlannedCase } from "../contract/planned-case.ts";
import { isRecord } from "../types/is-record.ts";
import { armsOf, membersOf } from "../compare/member-facts.ts";
import { escapeSegment } from "../types/json-pointer.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { SuiteHttpOperation, SuiteParameter } from "../suite/suite.ts";
import type { RecordMember, SuiteTypes } from "../suite/suite-type.ts";
import { kebabCase } from "../types/kebab-case.ts";
import { ask, caseOf, type HttpContext } from "./http-context.ts";
import { successFindings } from "./http-expect.ts";
import type { Input } from "./http-request.ts";
import { httpRules } from "./http-rules.ts";
import { elementTypeOf } from "./operation-shape.ts";
import { parametersOfRole } from "./parameter-roles.ts";
import { baseInputOf, itemsOf } from "./relation-base.ts";

/** Orders that are asked for of one operation. */
const mostOrders = 6;

type Direction = "ascending" | "descending";

interface Order {
  readonly input: Input;
  readonly name: string;
  readonly member: RecordMember;
  /** Absent: the description does not say; either is right. */
  readonly direction?: Direction;
  readonly parameter: SuiteParameter;
}

/** Elements are in the order that is asked for. */
export function planOrders(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const base = baseInputOf(context, operation);
  if (base === undefined) return [];
  return ordersOf(context, operation)
    .slice(0, mostOrders)
    .map((order) =>
      caseOf(context, operation, {
        group: "relation",
        name: `order-${kebabCase(order.name)}`,
        rule: httpRules.sorted,
        expected: `elements in the order of ${order.member.name}`,
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

function ordersOf(context: HttpContext, operation: SuiteHttpOperation): readonly Order[] {
  const { types } = context;
  const members = membersOf(elementTypeOf(operation, types), types);
  const [direction] = parametersOfRole(operation, "direction", types);
  const sorts = parametersOfRole(operation, "sort", types);
  const orders = sorts.flatMap((parameter) =>
    valuesOf(parameter, types).flatMap((value) => {
      const named = orderNamed(value, members);
      if (named === undefined) return [];
      // A sign is no part of a name: `price` and `-price` would be called the same.
      const name = value.startsWith("-") ? `${value.slice(1)} descending` : value;
      return [{ ...named, input: { [parameter.property]: value }, name, parameter }];
    }),
  );
  if (direction === undefined) return orders;
  const directions = directionsOf(direction, types);
  return orders.flatMap((order): readonly Order[] => {
    if (order.direction !== undefined) return [order];
    return directions.map(({ value, meaning }) => ({
      ...order,
      direction: meaning,
      input: { ...order.input, [direction.property]: value },
      name: `${order.name} ${meaning}`,
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
  readonly meaning: Direction;
}

function directionsOf(parameter: SuiteParameter, types: SuiteTypes): readonly NamedDirection[] {
  for (const arm of armsOf(parameter.type, types)) {
    if (arm.kind === "boolean") {
      return [
        { value: false, meaning: "ascending" },
        { value: true, meaning: "descending" },
      ];
    }
    if (arm.kind === "enumeration") {
      return arm.values.flatMap((value): readonly NamedDirection[] => {
        const text = String(value).toLowerCase();
        if (text.startsWith("asc")) return [{ value, meaning: "ascending" }];
        return text.startsWith("desc") ? [{ value, meaning: "descending" }] : [];
      });
    }
  }
  return [];
}

/** `price`, `-price`, `price_desc`, `price:asc`, `priceDesc`. */
function orderNamed(
  value: string,
  members: readonly RecordMember[],
): { readonly member: RecordMember; readonly direction?: Direction } | undefined {
  const sign = /^[-+]/.exec(value)?.[0];
  const plain = plainName(value);
  for (const member of members) {
    const name = plainName(member.name);
    if (plain === name) {
      if (sign === undefined) return { member };
      return { member, direction: sign === "-" ? "descending" : "ascending" };
    }
    if (!plain.startsWith(name)) continue;
    const rest = plain.slice(name.length);
    if (/^(?:asc|ascending|up)$/.test(rest)) return { member, direction: "ascending" };
    if (/^(?:desc|descending|down)$/.test(rest)) return { member, direction: "descending" };
  }
  return undefined;
}

function orderFindings(items: readonly unknown[], { member, direction, parameter }: Order): readonly Finding[] {
  const values = items.flatMap((item) => {
    const value = isRecord(item) ? item[member.name] : undefined;
    return value === undefined || value === null || typeof value === "object" ? [] : [value];
  });
  const isUp = isOrdered(values, 1);
  const isDown = isOrdered(values, -1);
  const isRight = direction === undefined ? isUp || isDown : direction === "ascending" ? isUp : isDown;
  if (isRight) return [];
  const pointer = `/*/${escapeSegment(member.name)}`;
  return [
    {
      rule: httpRules.sorted,
      message: `The elements are not in ${direction === undefined ? "the" : `${direction}`} order of ${member.name}`,
      detail: `${values.length} elements`,
      pointer,
      ...withPlace(parameter.place ?? parameter.type.place),
    },
  ];
}

/** Texts may be ordered by code points or as people do: right is what either finds right. */
function isOrdered(values: readonly unknown[], sign: 1 | -1): boolean {
  return comparisons.some((compare) =>
    values.every((value, index) => index === 0 || compare(values[index - 1], value) * sign <= 0),
  );
}

const collator = new Intl.Collator("en", { numeric: true });

const comparisons: readonly ((left: unknown, right: unknown) => number)[] = [
  (left, right) => plainOrder(left, right),
  (left, right) => plainOrder(String(left).toLowerCase(), String(right).toLowerCase()),
  (left, right) => collator.compare(String(left), String(right)),
];

function plainOrder(left: unknown, right: unknown): number {
  if (typeof left === "string" && typeof right === "string") return left < right ? -1 : left > right ? 1 : 0;
  const [first, second] = [Number(left), Number(right)];
  return first < second ? -1 : first > second ? 1 : 0;
}
