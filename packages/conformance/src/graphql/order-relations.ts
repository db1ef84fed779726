import {
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLNamedType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from "graphql";
import type { Finding } from "../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../contract/planned-case.ts";
import { isOrdered } from "../compare/list-order.ts";
import { plainName } from "../compare/volatile-names.ts";
import { withPlace } from "../suite/with-place.ts";
import { isRecord } from "../types/is-record.ts";
import { compareLeaves } from "./compare-leaves.ts";
import type { FieldSite } from "./field-site.ts";
import { graphqlCase, kebab } from "./graphql-case.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { GraphqlRun, HeldAnswer } from "./graphql-run.ts";
import { type ListShape, listShapeOf } from "./list-shape.ts";
import { placeOf } from "./place-of.ts";
import { uniqueFindings } from "./read-response.ts";
import { stillFound } from "./still-found.ts";
import { type FieldSelection, type GivenArgument, type Selection, writeQuestion } from "./selection.ts";
import { isSame } from "./is-same.ts";

type Direction = "up" | "down";

/** An order that a list can be asked for in. */
interface Order {
  readonly given: readonly GivenArgument[];
  /** As the document has it. */
  readonly name: string;
  /** The member that elements are ordered by; undefined where it is not said. */
  readonly member: string | undefined;
  readonly direction: Direction | undefined;
  readonly argument: GraphQLArgument;
}

/** Orders that are asked for at once: servers limit aliases. */
const mostOrders = 10;

const orderName = /^(?:sort|order)(?:by|ing|order|field)?$/;
const reverseName = /^(?:desc|descending|reverse|reversed)$/;

/** Lists in an order that is asked for: they are in it, and the other way round they are another. */
export function planOrders(run: GraphqlRun, site: FieldSite): readonly PlannedCase[] {
  const shape = listShapeOf(site.field.type);
  if (shape === undefined) return [];
  const orders = site.field.args
    .flatMap((argument) => ordersOf(run, site, shape.element, argument))
    .slice(0, mostOrders);
  if (orders.length === 0) return [];
  const isRoot = site.parentType === run.schema.getQueryType()?.name;
  return [
    graphqlCase({
      operation: site.operation,
      group: "relation",
      name: `${isRoot ? "" : `${kebab(site.parentType)}-${kebab(site.field.name)}-`}orders`,
      rule: graphqlRules.sorted,
      expected: `elements in the order that is asked for: ${[...new Set(orders.map(({ name }) => name))].join(", ")}`,
      requests: 2,
      play: (play) => playOrders(run, site, shape, orders, play),
    }),
  ];
}

function ordersOf(
  run: GraphqlRun,
  site: FieldSite,
  element: GraphQLNamedType,
  argument: GraphQLArgument,
): readonly Order[] {
  const type = getNullableType(argument.type);
  const named = getNamedType(type);
  const name = plainName(argument.name);
  const wrap = (value: unknown): readonly GivenArgument[] => [
    { name: argument.name, type: argument.type, value: isListType(type) ? [value] : value },
  ];
  if (named.name === "Boolean" && reverseName.test(name) && !isListType(type)) {
    return [false, true].map((value) => ({
      given: wrap(value),
      name: argument.name,
      member: undefined,
      direction: value ? "down" : "up",
      argument,
    }));
  }
  if (isEnumType(named) && orderName.test(name)) {
    const beside = site.field.args.find((one) => one !== argument && isDirection(getNamedType(one.type)));
    return named.getValues().flatMap(({ name: value }): readonly Order[] => {
      const meant = meaningOf(element, value);
      if (meant.member === undefined) return [];
      const head = { name: `${argument.name}: ${value}`, member: meant.member, argument };
      const plain = [{ ...head, given: wrap(value), direction: meant.direction }];
      if (meant.direction !== undefined || beside === undefined) return plain;
      return directionsOf(beside.type).map(([chosen, direction]) => ({
        ...head,
        direction,
        given: [...wrap(value), { name: beside.name, type: beside.type, value: chosen }],
      }));
    });
  }
  return isInputObjectType(named) && orderName.test(name) ? inputOrders(run, element, argument, named, wrap) : [];
}

/** `{ field, direction }`, or a direction for each member. */
function inputOrders(
  run: GraphqlRun,
  element: GraphQLNamedType,
  argument: GraphQLArgument,
  type: GraphQLNamedType,
  wrap: (value: unknown) => readonly GivenArgument[],
): readonly Order[] {
  const base = isInputObjectType(type) ? run.sampleOf(argument.name, type) : undefined;
  if (!isInputObjectType(type) || !isRecord(base)) return [];
  const fields = Object.values(type.getFields());
  const way = fields.find(({ type: inner }) => isDirection(getNamedType(inner)));
  const what = fields.find(
    (one) => one !== way && isEnumType(getNamedType(one.type)) && directionsOf(one.type).length === 0,
  );
  const ofField = getNamedType(what?.type);
  if (what !== undefined && isEnumType(ofField)) {
    return ofField.getValues().flatMap(({ name: value }): readonly Order[] => {
      const { member, direction } = meaningOf(element, value);
      if (member === undefined) return [];
      const head = { name: `${argument.name}.${what.name}: ${value}`, member, argument };
      const chosen = { ...base, [what.name]: value };
      if (way === undefined) return [{ ...head, given: wrap(chosen), direction }];
      return directionsOf(way.type).map(([one, meant]) => ({
        ...head,
        given: wrap({ ...chosen, [way.name]: one }),
        direction: meant,
      }));
    });
  }
  return fields.flatMap(({ name, type: inner }): readonly Order[] =>
    isMember(element, name)
      ? directionsOf(inner).map(([value, direction]) => ({
          given: wrap({ [name]: value }),
          name: `${argument.name}.${name}`,
          member: name,
          direction,
          argument,
        }))
      : [],
  );
}

function isDirection(type: GraphQLNamedType): boolean {
  return isEnumType(type) && isOfDirections(type);
}

function isOfDirections(type: GraphQLEnumType): boolean {
  return type.getValues().length >= 2 && type.getValues().every(({ name }) => directionOf(name) !== undefined);
}

/** The two plain ones, of those that an enum has. */
function directionsOf(type: GraphQLArgument["type"]): readonly (readonly [string, Direction])[] {
  const named = getNamedType(type);
  if (!isEnumType(named) || !isOfDirections(named)) return [];
  return (["up", "down"] as const).flatMap((direction) => {
    const found = named.getValues().find(({ name }) => directionOf(name) === direction);
    return found === undefined ? [] : [[found.name, direction] as const];
  });
}

function directionOf(name: string): Direction | undefined {
  const plain = plainName(name);
  if (/^(?:asc|ascending|up)(?:nulls(?:first|last))?$/.test(plain)) return "up";
  return /^(?:desc|descending|down)(?:nulls(?:first|last))?$/.test(plain) ? "down" : undefined;
}

/** What a value of an enum means: `NAME`, `NAME_ASC`, `createdAt_DESC`. */
function meaningOf(element: GraphQLNamedType, value: string): Pick<Order, "member" | "direction"> {
  const [, head = value, way] = /^(.+?)_(asc|desc|ascending|descending)$/i.exec(value) ?? [];
  const fields = isObjectType(element) || isInterfaceType(element) ? Object.keys(element.getFields()) : [];
  const member = fields.find((name) => plainName(name) === plainName(head) && isMember(element, name));
  return { member, direction: way === undefined ? undefined : directionOf(way) };
}

function isMember(element: GraphQLNamedType, name: string): boolean {
  const field = isObjectType(element) || isInterfaceType(element) ? element.getFields()[name] : undefined;
  if (field === undefined || field.args.length > 0 || isListType(getNullableType(field.type))) return false;
  // An enum may be ordered by its own order as well as by names.
  return isLeafType(getNamedType(field.type)) && !isEnumType(getNamedType(field.type));
}

async function playOrders(
  run: GraphqlRun,
  site: FieldSite,
  shape: ListShape,
  orders: readonly Order[],
  play: CasePlay,
): Promise<readonly Finding[]> {
  const members = new Set(orders.flatMap(({ member }) => (member === undefined ? [] : [member])));
  const leaf = (name: string): FieldSelection => ({ kind: "field", name, selections: [] });
  const keys = ["id", "code", "number", "name"].filter((name) => isMember(shape.element, name) && !members.has(name));
  const selections: readonly Selection[] = shape.select([leaf("__typename"), ...[...members, ...keys].map(leaf)]);
  const question = writeQuestion(
    site.wrap(
      orders.map(({ given }, index): FieldSelection => {
        const rest = (site.selection.arguments ?? []).filter((one) => !given.some(({ name }) => name === one.name));
        return { ...site.selection, alias: `order${index}`, arguments: [...rest, ...given], selections };
      }),
    ),
  );
  const held = await run.ask(play, question);
  if (held.data === undefined) return play.skip("The target does not answer this");
  // What changes by itself is another by the time that it is answered than when it was put into order.
  const steady = orders.map((one) => (one.member !== undefined && run.restless.has(one.member) ? undefined : one));
  const found = orderFindings(site, shape, steady, held);
  if (found.length === 0) return held.findings;
  const still = await stillFound(found, async () => orderFindings(site, shape, steady, await run.ask(play, question)));
  return uniqueFindings([...held.findings, ...still]);
}

function orderFindings(
  site: FieldSite,
  shape: ListShape,
  orders: readonly (Order | undefined)[],
  { data }: HeldAnswer,
): readonly Finding[] {
  if (data === undefined) return [];
  const findings: Finding[] = [];
  for (const parent of site.parentsIn(data)) {
    const lists = orders.map((_, index) => shape.elementsOf(parent[`order${index}`]));
    for (const [index, order] of orders.entries()) {
      const list = lists[index];
      if (order === undefined || list === undefined || list.length < 2) continue;
      const place = withPlace(placeOf(order.argument.astNode));
      if (order.member !== undefined) {
        const values = list.map((one) => (isRecord(one) ? one[order.member ?? ""] : undefined));
        const isOwn = isOwnScalar(shape.element, order.member);
        const isSure = isOwn ? isComparable(values) : values.every((one) => typeof one !== "string" || isTime(one));
        const rule = isSure ? graphqlRules.sorted : graphqlRules.sortedLikely;
        const message = `${site.field.name} is not in the order of ${order.name}`;
        const isRight = isOwn && isSure ? isInOrder(values, order.direction) : isSorted(values, order.direction);
        if (!isRight) findings.push({ rule, message, ...place });
      }
      // The other way round, what differs stands elsewhere.
      const opposite = orders.findIndex(
        (one) => one?.name === order.name && order.direction === "up" && one.direction === "down",
      );
      const reversed = opposite < 0 ? undefined : lists[opposite];
      if (reversed === undefined || !isSame(list, reversed) || !differ(list, order.member)) continue;
      const message = `${site.field.name} is in the same order both ways round by ${order.name}`;
      findings.push({ rule: graphqlRules.sorted, message, ...place });
    }
  }
  return uniqueFindings(findings);
}

/** Whether elements differ in what they are ordered by; in anything, where that is not said. */
function differ(list: readonly unknown[], member: string | undefined): boolean {
  const values = list.map((one) => JSON.stringify(member !== undefined && isRecord(one) ? one[member] : one));
  return new Set(values).size > 1;
}

function isTime(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}(?:T|$)/.test(value);
}

