import type { Finding } from "../contract/finding.ts";
import type { CasePlay } from "../contract/planned-case.ts";
import type { Rule } from "../contract/rule.ts";
import { identifierOf, identityOf, listOf } from "../compare/list-of.ts";
import { armsOf } from "../compare/member-facts.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { SuiteParameter, SuiteRpcMethod } from "../suite/suite.ts";
import { canonicalText } from "../types/canonical-text.ts";
import { isRecord } from "../types/is-record.ts";
import { isValueOf } from "../types/violations.ts";
import { goodFindings } from "./good-answer.ts";
import { type ListRoles, listRolesOf, totalName } from "./list-roles.ts";
import { ask } from "./rpc-call.ts";
import { type CaseDraft, memoryKey, type RpcContext } from "./rpc-context.ts";
import { finding } from "./rpc-finding.ts";
import { defaultOf, type Input } from "./rpc-params.ts";
import type { RpcOutcome } from "./rpc-reply.ts";

/** Elements that are asked for where a longer list is wanted. */
const longList = 100;

/** A method that answers lists, and how they are asked for. */
export interface Lists {
  readonly context: RpcContext;
  readonly method: SuiteRpcMethod;
  readonly roles: ListRoles;
  /** A good input without what picks a part of the list or its order. */
  readonly base: Input;
}

/** How a method is asked for lists; undefined where it does not answer any, or has not been asked well. */
export function listsOf(context: RpcContext, method: SuiteRpcMethod): Lists | undefined {
  const roles = listRolesOf(method, context.suite.types);
  const base = roles === undefined ? undefined : baseInput(context, method, roles);
  return roles === undefined || base === undefined ? undefined : { context, method, roles, base };
}

/** Of the good inputs, the one with the longest list, without what picks a part of it or its order. */
function baseInput({ session }: RpcContext, method: SuiteRpcMethod, roles: ListRoles): Input | undefined {
  const { limit, offset, page, cursor, direction, sort, filters, ranges } = roles;
  const parts = [
    limit,
    offset,
    page,
    cursor,
    direction,
    sort,
    ...[...filters, ...ranges].map(({ parameter }) => parameter),
  ];
  const dropped = new Set(parts.flatMap((one) => (one === undefined || one.required ? [] : [one.property])));
  const bases = session.live.answersOf(method.name).map(({ input, value }) => {
    const base = Object.fromEntries(Object.entries(input).filter(([property]) => !dropped.has(property)));
    return { base, length: listOf(value)?.items.length ?? 0, size: Object.keys(base).length };
  });
  return bases.toSorted((left, right) => right.length - left.length || left.size - right.size)[0]?.base;
}

/** A list, beside another one that it has to go with. */
export interface ListComparison {
  readonly rule: Rule;
  readonly parameter: SuiteParameter;
  readonly name: string;
  readonly expected: string;
  /** What the other list is held against; absent where it is looked at alone. */
  readonly whole?: Input;
  readonly part: Input;
  /** What is wrong with the second list, given the totals that stand beside both. */
  judge(whole: readonly unknown[], part: readonly unknown[], totals: Totals): ListProblem | string | undefined;
}

/** How many elements there are of each list, where its answer says so. */
interface Totals {
  readonly whole: number | undefined;
  readonly part: number | undefined;
}

/** What is wrong, in one sentence without values, where the rule of the comparison is not the one that is broken. */
interface ListProblem {
  readonly rule: Rule;
  readonly message: string;
}

/** Makes a case of a comparison. */
export function listDraft(context: RpcContext, method: SuiteRpcMethod, comparison: ListComparison): CaseDraft {
  const { rule, name, expected, whole, part } = comparison;
  const asked = [...(whole === undefined ? [] : [whole]), part];
  // What is remembered later is not looked at: a case that is played again is to see the same.
  const remembered = new Map(
    asked.flatMap((input) => {
      const outcome = context.memory.get(memoryKey(method, input));
      return outcome === undefined ? [] : [[memoryKey(method, input), outcome] as const];
    }),
  );
  return {
    group: "relation",
    name,
    rule,
    expected,
    requests: 3 * asked.length + 1,
    usualRequests: asked.length - remembered.size,
    isLive: true,
    input: part,
    play: async (play) => await playLists(context, play, method, comparison, remembered),
  };
}

