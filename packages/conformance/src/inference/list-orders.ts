import { directionOf, type ListOrder, orderOf } from "../compare/list-order.ts";
import { elementOf, kindsIn, listedOf, memberOf, membersOf } from "../compare/member-facts.ts";
import { momentMemberOf } from "../compare/range-role.ts";
import type { RecordMember, SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { directionsOf, type InferredRole, type Parameter, shownOf } from "./list-roles.ts";

/** An order that a list can be called for in. */
export interface InferredOrder {
  /** What is added to an input. */
  readonly input: Readonly<Record<string, unknown>>;
  /** As the description has it: `price descending`. */
  readonly name: string;
  readonly parameter: Parameter;
  readonly guess: string;
  /** The member that elements are ordered by; absent where only a direction is chosen. */
  readonly member?: string;
  /** 1 goes up, -1 down; absent where either is right. */
  readonly sign?: 1 | -1;
  /** True where only a part of the member's name says so. */
  readonly isOfPart?: boolean;
}

type Order = Omit<InferredOrder, "parameter" | "guess">;

/** The orders that parameters with the roles sort and direction offer for elements of a type. */
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
  // A direction may mean nothing without a member to sort by.
  return roles.some(({ role }) => role === "sort")
    ? sorted.flatMap((order) => (order.sign === undefined ? directed(order) : [order]))
    : directed({ input: {}, name: parameter.name, parameter, guess });
}

function signedName(name: string, sign: 1 | -1): string {
  return `${name} ${sign === 1 ? "ascending" : "descending"}`.trim();
}

/** The orders of one parameter: words, lists of one word, `{ field, direction }`, or a direction for each member. */
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
    // Next to a name with a minus the bare one is the other direction.
    const signed = words.includes(`-${word}`) ? { ...order, sign: 1 as const } : order;
    // A sign is no part of a name: `price` and `-price` would be called the same.
    const name = word.startsWith("-") ? signedName(word.slice(1), -1) : word;
    return [{ ...signed, input: wrap(word), name }];
  });
}

/** `newest` and `oldest`: by when things happened, whichever member says so. */
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

/** The words that a parameter takes: those of a list of values, else those that the description shows. */
function wordsOf(parameter: Parameter, type: SuiteType, types: SuiteTypes): readonly string[] {
  const listed = wordsIn(type, types);
  if (listed.length > 0) return listed;
  const shown = [...shownOf(parameter), parameter.default, parameter.type.default];
  return [...new Set(shown.flat().filter((value) => typeof value === "string"))];
}

function wordsIn(type: SuiteType, types: SuiteTypes): readonly string[] {
  return listedOf(type, types).filter((value) => typeof value === "string");
}

/** Whether elements have the member as one value: a list has no order among others. */
function isOrderable(element: SuiteType, name: string, types: SuiteTypes): boolean {
  const kinds = kindsIn(memberOf(element, name, types)?.type, types);
  return kinds.size > 0 && !kinds.has("list");
}
