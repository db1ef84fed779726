import type { CasePlay } from "../contract/planned-case.ts";
import type { Finding } from "../contract/finding.ts";
import type { Expectation } from "../properties/operation.ts";
import { showValue } from "../compare/show-value.ts";
import { resolveType } from "../compare/member-facts.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { SuiteParameter, SuiteRpcMethod } from "../suite/suite.ts";
import { isRecord } from "../types/is-record.ts";
import { kebabCase } from "../types/kebab-case.ts";
import { randomValueOf } from "../types/random-value.ts";
import { sampleOf } from "../types/sample-value.ts";
import { isValueOf } from "../types/violations.ts";
import { isHash } from "./immutability.ts";
import { requiredOf } from "./good-inputs.ts";
import { missingFindings } from "./missing-method.ts";
import { absenceFindings, documentsAbsence, documentsAbsenceOf } from "./refusal.ts";
import { askWith } from "./rpc-call.ts";
import type { CaseDraft, RpcContext } from "./rpc-context.ts";
import { finding } from "./rpc-finding.ts";
import { type Input, paramsOf } from "./rpc-params.ts";
import type { RpcReply } from "./rpc-reply.ts";
import { rpcRules } from "./rpc-rules.ts";

/** What is known of an address or a script need not be known before, and what ends a range need not be there. */
const addressedName =
  /stop|start|from|until|since|locator|script|addr|account|topic|code$|root|filter|data|tag|name$|label|type|kind|currency/;
/** Methods that look at a value itself, whatever it names. */
const lookingAtName = /^(?:.*[_.])?(?:validate|verify|is|has|decode|test|estimate|compute|derive|check)/i;
/** Heights and numbers that nothing has reached. */
const unreached = 2 ** 31 - 1;
const quantityText = /^0x(?:0|[1-9a-f][0-9a-f]{0,15})$/i;
/** Random texts that are tried for one that names nothing. */
const absentTries = 5;

/** A value of the form of those that name something. */
interface AbsentValue {
  readonly value: unknown;
  /** True where nothing can have it: it is drawn from too many, or lies beyond all. */
  readonly isCertain: boolean;
}

/** Asks for things that can't be there, in the form of those that are. */
export function* absentDrafts(context: RpcContext, method: SuiteRpcMethod, base: Input): Generator<CaseDraft> {
  if (lookingAtName.test(method.method) && !documentsAbsence(method)) return;
  for (const parameter of requiredOf(method)) {
    if (addressedName.test(plainName(parameter.name))) continue;
    const absent = absentValue(context, method, parameter, base[parameter.property]);
    if (absent === undefined || !isValueOf(parameter.type, absent.value, context.suite.types, "request")) continue;
    yield absentDraft(context, method, parameter, base, absent);
  }
}

/** A value of the form of one that names something, which names nothing; undefined where that can't be said. */
function absentValue(
  context: RpcContext,
  method: SuiteRpcMethod,
  parameter: SuiteParameter,
  present: unknown,
): AbsentValue | undefined {
  const { types } = context.suite;
  if (isHash(present)) return { value: otherHash(present), isCertain: true };
  const name = plainName(parameter.name);
  if (typeof present === "number" && /(?:height|number|id)$/.test(name)) return { value: unreached, isCertain: true };
  const type = resolveType(parameter.type, types);
  if (typeof present !== "string" || type?.kind !== "string") return undefined;
  // Random quantities may be small ones, which are there.
  if (quantityText.test(present)) return { value: `0x${unreached.toString(16)}`, isCertain: true };
  const random = context.session.random.fork(`${method.name} ${parameter.name} absent`);
  if (type.pattern === undefined) {
    return type.format === "uuid" ? { value: sampleOf(type, types, random), isCertain: true } : undefined;
  }
  // Only of what has a form of its own can be said that other values of it are well formed.
  const known = new Set(context.session.live.valuesOf(method.name, parameter));
  const tries = Array.from({ length: absentTries }, () => randomValueOf(type, types, random));
  const value = tries.find((one) => one !== present && !known.has(one));
  return value === undefined ? undefined : { value, isCertain: false };
}

