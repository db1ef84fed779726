import { canonicalText, isRecord } from "@nodewright/api-model";
import { listOf } from "../../compare/list-of.ts";
import { armsOf, memberOf, membersOf } from "../../compare/member-facts.ts";
import { plainName } from "../../compare/volatile-names.ts";
import { inferFilters } from "../../inference/list-filters.ts";
import { singularOf } from "../../inference/singular.ts";
import { isTotalName, totalIn } from "../../inference/page-members.ts";
import { valueAmong } from "../../properties/element-values.ts";
import type { Finding } from "../../contract/finding.ts";
import type { CasePlay } from "../../contract/planned-case.ts";
import type { SuiteParameter, SuiteRpcMethod } from "../../suite/suite.ts";
import { requiredOf } from "./good-inputs.ts";
import { type Lists, listsOf, sizeOf } from "./lists.ts";
import { elementTypeOf } from "./list-roles.ts";
import { ask, resultType } from "./rpc-call.ts";
import { type CaseDraft, judgedMethods, memoryKey, type RpcContext } from "./rpc-context.ts";
import { finding } from "./rpc-finding.ts";
import type { Input } from "./rpc-params.ts";
import { rpcRules } from "./rpc-rules.ts";
import { nameWords } from "../../types/name-words.ts";

/** Choices of a part with which a count is tried. */
const mostParts = 3;

/** A method that counts what another one lists, as far as their names tell. */
interface Counting {
  readonly context: RpcContext;
  readonly method: SuiteRpcMethod;
  /** The member of the result that is the count; `undefined` where the result is. */
  readonly member: string | undefined;
  readonly lists: Lists;
  /** Of both, what they have to be asked for. */
  readonly base: Input;
}

/** What a method counts is as many as another one lists, where both are asked for the same part of all. */
export function* countDrafts(context: RpcContext, method: SuiteRpcMethod): Generator<CaseDraft> {
  if (elementTypeOf(method, context.suite.types) !== undefined) return;
  for (const other of judgedMethods(context)) {
    const counting = other === method ? undefined : countingOf(context, method, other);
    if (counting === undefined) continue;
    const parts = partsOf(counting);
    yield {
      group: "relation",
      name: `counts-${other.name}`,
      rule: rpcRules.counted,
      expected: `as many as ${other.method} lists, of all and of parts`,
      requests: 6 * (parts.length + 1),
      usualRequests: parts.length + 1,
      isLive: true,
      input: counting.base,
      play: async (play) => await playCounts(play, counting, parts),
    };
    return;
  }
}

function countingOf(context: RpcContext, method: SuiteRpcMethod, other: SuiteRpcMethod): Counting | undefined {
  const member = countMember(context, method, other);
  const isCount = member !== undefined || isCountOf(context, method, other);
  const lists = isCount ? listsOf(context, other) : undefined;
  if (lists === undefined) return undefined;
  const needed = [...requiredOf(method), ...requiredOf(other)];
  if (!needed.every((one) => sharedWith(method, one) !== undefined && sharedWith(other, one) !== undefined))
    return undefined;
  const base = context.session.live
    .goodInputsOf(other.name)
    .map((input) => Object.fromEntries(requiredOf(other).map(({ property }) => [property, input[property]])))
    .find((input) => isSmall(lists, input));
  return base === undefined ? undefined : { context, method, member, lists, base };
}

/** Whether all that there is was listed, as far as was seen: the count of a list that goes on is not known. */
function isSmall({ context, method, knowledge }: Lists, base: Input): boolean {
  const known = [base, { ...base, ...knowledge.widest }].map((input) => context.memory.get(memoryKey(method, input)));
  return known.some((outcome) => outcome?.kind === "result" && (listOf(outcome.value)?.items.length ?? 0) > 1);
}

