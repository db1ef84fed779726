import { directionOf, type ListOrder, orderOf } from "../compare/list-order.ts";
import { elementOf, kindsIn, listedOf, memberOf, membersOf } from "../compare/member-facts.ts";
import { momentMemberOf } from "../compare/range-role.ts";
import type { RecordMember, SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { directionsOf, type InferredRole, type Parameter, shownOf } from "./list-roles.ts";

/** An order that can be requested for a list. */
export interface InferredOrder {
  /** Values that are added to an input. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Name in the description: `price descending`. */
  readonly name: string;
  readonly parameter: Parameter;
  readonly guess: string;
  /** Member that elements are ordered by; absent where only a direction is given. */
  readonly member?: string;
  /** 1 for ascending, -1 for descending; absent where either is correct. */
  readonly sign?: 1 | -1;
  /** Whether only a part of the member's name matches. */
  readonly isOfPart?: boolean;
}

type Order = Omit<InferredOrder, "parameter" | "guess">;

/** Infers the orders that parameters with the roles sort and direction offer for elements of a type. */
export function inferOrders(
  roles: readonly InferredRole[],
  element: SuiteType,
  types: SuiteTypes,
): readonly InferredOrder[] {
  const direction = roles.find(({ role }) => role === "direction");
  const directions = direction === undefined ? [] : directionsOf(direction.parameter.type, types);
  const sorted = roles
    .filter(({ role }) => role === "sort")
    .flatMap(({ parameter, guess }) =>
      ordersOf(parameter, element, types).map((order): InferredOrder => ({ ...order, parameter, guess })),
    );
  if (direction === undefined) return sorted;
  const { parameter, guess } = direction;
  const directed = (order: InferredOrder): readonly InferredOrder[] =>
    directions.map(({ value, sign }) => ({
      ...order,
      sign,
      input: { ...order.input, [parameter.property]: value },
      name: signedName(order.name, sign),
    }));
  // A direction may have no effect without a member to sort by.
  return roles.some(({ role }) => role === "sort")
    ? sorted.flatMap((order) => (order.sign === undefined ? directed(order) : [order]))
    : directed({ input: {}, name: parameter.name, parameter, guess });
}

function signedName(name: string, sign: 1 | -1): string {
  return `${name} ${sign === 1 ? "ascending" : "descending"}`.trim();
}

/** Returns the orders of one parameter: words, lists of one word, `{ field, direction }`, or a direction for each member. */
function ordersOf(parameter: Parameter, element: SuiteType, types: SuiteTypes): readonly Order[] {
  const listed = elementOf(parameter.type, 0, types);
  const wrap = (value: unknown): Order["input"] => ({
    [parameter.property]: listed === undefined ? value : [value],
  });
  const type = listed ?? parameter.type;
  if (membersOf(type, types).length > 0) return objectOrders(type, element, types, wrap);
  const words = wordsOf(parameter, type, types);
  return words.flatMap((word): readonly Order[] => {
    const order = orderOf(word, element, types) ?? orderOfTime(word, element, types);
    if (order === undefined || (order.member !== undefined && !isOrderable(element, order.member, types))) return [];
    // If a name also exists with a minus, the one without is ascending.
    const signed = words.includes(`-${word}`) ? { ...order, sign: 1 as const } : order;
    // A sign is not part of a name: `price` and `-price` would have the same name.
    const name = word.startsWith("-") ? signedName(word.slice(1), -1) : word;
    return [{ ...signed, input: wrap(word), name }];
  });
}

/** Returns the order of `newest` and `oldest`: by the time of an event, whichever member contains it. */
function orderOfTime(word: string, element: SuiteType, types: SuiteTypes): Partial<ListOrder> | undefined {
  const sign = directionOf(word);
  const member = momentMemberOf(membersOf(element, types))?.name;
  return sign === undefined ? undefined : { sign, ...(member === undefined ? {} : { member }) };
}

function objectOrders(
  type: SuiteType,
  element: SuiteType,
  types: SuiteTypes,
  wrap: (value: unknown) => Order["input"],
): readonly Order[] {
  const members = membersOf(type, types);
  const isDirection = (member: RecordMember): boolean => directionsOf(member.type, types).length > 1;
  const inDirections = (member: string, name: string, way: RecordMember, others: object): readonly Order[] =>
    directionsOf(way.type, types).map(({ value, sign }) => {
      return { member, sign, input: wrap({ ...others, [way.name]: value }), name: signedName(name, sign) };
    });
  const way = members.find(isDirection);
  const field = members.find((one) => one !== way && wordsIn(one.type, types).length > 0 && !isDirection(one));
  if (field === undefined)
    return members
      .filter((one) => isDirection(one) && isOrderable(element, one.name, types))
      .flatMap((one) => inDirections(one.name, one.name, one, {}));
  return wordsIn(field.type, types).flatMap((word): readonly Order[] => {
    const order = orderOf(word, element, types);
    if (order === undefined || !isOrderable(element, order.member, types)) return [];
    const named = { [field.name]: word };
    return way === undefined
      ? [{ ...order, input: wrap(named), name: word }]
      : inDirections(order.member, word, way, named);
  });
}

/** Returns the words that a parameter takes: those of its enumeration, else those that the description shows. */
function wordsOf(parameter: Parameter, type: SuiteType, types: SuiteTypes): readonly string[] {
  const listed = wordsIn(type, types);
  if (listed.length > 0) return listed;
  const shown = [...shownOf(parameter), parameter.default, parameter.type.default];
  return [...new Set(shown.flat().filter((value) => typeof value === "string"))];
}

function wordsIn(type: SuiteType, types: SuiteTypes): readonly string[] {
  return listedOf(type, types).filter((value) => typeof value === "string");
}

/** Whether elements have the member as a single value: lists have no order. */
function isOrderable(element: SuiteType, name: string, types: SuiteTypes): boolean {
  const kinds = kindsIn(memberOf(element, name, types)?.type, types);
  return kinds.size > 0 && !kinds.has("list");
}
