import { canonicalText, isRecord } from "@nodewright/api-model";
import { listOf } from "../compare/list-of.ts";
import { memberOf, membersOf } from "../compare/member-facts.ts";
import { plainName } from "../compare/volatile-names.ts";
import { isComparable } from "../inference/declared-names.ts";
import { findListType, isInteger, type Parameter } from "../inference/list-roles.ts";
import { isPageName, totalIn } from "../inference/page-members.ts";
import { singularOf } from "../basics/singular.ts";
import { withPlace } from "../suite/with-place.ts";
import { kebabCase } from "@nodewright/api-values";
import { nameWords } from "../basics/name-words.ts";
import { valueAmong } from "./choice.ts";
import { knowledgeOf } from "./knowledge.ts";
import type { Input, Operation } from "./operation.ts";
import type { CrossCheck, CrossOutcome, CrossProperty, Knowledge, Problem, Related } from "./property.ts";
import { propertyRules } from "./property-rules.ts";

/**
 * Property that a count of one operation equals the number of elements that another one lists for the same values, with and without
 * filters.
 */
export const countedProperty: CrossProperty = { name: "counted", rule: propertyRules.count, checks };

/** Maximum number of filters with which a count is requested. */
const mostParts = 3;

function* checks({ operations }: Related): Generator<CrossCheck> {
  const lists = operations
    .filter(({ known }) => known.some(({ value }) => listOf(value) !== undefined))
    .flatMap((operation) => knowledgeOf(operation) ?? [])
    .filter(({ list }) => list !== undefined);
  for (const counter of operations) {
    const found = lists.map((list) => countingOf(counter, list)).find((one) => one !== undefined);
    if (found !== undefined) yield checkOf(found);
  }
}

interface Counting {
  readonly counter: Operation;
  /** Knowledge about the operation that lists. */
  readonly list: Knowledge;
  /** Member of the result that is the count, possibly of one owner of the listed elements; undefined where the result is the count. */
  readonly member: { readonly name: string; readonly isOfOwner: boolean } | undefined;
  readonly base: Input;
}

function countingOf(counter: Operation, list: Knowledge): Counting | undefined {
  const { operation } = list;
  const member = countMember(counter, operation);
  if (counter === operation || (member === undefined && !isCountOf(counter, operation))) return undefined;
  const required = operation.parameters.filter((one) => one.required);
  const areShared =
    required.every((one) => sharedWith(counter, operation, one) !== undefined) &&
    counter.parameters.every((one) => !one.required || sharedWith(operation, counter, one) !== undefined);
  const known = operation.known.find(({ value }) => (listOf(value)?.items.length ?? 0) > 1);
  if (!areShared || known === undefined) return undefined;
  const base = Object.fromEntries(required.map(({ property }) => [property, known.input[property]]));
  return { counter, list, member, base };
}

/**
 * Returns the member that is the count: `count` next to a list of the same type, or `transactionCount` of an account whose transactions are
 * listed.
 */
function countMember(counter: Operation, lister: Operation): Counting["member"] {
  const typeNames = typeNamesOf(lister);
  const isOfSame =
    [...typeNamesOf(counter)].some((word) => typeNames.has(word)) &&
    counter.parameters.length > 0 &&
    findListType(counter.result, counter.types) === undefined;
  for (const { name, type } of membersOf(counter.result, counter.types)) {
    if (!isInteger(type, counter.types)) continue;
    const plain = plainName(name);
    if ((plain === "count" || isPageName("total", plain)) && isOfSame) return { name, isOfOwner: false };
    const typeName = /^(.+)count$/.exec(plain)?.[1] ?? /^(?:n|num|numberof|total)(.+)$/.exec(plain)?.[1];
    const isOfOwner = counter.parameters.some((one) => one.required);
    if (typeName !== undefined && isOfOwner && typeNames.has(singularOf(typeName))) return { name, isOfOwner };
  }
  return undefined;
}

/**
 * Whether an operation counts the elements of a list: `countLots` and `getLotCount`, which return only a number, next to `listLots`.
 * `countOpenLots` counts a part and does not match.
 */
function isCountOf(counter: Operation, lister: Operation): boolean {
  const [own, typeNames] = [typeNamesOf(counter), typeNamesOf(lister)];
  const isSame = own.size === typeNames.size && [...own].every((word) => typeNames.has(word));
  return isSame && isInteger(counter.result, counter.types) && nameWords(counter.name).includes("count");
}

const commonWord =
  /^(?:get|list|all|find|search|query|fetch|read|show|load|count|stat|statistic|summary|total|info|overview|by|of|for|the|with|recent|latest)$/;

/** Returns the words of an operation's name that name its objects, without their owner. */
function typeNamesOf({ name, owner }: Operation): ReadonlySet<string> {
  const words = nameWords(name).map(singularOf);
  return new Set(words.filter((word) => word.length > 2 && word !== owner && !commonWord.test(word)));
}