/** `count` beside a method of the same things, or `transactionCount` of what is listed by `listTransactions`. */
function countMember({ suite }: RpcContext, method: SuiteRpcMethod, other: SuiteRpcMethod): string | undefined {
  const things = thingsOf(other);
  const isOfSame = [...thingsOf(method)].some((word) => things.has(word)) && method.parameters.length > 0;
  const integers = membersOf(resultType(method), suite.types).filter(({ type }) =>
    armsOf(type, suite.types).every((arm) => arm.kind === "number" && arm.integer),
  );
  return integers.find(({ name }) => {
    const plain = plainName(name);
    if (plain === "count" || isTotalName(plain)) return isOfSame;
    const thing = /^(.+)count$/.exec(plain)?.[1] ?? /^(?:num|numberof)(.+)$/.exec(plain)?.[1];
    return thing !== undefined && things.has(singularOf(thing)) && requiredOf(method).length > 0;
  })?.name;
}

/** `countLots` and `getLotCount`, which return a number alone, beside `listLots`. */
function isCountOf({ suite }: RpcContext, method: SuiteRpcMethod, other: SuiteRpcMethod): boolean {
  const arms = armsOf(resultType(method), suite.types);
  const isInteger = arms.length > 0 && arms.every((arm) => arm.kind === "number" && arm.integer);
  const [own, things] = [thingsOf(method), thingsOf(other)];
  // `countOpenLots` is of a part.
  return (
    isInteger &&
    nameWords(method.method).includes("count") &&
    own.size === things.size &&
    [...own].every((word) => things.has(word))
  );
}

const commonWord =
  /^(?:get|list|all|find|search|query|fetch|read|show|load|count|stat|statistic|summary|total|info|overview|by|of|for|the|with|recent|latest)$/;

/** The words of a method's name that say what it is about. */
function thingsOf({ method }: SuiteRpcMethod): ReadonlySet<string> {
  const words = nameWords(method).map(singularOf);
  return new Set(words.filter((word) => word.length > 2 && !commonWord.test(word)));
}

/** The parameter of a method that is called as one of another and of its type. */
function sharedWith({ parameters }: SuiteRpcMethod, wanted: SuiteParameter): SuiteParameter | undefined {
  const type = typeText(wanted);
  return parameters.find((one) => plainName(one.name) === plainName(wanted.name) && typeText(one) === type);
}

function typeText({ type: { place: _place, ...type } }: SuiteParameter): string {
  return type.kind === "reference" ? type.target : canonicalText(JSON.parse(JSON.stringify(type, withoutPlace)));
}

function withoutPlace(name: string, value: unknown): unknown {
  if (name === "place") return undefined;
  return typeof value === "bigint" ? String(value) : value;
}

interface Part {
  readonly parameter: SuiteParameter;
  readonly value: unknown;
}

/** Values of optional parameters that both take, and that leave something out. */
function partsOf({ method, lists }: Counting): readonly Part[] {
  const { operation, list } = lists.knowledge;
  const items = operation.known.flatMap(({ page }) => page?.items ?? []);
  const filters = list === undefined ? [] : inferFilters(operation.parameters, list.element, operation.types);
  return lists.method.parameters
    .flatMap((parameter): readonly Part[] => {
      const filter = filters.find((one) => one.parameter === parameter);
      const value = filter === undefined ? undefined : valueAmong(filter, items);
      return filter === undefined || value === undefined || sharedWith(method, parameter) === undefined
        ? []
        : [{ parameter, value: filter.given(value) }];
    })
    .slice(0, mostParts);
}

/** Parts say something where the whole is counted as it is listed: then both count the same. */
async function playCounts(play: CasePlay, counting: Counting, parts: readonly Part[]): Promise<readonly Finding[]> {
  const { method, member, lists, base, context } = counting;
  const whole = await compareCounts(play, counting, base);
  const own = member === undefined ? undefined : memberOf(resultType(method), member, context.suite.types);
  const place = own?.place ?? method.place;
  const told = (compared: Compared, which: string, rule = rpcRules.counted): readonly Finding[] => {
    const message = `${member ?? "the result"} is not the number of elements that ${lists.method.method} lists${which}`;
    const detail = `it is ${compared.count}, beside ${compared.length} elements`;
    const pointer = member === undefined ? "" : `/${member}`;
    return [...compared.findings, finding(rule, message, detail, { pointer, place })];
  };
  if (whole === undefined) return [];
  if (!whole.isSame) {
    if (isShown(counting, whole.length)) return told(whole, "");
    // What does nothing but count may count what is not listed, and leaves out nothing that is.
    const isLess = member === undefined && whole.count < whole.length;
    return isLess ? told(whole, "", { ...rpcRules.counted, isWeak: true }) : whole.findings;
  }
  for (const { parameter, value } of parts) {
    const compared = await compareCounts(play, counting, { ...base, [parameter.property]: value });
    if (compared !== undefined && !compared.isSame) return told(compared, ` for the same ${parameter.name}`);
  }
  return whole.findings;
}