/** Whether a member is of one of the schema's own scalars: a decimal is one however it is written, where a text is ordered as a text. */
function isOwnScalar(element: GraphQLNamedType, member: string): boolean {
  const field = isObjectType(element) || isInterfaceType(element) ? element.getFields()[member] : undefined;
  const leaf = getNamedType(field?.type);
  return leaf !== undefined && isScalarType(leaf) && !isSpecifiedScalarType(leaf);
}

function isComparable(values: readonly unknown[]): boolean {
  const known = values.filter((one) => one !== null && one !== undefined);
  return known.every((one) => compareLeaves(known[0], one) !== undefined);
}

/** By what the values are, and not by how they are written. */
function isInOrder(values: readonly unknown[], direction: Direction | undefined): boolean {
  const known = values.filter((one) => one !== null && one !== undefined);
  const signs = direction === undefined ? [1, -1] : [direction === "up" ? 1 : -1];
  return signs.some((sign) =>
    known.every((one, index) => index === 0 || (compareLeaves(known[index - 1], one) ?? 0) * sign <= 0),
  );
}

/** Of what is neither all numbers nor all texts nothing is said. */
function isSorted(values: readonly unknown[], direction: Direction | undefined): boolean {
  const known = values.filter((one) => one !== null && one !== undefined);
  const isComparable = ["number", "string"].some((kind) => known.every((one) => typeof one === kind));
  return !isComparable || isOrdered(known, direction === undefined ? undefined : direction === "up" ? 1 : -1);
}