function otherHash(present: string): string {
  return present.replaceAll(/[0-9a-fA-F]/g, (digit, position: number) =>
    present.startsWith("0x") && position < 2 ? digit : ("123456789abcdef0"[position % 16] ?? digit),
  );
}

function absentDraft(
  context: RpcContext,
  method: SuiteRpcMethod,
  parameter: SuiteParameter,
  base: Input,
  absent: AbsentValue,
): CaseDraft {
  const params = paramsOf(method, { ...base, [parameter.property]: absent.value });
  return {
    group: "negative",
    name: `${kebabCase(parameter.property)}-not-there`,
    rule: documentsAbsence(method) ? rpcRules.absentFound : rpcRules.absentFoundLikely,
    expected: "a documented error, or nothing",
    params,
    play: async (play: CasePlay) => {
      const reply = await askWith(context, play, method, params);
      const missing = missingFindings(context, method, reply, play);
      return missing ?? notThereFindings(context, method, parameter, absent, reply);
    },
  };
}

/** Checks the response to a call for what nothing has. */
export function absentFindings(
  context: RpcContext,
  method: SuiteRpcMethod,
  reply: RpcReply,
  input: Input,
  { parameter, certainty }: Expectation,
): readonly Finding[] {
  const own = method.parameters.find(({ property }) => property === parameter?.property);
  if (own === undefined) return reply.findings;
  const absent = { value: input[own.property], isCertain: certainty === "documented" };
  return notThereFindings(context, method, own, absent, reply);
}

function notThereFindings(
  context: RpcContext,
  method: SuiteRpcMethod,
  parameter: SuiteParameter,
  { value, isCertain }: AbsentValue,
  { outcome, findings }: RpcReply,
): readonly Finding[] {
  if (outcome.kind === "error") return [...findings, ...absenceFindings(method, outcome.fault)];
  if (outcome.kind !== "result") return findings;
  const { place } = parameter;
  const isDeclared = documentsAbsenceOf(method, parameter);
  const shown = showValue(outcome.value);
  if (isEmptyList(outcome.value)) {
    // A list may be how it is said that there is nothing, unless the document has an error for just that.
    if (!isCertain || !(isDeclared || isRecord(outcome.value))) return findings;
    const rule = isDeclared ? rpcRules.absentFound : rpcRules.absentFoundLikely;
    return [...findings, finding(rule, "there is an empty list of what nothing has", shown, { place })];
  }
  if (!saysSomething(outcome.value) || !(isCertain || isOfAnother(context, parameter, value, outcome.value)))
    return findings;
  // Where nothing is documented for what is not there, an object may be the way in which that is said.
  const rule = documentsAbsence(method) ? rpcRules.absentFound : rpcRules.absentFoundLikely;
  return [...findings, finding(rule, "there is a result for what nothing has", shown, { place })];
}

/** Bytes, more of them than a number has. */
const bytesText = /^(?:0x)?(?:[0-9a-f]{2}){16,}$/i;

/** Null, false, zero and nothing in a list may be how something is said not to be there, and zeros what nobody has set. */
function saysSomething(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === "string") return bytesText.test(value) && /[1-9a-f]/i.test(value.replace(/^0x/, ""));
  return isRecord(value);
}

/** Names of what a page says of itself. */
const pagingName = /limit|total|count|offset|skip|page|size|cursor|next|prev|more|last|first/;

/** A list without elements, or a page of one that says nothing else. */
function isEmptyList(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (!isRecord(value) || !Object.values(value).some(Array.isArray)) return false;
  return Object.entries(value).every(([name, member]) =>
    Array.isArray(member) ? member.length === 0 : !isRecord(member) && pagingName.test(plainName(name)),
  );
}

/** What was drawn from few may be there by chance; then an object says so by having it, and not another one. */
function isOfAnother({ suite }: RpcContext, { type }: SuiteParameter, asked: unknown, value: unknown): boolean {
  if (!isRecord(value)) return false;
  const members = Object.values(value);
  return !members.includes(asked) && members.some((member) => isValueOf(type, member, suite.types, "answer"));
}