/** Lists that move while they are looked at, or come in no order of their own, are not blamed. */
async function playLists(
  context: RpcContext,
  play: CasePlay,
  method: SuiteRpcMethod,
  { rule, parameter, whole, part, judge }: ListComparison,
  remembered: ReadonlyMap<string, RpcOutcome>,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const read = async (input: Input | undefined, isKept: boolean): Promise<ReadList | undefined> => {
    if (input === undefined) return { items: [], total: undefined };
    const known = isKept ? remembered.get(memoryKey(method, input)) : undefined;
    const reply = known === undefined ? await ask(context, play, method, input) : undefined;
    if (reply !== undefined) findings.splice(0, findings.length, ...goodFindings(method, reply, "likely"));
    const outcome = known ?? reply?.outcome;
    return outcome?.kind === "result" ? listIn(outcome.value) : undefined;
  };
  const compare = async (isKept: boolean): Promise<Compared | undefined> => {
    const [all, some] = [await read(whole, isKept), await read(part, isKept)];
    if (all === undefined || some === undefined) return undefined;
    const found = judge(all.items, some.items, { whole: all.total, part: some.total });
    if (found === undefined) return undefined;
    return { all: all.items, some: some.items, problem: typeof found === "string" ? { rule, message: found } : found };
  };
  if ((await compare(true)) === undefined) return findings;
  const compared = await compare(false);
  if (compared === undefined) return findings;
  // What is drawn by lot, or goes round, is the same once by chance, and not each time.
  for (const [input, before] of [
    [part, compared.some],
    [whole, compared.all],
    [part, compared.some],
  ] as const) {
    const again = await read(input, false);
    if (again === undefined || !isSameList(before, again.items)) return findings;
  }
  const beside = whole === undefined ? "" : `, beside ${compared.all.length}`;
  const place = parameter.place ?? method.place;
  const { rule: broken, message } = compared.problem;
  return [...findings, finding(broken, message, `${compared.some.length} elements${beside}`, { place })];
}

interface ReadList {
  readonly items: readonly unknown[];
  readonly total: number | undefined;
}

function listIn(value: unknown): ReadList | undefined {
  const items = listOf(value)?.items;
  return items === undefined ? undefined : { items, total: totalOf(value) };
}

/** How many elements there are, where an answer says so beside its list. */
export function totalOf(value: unknown): number | undefined {
  const entry = isRecord(value) ? Object.entries(value).find(([name]) => totalName.test(plainName(name))) : undefined;
  return typeof entry?.[1] === "number" ? entry[1] : undefined;
}

interface Compared {
  readonly all: readonly unknown[];
  readonly some: readonly unknown[];
  readonly problem: ListProblem;
}

/** Whether two lists have the same elements in the same order, told by their identifiers where these tell them apart. */
export function isSameList(left: readonly unknown[], right: readonly unknown[]): boolean {
  if (left.length !== right.length) return false;
  const identifier = identifierOf([...left, ...right]);
  const isTelling = [left, right].every(
    (items) => new Set(items.map((item) => identityOf(item, identifier))).size === items.length,
  );
  const textOf = (item: unknown): string =>
    (isTelling ? identityOf(item, identifier) : undefined) ?? canonicalText(item);
  return left.every((item, index) => textOf(item) === textOf(right[index]));
}

/**
 * Whether a list is all that there is: by the total beside it, or because it is shorter than what is given where nothing is asked for.
 * Servers may give less than is asked for.
 */
export function isWhole({ roles }: Lists, input: Input, { length }: readonly unknown[], total?: number): boolean {
  const { limit, offset, page, cursor } = roles;
  if (total !== undefined) return total === length;
  if (cursor !== undefined || ((offset ?? page) !== undefined && limit === undefined)) return false;
  const most = sizeOf(roles, input);
  const usual = limit === undefined ? undefined : defaultOf(limit);
  if (most === undefined || typeof usual !== "number") {
    return !isRound(length) && (most === undefined || length < most);
  }
  return length < Math.min(most, usual);
}

/** Whether a length looks like a limit that is not documented. */
function isRound(length: number): boolean {
  return length >= 10 && (length % 5 === 0 || Number.isInteger(Math.log2(length)));
}

/** Parameters with which a list is as long as it may be. */
export function longestOf({ context, roles: { limit } }: Lists): Input {
  const most = limit === undefined ? undefined : largest(context, limit);
  return limit === undefined || most === undefined ? {} : { [limit.property]: most };
}

/** The greatest value of a limit, not more than what one looks through. */
function largest(context: RpcContext, limit: SuiteParameter): number | undefined {
  const bounds = armsOf(limit.type, context.suite.types).flatMap((arm) =>
    arm.kind === "number" && arm.maximum !== undefined ? [Number(arm.maximum)] : [],
  );
  const most = Math.min(longList, ...bounds);
  return isOf(context, limit, most) ? most : undefined;
}

/** How many elements an input asks for at most. */
export function sizeOf({ limit }: ListRoles, input: Input): number | undefined {
  if (limit === undefined) return undefined;
  const size = input[limit.property] ?? defaultOf(limit);
  return typeof size === "number" ? size : 0;
}

export function isOf({ suite }: RpcContext, { type }: SuiteParameter, value: unknown): boolean {
  return isValueOf(type, value, suite.types, "request");
}
