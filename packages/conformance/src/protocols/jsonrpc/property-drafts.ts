import type { Finding } from "../../contract/finding.ts";
import { subjectOf } from "../../live/names.ts";
import { isNamedByChance } from "../../inference/by-chance.ts";
import { isPaged } from "../../inference/page-members.ts";
import { defaultProperty } from "../../properties/default.ts";
import { steadyProperty } from "../../properties/steady.ts";
import { effectProperty } from "../../properties/effect.ts";
import { inspectResponse } from "../../properties/inspect-response.ts";
import type { Input, Operation, OperationDescription } from "../../properties/operation.ts";
import { planProperties, type PropertyCase } from "../../properties/plan-properties.ts";
import { planRelations } from "../../properties/plan-relations.ts";
import { crossProperties, listProperties } from "../../properties/properties.ts";
import { shownFormProblems } from "../../properties/shown-form.ts";
import { rpcRules } from "./rpc-rules.ts";
import { describeOperation, resultOf, singleCalls } from "../../properties/single-calls.ts";
import type { Property } from "../../properties/property.ts";
import type { Session } from "../../session/session.ts";
import type { SuiteParameter, SuiteRpcMethod } from "../../suite/suite.ts";
import { expectReplies } from "./expect-input.ts";
import { linkedMembersOf } from "../../inference/linked-members.ts";
import { type Certainty, goodFindings } from "./good-answer.ts";
import { isLasting } from "./good-inputs.ts";
import { isAbsenceFault } from "./refusal.ts";
import { ask, errorCodes } from "./rpc-call.ts";
import { type RpcDraft, judgedMethods, memoryKey, type RpcContext } from "./rpc-context.ts";

/** Calls of each input that a case may make to look at a problem again. */
const attempts = 4;

/** The properties of lists, of a method that returns one. */
export function listPropertyDrafts(context: RpcContext, method: SuiteRpcMethod): readonly RpcDraft[] {
  return draftsOf(context, method, [...listProperties, effectProperty], "likely");
}

/** What has to hold between results, as far as names and types tell; the most telling first. */
export function relationDrafts(context: RpcContext, method: SuiteRpcMethod): readonly RpcDraft[] {
  return [
    ...valuePropertyDrafts(context, method, steadyProperty),
    ...listPropertyDrafts(context, method),
    ...valuePropertyDrafts(context, method, defaultProperty),
    ...(relationDraftsOf(context).get(method.name) ?? []),
  ];
}

/** A property of what is returned, whatever it is: what it calls for is documented. */
export function valuePropertyDrafts(
  context: RpcContext,
  method: SuiteRpcMethod,
  property: Property,
): readonly RpcDraft[] {
  return draftsOf(context, method, [property], "certain");
}

function draftsOf(
  context: RpcContext,
  method: SuiteRpcMethod,
  properties: readonly Property[],
  certainty: Certainty,
): readonly RpcDraft[] {
  const cases = planProperties(propertyOperation(context, method, certainty), properties, false);
  return cases.map((one) => draftOf(context, method, one));
}

const planned = new WeakMap<Session, ReadonlyMap<string, readonly RpcDraft[]>>();

/** The relations between methods, those of each method: planned together, when the first of them is. */
function relationDraftsOf(context: RpcContext): ReadonlyMap<string, readonly RpcDraft[]> {
  const known = planned.get(context.session);
  if (known !== undefined) return known;
  const methods = judgedMethods(context).filter(({ name }) => context.session.safety.of(name).isSafe);
  const byName = new Map(methods.map((method) => [method.name, method]));
  const operations = methods.map((method) => propertyOperation(context, method));
  const cases = planRelations(operations, crossProperties, false).flatMap((one) => {
    const method = byName.get(one.operation.name);
    return method === undefined ? [] : [[method.name, draftOf(context, method, one)] as const];
  });
  const drafts = new Map(
    [...Map.groupBy(cases, ([name]) => name)].map(([name, own]) => [name, own.map(([, draft]) => draft)]),
  );
  planned.set(context.session, drafts);
  return drafts;
}

function draftOf(
  context: RpcContext,
  method: SuiteRpcMethod,
  { name, rule, expected, inputs, furtherCalls, isLive, play }: PropertyCase,
): RpcDraft {
  const input = inputs.at(-1);
  return {
    group: "relation",
    name,
    rule,
    expected,
    requests: attempts * (inputs.length + furtherCalls),
    usualRequests: inputs.filter((input) => !context.memory.has(memoryKey(method, input))).length + furtherCalls,
    isLive,
    ...(input === undefined ? {} : { input }),
    play,
  };
}

/** Elements that are called for at most where the document has no greatest limit. */
const longest = 100;

/** What has to hold within every result, given what was asked for. */
export function inspectResult(
  context: RpcContext,
  method: SuiteRpcMethod,
  input: Input,
  value: unknown,
): readonly Finding[] {
  const description = descriptionOf(context, method);
  const forms = shownFormProblems(description, input, value).map((one) => ({ rule: rpcRules.arm, ...one }));
  return [...forms, ...inspectResponse(description, { input, result: resultOf({ value }) })];
}

/** The only required parameter of a method. */
function keyOf({ parameters }: SuiteRpcMethod): SuiteParameter | undefined {
  const [required, ...others] = parameters.filter((one) => one.required);
  return others.length === 0 ? required : undefined;
}

function descriptionOf({ suite }: RpcContext, method: SuiteRpcMethod): OperationDescription {
  return describeOperation(method, suite.types, () => {
    const key = keyOf(method);
    const linked = key === undefined ? undefined : linkedMembersOf(suite.operations, keyOf).get(key);
    return {
      origin: method.method,
      ...(key === undefined ? {} : { key: key.property }),
      ...(key === undefined || linked === undefined ? {} : { linked: { [key.property]: linked } }),
      things: subjectOf(method.method).at(-1) ?? "",
      isOfOne: method.parameters.some(({ required }) => required) && !isPaged(method.parameters),
      isByChance: method.isByChance === true || isNamedByChance(method.method),
    };
  });
}

/** A JSON-RPC method as properties see it. */
export function propertyOperation(
  context: RpcContext,
  method: SuiteRpcMethod,
  certainty: Certainty = "likely",
): Operation {
  return singleCalls(descriptionOf(context, method), {
    name: method.name,
    longest,
    known: context.session.live.answersOf(method.name),
    steadiness: (input) =>
      method.isImmutable === true ? "declared" : isLasting(method, input) ? "guessed" : undefined,
    expect: (play, calls) => expectReplies(context, method, play, calls),
    callOnce: async (play, input, { allowsEarlier, mayBeAbsent = false, mayBeRefused = false }) => {
      const kept = allowsEarlier ? context.memory.get(memoryKey(method, input)) : undefined;
      // An error is looked at again: what is wrong with it was reported where it was expected.
      const earlier = kept?.kind === "result" || mayBeAbsent ? kept : undefined;
      const reply = earlier ? { outcome: earlier, findings: [] } : await ask(context, play, method, input);
      const { outcome } = reply;
      if (mayBeAbsent && outcome.kind === "error" && Number(outcome.fault.code) !== errorCodes.internalError)
        return { findings: reply.findings, isAbsent: isAbsenceFault(outcome.fault) };
      const findings = earlier || mayBeRefused ? reply.findings : goodFindings(method, reply, certainty);
      return outcome.kind === "result" ? { findings, returned: outcome } : { findings };
    },
  });
}
