import type { CasePlay } from "../contract/planned-case.ts";
import { isRecord } from "../types/is-record.ts";
import { showValue } from "../compare/show-value.ts";
import { resolveType } from "../compare/member-facts.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { Rule } from "../contract/rule.ts";
import type { SuiteParameter, SuiteRpcMethod } from "../suite/suite.ts";
import { kebabCase } from "../types/kebab-case.ts";
import { randomValueOf } from "../types/random-value.ts";
import { isValueOf } from "../types/violations.ts";
import { wrongValuesOf } from "../types/wrong-values.ts";
import { isHash } from "./immutability.ts";
import { plausibleInput, requiredOf, sendableInput, withoutValue } from "./good-inputs.ts";
import { missingFindings } from "./missing-method.ts";
import { absenceFindings, documentsAbsence, refusalFindings, type RefusalOptions } from "./refusal.ts";
import { askWith } from "./rpc-call.ts";
import type { CaseDraft, RpcContext } from "./rpc-context.ts";
import { finding } from "./rpc-finding.ts";
import { type Input, paramsOf } from "./rpc-params.ts";
import type { RpcReply } from "./rpc-reply.ts";
import type { RpcParams } from "./rpc-request.ts";
import { rpcRules } from "./rpc-rules.ts";

/** Breaks every constraint of every parameter, those first that a careless server overlooks; parameters take turns. */
export function* negativeDrafts(context: RpcContext, method: SuiteRpcMethod): Generator<CaseDraft> {
  const base = plausibleInput(context, method);
  if (base === undefined) return;
  const perParameter = method.parameters.map((parameter) => [...wrongDrafts(context, method, parameter, base)]);
  const missing = [...missingDrafts(context, method, base)];
  const most = Math.max(0, ...perParameter.map(({ length }) => length));
  for (let turn = 0; turn < most; turn += 1) {
    for (const drafts of perParameter) {
      const draft = drafts[turn];
      if (draft !== undefined) yield draft;
    }
    const other = missing[turn];
    if (other !== undefined) yield other;
    if (turn === 0) yield* absentDrafts(context, method, base);
    if (turn === 1) yield* surplusDrafts(context, method, base);
  }
  yield* missing.slice(most);
  if (most < 2) yield* surplusDrafts(context, method, base);
}

function* wrongDrafts(
  context: RpcContext,
  method: SuiteRpcMethod,
  parameter: SuiteParameter,
  base: Input,
): Generator<CaseDraft> {
  const { property, type, required } = parameter;
  const { types } = context.suite;
  const seenKeywords = new Map<string, number>();
  const wrong = wrongValuesOf(type, types, base[property]);
  // One value for each constraint first, then a second one, and so on.
  const ordered = wrong
    .map((value) => {
      const turn = seenKeywords.get(value.keyword) ?? 0;
      seenKeywords.set(value.keyword, turn + 1);
      return { value, turn };
    })
    .toSorted((left, right) => left.turn - right.turn);
  for (const { value: wrongValue } of ordered) {
    const { name, value, place } = wrongValue;
    // Null stands for a parameter that is left out.
    if (value === null && !required) continue;
    if (isValueOf(type, value, types, "request")) continue;
    const input = sendableInput(context, method, { ...base, [property]: value });
    if (input === undefined) continue;
    yield refusedDraft(context, method, `${property}-${name}`, paramsOf(method, input), {
      place: place ?? parameter.place,
    });
  }
}

function* missingDrafts(context: RpcContext, method: SuiteRpcMethod, base: Input): Generator<CaseDraft> {
  const required = requiredOf(method);
  for (const { property, type, place } of required) {
    const without = withoutValue(base, property);
    const isLast = Object.keys(without).length === 0;
    const params = isLast
      ? method.parameterStructure === "by-name"
        ? {}
        : []
      : paramsWithout(context, method, without);
    const name = isLast && required.length === 1 ? "no-arguments" : `${property}-missing`;
    if (params !== undefined) yield refusedDraft(context, method, name, params, { place });
    if (isValueOf(type, null, context.suite.types, "request")) continue;
    yield refusedDraft(context, method, `${property}-null`, paramsOf(method, { ...base, [property]: null }), { place });
  }
}

/** By position only the last ones can be missing. */
function paramsWithout({ refusedStyles }: RpcContext, method: SuiteRpcMethod, input: Input): RpcParams | undefined {
  if (method.parameterStructure !== "by-position" && !refusedStyles.has("by-name"))
    return paramsOf(method, input, "by-name");
  const length = method.parameters.findIndex(({ property }) => input[property] === undefined);
  return method.parameters.slice(0, length).map(({ property }) => input[property]);
}

function* surplusDrafts(context: RpcContext, method: SuiteRpcMethod, base: Input): Generator<CaseDraft> {
  const { parameterStructure, parameters, place } = method;
  if (parameterStructure !== "by-name") {
    const params = [...fullPosition(context, method, base), "surplus"];
    if (params.length === parameters.length + 1) {
      yield refusedDraft(context, method, "surplus-parameter", params, { place, isHoped: true });
    }
  }
  if (parameterStructure !== "by-position" && !context.refusedStyles.has("by-name")) {
    const params = { ...paramsOf(method, base, "by-name"), "no-such-parameter": 1 };
    yield refusedDraft(context, method, "unknown-name", params, { place, isHoped: true });
  }
}

