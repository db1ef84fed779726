import type { Finding } from "../../contract/finding.ts";
import type { CasePlay } from "../../contract/planned-case.ts";
import { listOf } from "../../compare/list-of.ts";
import { subjectOf } from "../../live/names.ts";
import { isNamedByChance } from "../../inference/by-chance.ts";
import { followsOf, isPaged, totalIn } from "../../inference/page-members.ts";
import { defaultProperty } from "../../properties/default.ts";
import { steadyProperty } from "../../properties/steady.ts";
import { effectProperty } from "../../properties/effect.ts";
import { inspectResponse } from "../../properties/inspect-response.ts";
import type { CallOptions, Input, Operation, OperationDescription, Outcome, Page } from "../../properties/operation.ts";
import { planProperties, type PropertyCase } from "../../properties/plan-properties.ts";
import { planRelations } from "../../properties/plan-relations.ts";
import { crossProperties, listProperties } from "../../properties/properties.ts";
import type { Property } from "../../properties/property.ts";
import type { Session } from "../../session/session.ts";
import type { SuiteParameter, SuiteRpcMethod } from "../../suite/suite.ts";
import { withPlace } from "../../suite/with-place.ts";
import { expectReplies } from "./expect-input.ts";
import { linkedMembersOf } from "../../inference/linked-members.ts";
import { type Certainty, goodFindings } from "./good-answer.ts";
import { isLasting } from "./good-inputs.ts";
import { isAbsenceFault } from "./refusal.ts";
import { ask, errorCodes, resultType } from "./rpc-call.ts";
import { type CaseDraft, judgedMethods, memoryKey, type RpcContext } from "./rpc-context.ts";

/** Calls of each input that a case may make to look at a problem again. */
const attempts = 4;

/** The properties of lists, of a method that returns one. */
export function listPropertyDrafts(context: RpcContext, method: SuiteRpcMethod): readonly CaseDraft[] {
  return draftsOf(context, method, [...listProperties, effectProperty], "likely");
}

/** What has to hold between results, as far as names and types tell; the most telling first. */
export function relationDrafts(context: RpcContext, method: SuiteRpcMethod): readonly CaseDraft[] {
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
): readonly CaseDraft[] {
  return draftsOf(context, method, [property], "certain");
}

function draftsOf(
  context: RpcContext,
  method: SuiteRpcMethod,
  properties: readonly Property[],
  certainty: Certainty,
): readonly CaseDraft[] {
  const cases = planProperties(propertyOperation(context, method, certainty), properties, false);
  return cases.map((one) => draftOf(context, method, one));
}

const planned = new WeakMap<Session, ReadonlyMap<string, readonly CaseDraft[]>>();

/** The relations between methods, those of each method: planned together, when the first of them is. */
function relationDraftsOf(context: RpcContext): ReadonlyMap<string, readonly CaseDraft[]> {
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
): CaseDraft {
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

/** What has to hold within every result in all protocols. */
export function inspectResult(
  context: RpcContext,
  method: SuiteRpcMethod,
  input: Input,
  value: unknown,
): readonly Finding[] {
  return inspectResponse(descriptionOf(context, method), { input, result: { value, ...pageMember(value) } });
}

/** The only required parameter of a method. */
function keyOf({ parameters }: SuiteRpcMethod): SuiteParameter | undefined {
  const [required, ...others] = parameters.filter((one) => one.required);
  return others.length === 0 ? required : undefined;
}

const descriptions = new WeakMap<SuiteRpcMethod, OperationDescription>();

function descriptionOf({ suite }: RpcContext, method: SuiteRpcMethod): OperationDescription {
  const known = descriptions.get(method);
  if (known !== undefined) return known;
  const key = keyOf(method);
  const linked = key === undefined ? undefined : linkedMembersOf(suite.operations, keyOf).get(key);
  const description: OperationDescription = {
    origin: method.method,
    ...(key === undefined ? {} : { key: key.property }),
    ...(key === undefined || linked === undefined ? {} : { linked: { [key.property]: linked } }),
    things: subjectOf(method.method).at(-1) ?? "",
    isOfOne: method.parameters.some(({ required }) => required) && !isPaged(method.parameters),
    examples: method.examples.flatMap(({ input, outcome }) =>
      outcome.kind === "success" ? [{ input, value: outcome.value }] : [],
    ),
    isByChance: method.isByChance === true || isNamedByChance(method.method),
    shown: method.examples.flatMap(({ outcome }) => (outcome.kind === "success" ? [outcome.value] : [])),
    parameters: method.parameters,
    result: resultType(method),
    types: suite.types,
    ...withPlace(method.place),
  };
  descriptions.set(method, description);
  return description;
}

/** A JSON-RPC method as properties see it. */
export function propertyOperation(
  context: RpcContext,
  method: SuiteRpcMethod,
  certainty: Certainty = "likely",
): Operation {
  const good = context.session.live.answersOf(method.name);
  const isLed = good.some(({ value }) => followsOf(value) === true);
  const known = good.map(({ input, value }) => ({ input, value, ...pageMember(value, isLed) }));
  return {
    ...descriptionOf(context, method),
    name: method.name,
    longest,
    isCounted: known.some(({ page }) => page?.total !== undefined),
    known,
    steadiness: (input) =>
      method.isImmutable === true ? "declared" : isLasting(method, input) ? "guessed" : undefined,
    call: async (play, inputs, options) => {
      const outcomes: Outcome[] = [];
      for (const input of inputs)
        outcomes.push(await callOnce(context, method, play, input, certainty, options, isLed));
      return outcomes;
    },
    expect: (play, calls) => expectReplies(context, method, play, calls),
  };
}

async function callOnce(
  context: RpcContext,
  method: SuiteRpcMethod,
  play: CasePlay,
  input: Input,
  certainty: Certainty,
  { allowsEarlier, mayBeAbsent = false, mayBeRefused = false }: CallOptions,
  isLed: boolean,
): Promise<Outcome> {
  const earlier = allowsEarlier ? context.memory.get(memoryKey(method, input)) : undefined;
  const reply = earlier === undefined ? await ask(context, play, method, input) : { outcome: earlier, findings: [] };
  if (mayBeAbsent && reply.outcome.kind === "error" && Number(reply.outcome.fault.code) !== errorCodes.internalError)
    return { findings: reply.findings, isAbsent: isAbsenceFault(reply.outcome.fault) };
  const findings = earlier === undefined && !mayBeRefused ? goodFindings(method, reply, certainty) : reply.findings;
  if (reply.outcome.kind !== "result") return { findings };
  const { value } = reply.outcome;
  return { findings, results: [{ value, ...pageMember(value, isLed) }] };
}

/** `isLed`: other pages lead to those that follow them, so that one that does not is the last. */
function pageMember(value: unknown, isLed = false): { readonly page?: Page } {
  const items = listOf(value)?.items;
  if (items === undefined) return {};
  const total = totalIn(value)?.total;
  const more = followsOf(value) ?? (isLed ? false : undefined);
  return { page: { items, ...(total === undefined ? {} : { total }), ...(more === undefined ? {} : { more }) } };
}