/**
 * Returns the parameter of an operation that takes the value of a parameter of another one: of the same name and type, or the owner of
 * both.
 */
function sharedWith(operation: Operation, other: Operation, wanted: Parameter): Parameter | undefined {
  const same = operation.parameters.find(
    (one) => plainName(one.name) === plainName(wanted.name) && isComparable(one.type, wanted.type, operation.types),
  );
  const isOwner = [operation.owner, other.owner].some(
    (owner) =>
      owner !== undefined && [operation, other].some((one) => singularOf(plainName(one.typeNames ?? "")) === owner),
  );
  const [key, ...keys] = operation.parameters.filter((one) => one.required);
  return same ?? (isOwner && wanted.required && keys.length === 0 ? key : undefined);
}

function checkOf(counting: Counting): CrossCheck {
  const { counter, list, member, base } = counting;
  const { operation } = list;
  const parts = partsOf(counting);
  const place = member === undefined ? undefined : memberOf(counter.result, member.name, counter.types)?.place;
  return {
    operation: counter,
    name: `counts-${kebabCase(operation.name)}`,
    expected: `as many as ${operation.origin} lists, of all and of parts`,
    guess: `${member?.name ?? "the result"} is taken for the number of elements of ${operation.origin}, as names say`,
    ...withPlace(place ?? counter.place),
    inputs: [base, ...parts].map((input) => translated(input, operation, counter)),
    verify: async (call) => {
      for (const input of [base, ...parts]) {
        const [[listed], [counted]] = await Promise.all([
          call(operation, { ...input, ...list.widest }),
          call(counter, translated(input, operation, counter)),
        ]);
        const [length, count] = [lengthOf(list, listed), countIn(counted, member?.name)];
        if (length === undefined || typeof count !== "number") return [];
        if (count !== length) return problemsOf(counting, input, count, length);
      }
      return [];
    },
  };
}

/**
 * Returns the problem of a wrong count. A count with a filter is reported only where the count without filters equals the length of the
 * list.
 */
function problemsOf(
  { counter, list, member, base }: Counting,
  input: Input,
  count: number,
  length: number,
): readonly Problem[] {
  const { origin, parameters } = list.operation;
  const chosen = parameters.find(({ property }) => input !== base && input[property] !== base[property]);
  const which = chosen === undefined ? "" : ` for the same ${chosen.name}`;
  const problem: Problem = {
    message: `${member?.name ?? "the result"} is not the number of elements that ${origin} lists${which}`,
    detail: `it is ${count}, and there are ${length}`,
  };
  const isShown = (counter.examples ?? []).some(
    (one) => countIn({ value: one.value }, member?.name) === length && canonicalText(one.input) === canonicalText(base),
  );
  if (chosen !== undefined || isShown) return [problem];
  // A list may be truncated, and an operation that only counts may include elements that are not listed.
  if (member?.isOfOwner === true) return count > length && isPageLength(length) ? [] : [problem];
  return member === undefined && count < length ? [{ ...problem, isUnsure: true }] : [];
}

/** Whether a length is a common page size: lists without documented pages are truncated at such lengths. */
function isPageLength(length: number): boolean {
  return length > 0 && (length % 10 === 0 || length % 25 === 0);
}

/** Returns inputs with a filter that both operations accept, and that leaves some elements out. */
function partsOf({ counter, list: { operation, filters }, base }: Counting): readonly Input[] {
  const items = operation.known.flatMap(({ value }) => listOf(value)?.items ?? []);
  return filters
    .filter(({ isRequired }) => !isRequired)
    .flatMap((filter): readonly Input[] => {
      const value = valueAmong(filter, items);
      const isShared = sharedWith(counter, operation, filter.parameter) !== undefined;
      return isShared && value !== undefined ? [{ ...base, [filter.parameter.property]: filter.given(value) }] : [];
    })
    .slice(0, mostParts);
}

/** Returns the same values under the parameter names of another operation. */
function translated(input: Input, from: Operation, to: Operation): Input {
  const entries = from.parameters.flatMap((parameter) => {
    const shared = sharedWith(to, from, parameter);
    const value = input[parameter.property];
    return shared === undefined || value === undefined ? [] : [[shared.property, value] as const];
  });
  return Object.fromEntries(entries);
}

function countIn({ value }: CrossOutcome, member: string | undefined): unknown {
  if (member === undefined) return value;
  return isRecord(value) ? value[member] : undefined;
}

/** Returns the number of elements, from the total next to them or by counting them; undefined where the list continues. */
function lengthOf({ isEnded, operation }: Knowledge, { value, page: own }: CrossOutcome): number | undefined {
  const items = listOf(value)?.items;
  const page = own ?? (items === undefined ? undefined : { items });
  const total = totalIn(value, operation)?.total ?? page?.total;
  return total ?? (page !== undefined && isEnded(page) ? page.items.length : undefined);
}