/** A value for each parameter, as far as values are known. */
function fullPosition(context: RpcContext, method: SuiteRpcMethod, base: Input): readonly unknown[] {
  const values: unknown[] = [];
  for (const parameter of method.parameters) {
    const shown = [base[parameter.property], parameter.default, parameter.type.default, parameter.examples?.[0]];
    const ofExamples = method.examples.map(({ input }) => input[parameter.property]);
    const value = [...shown, ...ofExamples, ...context.session.live.valuesOf(method.name, parameter)].find(
      (candidate) => candidate !== undefined && candidate !== null,
    );
    if (value === undefined) return values;
    values.push(value);
  }
  return values;
}

function refusedDraft(
  context: RpcContext,
  method: SuiteRpcMethod,
  name: string,
  params: RpcParams,
  options: RefusalOptions,
): CaseDraft {
  const rule: Rule = options.isHoped === true ? rpcRules.surplusAccepted : rpcRules.wrongAccepted;
  return {
    group: "negative",
    name,
    rule,
    expected: "an error: -32602, or one that is documented",
    params,
    play: async (play) => {
      const reply = await askWith(context, play, method, params);
      return missingFindings(context, method, reply, play) ?? refusalFindings(method, reply, options);
    },
  };
}

/** What is known of an address or a script need not be known before, and what ends a range need not be there. */
const addressedName =
  /stop|start|from|until|since|locator|script|addr|account|topic|code$|root|filter|data|tag|name$|label|type|kind|currency/;
/** Methods that look at a value itself, whatever it names. */
const lookingAtName = /^(?:.*[_.])?(?:validate|verify|is|has|decode|test|estimate|compute|derive|check)/i;
/** Heights and numbers that nothing has reached. */
const unreached = 2 ** 31 - 1;
/** Random texts that are tried for one that names nothing. */
const absentTries = 5;

/** Asks for things that can't be there, in the form of those that are. */
function* absentDrafts(context: RpcContext, method: SuiteRpcMethod, base: Input): Generator<CaseDraft> {
  if (lookingAtName.test(method.method) && !documentsAbsence(method)) return;
  for (const parameter of requiredOf(method)) {
    if (addressedName.test(plainName(parameter.name))) continue;
    const absent = absentValue(context, method, parameter, base[parameter.property]);
    if (absent === undefined || !isValueOf(parameter.type, absent, context.suite.types, "request")) continue;
    yield absentDraft(context, method, parameter, { ...base, [parameter.property]: absent });
  }
}

/** A value of the form of one that names something, which names nothing; undefined where that can't be said. */
function absentValue(
  context: RpcContext,
  method: SuiteRpcMethod,
  parameter: SuiteParameter,
  present: unknown,
): unknown {
  const { types } = context.suite;
  if (isHash(present)) {
    return present.replaceAll(/[0-9a-fA-F]/g, (digit, position: number) =>
      present.startsWith("0x") && position < 2 ? digit : ("123456789abcdef0"[position % 16] ?? digit),
    );
  }
  const name = plainName(parameter.name);
  if (typeof present === "number" && /(?:height|number|id)$/.test(name)) return unreached;
  const type = resolveType(parameter.type, types);
  // Only of what has a form of its own can be said that other values of it are well formed.
  if (typeof present !== "string" || type?.kind !== "string" || type.pattern === undefined) return undefined;
  const known = new Set(context.session.live.valuesOf(method.name, parameter));
  const random = context.session.random.fork(`${method.name} ${parameter.name} absent`);
  const tries = Array.from({ length: absentTries }, () => randomValueOf(type, types, random));
  return tries.find((value) => value !== present && !known.has(value));
}

function absentDraft(context: RpcContext, method: SuiteRpcMethod, parameter: SuiteParameter, input: Input): CaseDraft {
  return {
    group: "negative",
    name: `${kebabCase(parameter.property)}-not-there`,
    rule: rpcRules.absentFound,
    expected: "a documented error, or nothing",
    params: paramsOf(method, input),
    play: async (play: CasePlay) => {
      const reply = await askWith(context, play, method, paramsOf(method, input));
      return missingFindings(context, method, reply, play) ?? notThereFindings(method, parameter, reply);
    },
  };
}

function notThereFindings(
  method: SuiteRpcMethod,
  { place }: SuiteParameter,
  { outcome, findings }: RpcReply,
): ReturnType<typeof refusalFindings> {
  if (outcome.kind === "error") return [...findings, ...absenceFindings(method, outcome.fault)];
  if (outcome.kind !== "result" || !saysSomething(outcome.value)) return findings;
  // Where nothing is documented for what is not there, an object may be the way in which that is said.
  const rule = documentsAbsence(method) ? rpcRules.absentFound : rpcRules.plainAbsentCode;
  return [...findings, finding(rule, "there is a result for what nothing has", showValue(outcome.value), { place })];
}

/** Null, false, zero and nothing in a list may be how something is said not to be there, and a hash of zeros what nobody has set. */
function saysSomething(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isRecord(value) || (isHash(value) && /[1-9a-f]/i.test(value.replace(/^0x/, "")));
}