/** Whether an example shows the count that is listed, so that the one that is told is wrong. */
function isShown({ method, member, base }: Counting, length: number): boolean {
  return method.examples.some(
    ({ input, outcome }) =>
      outcome.kind === "success" &&
      countIn(outcome.value, member) === length &&
      canonicalText(input) === canonicalText(base),
  );
}

function countIn(value: unknown, member: string | undefined): unknown {
  if (member === undefined) return value;
  return isRecord(value) ? value[member] : undefined;
}

interface Compared {
  readonly count: number;
  readonly length: number;
  readonly isSame: boolean;
  readonly findings: readonly Finding[];
}

/** A count and a length that differ are asked for again: what moves meanwhile is no contradiction. */
async function compareCounts(play: CasePlay, counting: Counting, input: Input): Promise<Compared | undefined> {
  const { context, method, member, lists } = counting;
  const countNow = async (): Promise<{ readonly count: unknown; readonly findings: readonly Finding[] }> => {
    const { outcome, findings } = await ask(context, play, method, translated(input, lists.method, method));
    const count = outcome.kind === "result" ? countIn(outcome.value, member) : undefined;
    return { count, findings };
  };
  const known = lengthOf(lists, input, context.memory.get(memoryKey(lists.method, listInput(lists, input))));
  let length = known ?? (await lengthNow(play, lists, input));
  let { count, findings } = await countNow();
  for (let round = 0; round < 2 && count !== length; round += 1) {
    length = await lengthNow(play, lists, input);
    const before = count;
    ({ count, findings } = await countNow());
    const isStill = count === before && length === (await lengthNow(play, lists, input));
    if (count !== length && !isStill) return undefined;
  }
  if (length === undefined || typeof count !== "number") return undefined;
  return { count, length, isSame: count === length, findings };
}

/** The same values under the names of another method. */
function translated(input: Input, from: SuiteRpcMethod, to: SuiteRpcMethod): Input {
  const entries = from.parameters.flatMap((parameter) => {
    const shared = sharedWith(to, parameter);
    const value = input[parameter.property];
    return shared === undefined || value === undefined ? [] : [[shared.property, value] as const];
  });
  return Object.fromEntries(entries);
}

function listInput(lists: Lists, input: Input): Input {
  return { ...input, ...lists.knowledge.widest };
}

async function lengthNow(play: CasePlay, lists: Lists, input: Input): Promise<number | undefined> {
  const { outcome } = await ask(lists.context, play, lists.method, listInput(lists, input));
  return lengthOf(lists, input, outcome);
}

/** How many elements there are, by the total beside them or by all of them; undefined where the list goes on. */
function lengthOf(
  lists: Lists,
  input: Input,
  outcome: { readonly kind: string; readonly value?: unknown } | undefined,
): number | undefined {
  if (outcome?.kind !== "result") return undefined;
  const { value } = outcome;
  const items = listOf(value)?.items;
  if (items === undefined) return undefined;
  const total = totalIn(value)?.total;
  if (total !== undefined) return total;
  const { limit, cursor, offset, page } = lists.roles;
  const most = sizeOf(lists.roles, listInput(lists, input));
  // A list that is cut at fewer than are asked for is not as long as the whole is counted, and then nothing is said.
  const isAll = limit === undefined ? (cursor ?? offset ?? page) === undefined : items.length < (most ?? 0);
  return isAll ? items.length : undefined;
}
