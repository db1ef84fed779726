import { canonicalText, escapeSegment, isRecord } from "@nodewright/api-model";
import { verifyWidest } from "./attempt.ts";
import { itemsOf } from "./choice.ts";
import { isGrouped, isOrdered, isPlainValue } from "../compare/list-order.ts";
import { armsOf, memberOf } from "../compare/member-facts.ts";
import { areOpaque } from "../inference/opaque.ts";
import { inferOrders, type InferredOrder } from "../inference/list-orders.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { interleave, kebabCase } from "@nodewright/api-values";
import type { Result } from "./operation.ts";
import type { Check, Knowledge, Problem, Property } from "./property.ts";
import { propertyRules } from "./property-rules.ts";

/** Property that elements are in the requested order, and reversed in the other direction. */
export const sortProperty: Property = { name: "sort", rule: propertyRules.sort, checks };

/** Maximum number of orders to check of one operation. */
const mostOrders = 10;

function* checks(knowledge: Knowledge): Generator<Check> {
  const { list, roles, operation, whole } = knowledge;
  if (list === undefined) return;
  const orders = inferOrders(roles, list.element, operation.types);
  // A longer list shows the order better.
  const comparingOrders = <const Orders extends readonly InferredOrder[]>(
    ordered: Orders,
    compare: (results: readonly Result[]) => readonly Problem[],
  ): Pick<Check, "inputs" | "verify"> => ({
    inputs: ordered.map(({ input }) => ({ ...whole, ...input })),
    verify: (call) =>
      verifyWidest(knowledge, async (start) =>
        compare(await call(...ordered.map(({ input }) => ({ ...start, ...input })))),
      ),
  });
  for (const order of alternate(orders.filter(({ member }) => member !== undefined)).slice(0, mostOrders)) {
    yield {
      parameter: order.parameter,
      guess: order.guess,
      reads: [[order.member ?? ""]],
      name: `order-${kebabCase(order.name)}`,
      expected: `elements in the order of ${order.member}`,
      ...comparingOrders([order], (results) =>
        results.flatMap((result) => orderProblems(result, order, list.element, operation.types)),
      ),
    };
  }
  for (const [up, down] of pairsOf(orders)) {
    yield {
      parameter: up.parameter,
      guess: up.guess,
      reads: up.member === undefined ? [] : [[up.member]],
      name: `order-${kebabCase(up.member ?? up.parameter.name)}-both-ways`,
      expected: "another order in the other direction",
      ...comparingOrders([up, down], (results) => directionProblems(knowledge, up, results.map(itemsOf))),
    };
  }
}

/**
 * Returns one order by each member, ascending and descending alternately, and then the others, so that a limit omits orders of all members
 * equally.
 */
function alternate(orders: readonly InferredOrder[]): readonly InferredOrder[] {
  const byMember = Map.groupBy(orders, ({ member }) => member);
  return interleave([...byMember.values()].map((all, index) => (index % 2 === 0 ? all.toReversed() : all)));
}

/** Returns the two directions of each order that has both. */
function pairsOf(orders: readonly InferredOrder[]): readonly (readonly [InferredOrder, InferredOrder])[] {
  const byMember = Map.groupBy(orders, ({ member, parameter }) => `${parameter.name} ${member ?? ""}`);
  return [...byMember.values()].flatMap((all) => {
    const [up, down] = ([1, -1] as const).map((sign) => all.find((one) => one.sign === sign));
    return up === undefined || down === undefined ? [] : [[up, down] as const];
  });
}

function orderProblems(
  result: Result,
  { member = "", sign, isOfPart = false }: InferredOrder,
  element: SuiteType,
  types: SuiteTypes,
): readonly Problem[] {
  const arms = armsOf(memberOf(element, member, types)?.type, types);
  const found = itemsOf(result).map((item) => (isRecord(item) ? item[member] : undefined));
  const values = comparable(found, arms);
  if (areOpaque(values, arms)) return [];
  // Only the server knows the order of the values of an enumeration.
  const isChoice = arms.some(({ kind }) => kind === "enumeration");
  if (isOrdered(values, sign) || (isChoice && isGrouped(values))) return [];
  const word = sign === undefined ? "the" : sign === 1 ? "ascending" : "descending";
  return [
    {
      message: `the elements are not in ${word} order of ${member}`,
      detail: `${values.length} elements`,
      pointer: `/*/${escapeSegment(member)}`,
      isUnsure: isOfPart,
    },
  ];
}

/**
 * Returns the values that have an order. Amounts with a currency, or with other members that are the same in all, are compared by their
 * number. Numbers that a type of their own writes as strings are ordered as numbers.
 */
function comparable(values: readonly unknown[], arms: readonly SuiteType[]): readonly unknown[] {
  const records = values.filter(isRecord);
  const [first] = records;
  if (first === undefined || records.length < values.length) {
    const plain = values.filter(isPlainValue);
    const areDecimals = plain.every((value) => typeof value === "string" && /^-?\d+(?:\.\d+)?$/.test(value));
    return areDecimals && !arms.some(({ kind }) => kind === "string") ? plain.map(Number) : plain;
  }
  const names = Object.keys(first).filter((name) => typeof first[name] === "number");
  const [amount] = names;
  const kindOf = (record: Readonly<Record<string, unknown>>): string =>
    canonicalText(Object.entries(record).filter(([name]) => name !== amount));
  const isOfOneKind = records.every((record) => kindOf(record) === kindOf(first));
  return amount !== undefined && names.length === 1 && isOfOneKind ? records.map((record) => record[amount]) : [];
}

function directionProblems(
  { isSameList }: Knowledge,
  { member, parameter }: InferredOrder,
  [ascending = [], descending = []]: readonly (readonly unknown[])[],
): readonly Problem[] {
  const keyOf = (item: unknown): string => canonicalText(member !== undefined && isRecord(item) ? item[member] : item);
  if (new Set(ascending.map(keyOf)).size < 2) return [];
  const by = member === undefined ? parameter.name : member;
  if (isSameList(ascending, descending)) return [{ message: `the order by ${by} is the same in both directions` }];
  if (member !== undefined) return [];
  const names = isRecord(ascending[0]) ? Object.keys(ascending[0]) : [];
  const goes = (items: readonly unknown[], name: string, sign: 1 | -1): boolean => {
    const values = items.map((item) => (isRecord(item) ? item[name] : undefined));
    return new Set(values).size === values.length && values.length > 2 && isOrdered(values, sign);
  };
  const isRight = names.some((name) => goes(ascending, name, 1) && goes(descending, name, -1));
  const isReversed = names.some((name) => goes(ascending, name, -1) && goes(descending, name, 1));
  return isReversed && !isRight ? [{ message: `${parameter.name} means the other direction` }] : [];
}
