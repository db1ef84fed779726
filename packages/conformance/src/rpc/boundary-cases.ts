import { type Finding, isBroken } from "../contract/finding.ts";
import type { CasePlay } from "../contract/planned-case.ts";
import { resolveType } from "../compare/member-facts.ts";
import { shrinkAllowance } from "../session/shrink-allowance.ts";
import type { SuiteParameter, SuiteRpcMethod } from "../suite/suite.ts";
import { boundaryValuesOf } from "../types/boundary-values.ts";
import { createRandom } from "../types/random.ts";
import { hasReversedRange } from "../inference/reversed-ranges.ts";
import { randomValueOf } from "../types/random-value.ts";
import { shrinkValue } from "../types/shrink-value.ts";
import { isValueOf } from "../types/violations.ts";
import { type Certainty, choiceCertainty, goodFindings } from "./good-answer.ts";
import { goodInput, plausibleInput, sendableInput, wasAsked } from "./good-inputs.ts";
import { isIdentifying } from "../inference/identifier-member.ts";
import { missingFindings } from "./missing-method.ts";
import { hasOwnAbsenceCode } from "./refusal.ts";
import { ask } from "./rpc-call.ts";
import { type CaseDraft, memoryKey, type RpcContext } from "./rpc-context.ts";
import { type Input, isWaiting } from "./rpc-params.ts";
import { rpcRules } from "./rpc-rules.ts";

/** Random values among which one is looked for that was not asked before. */
const freshTries = 5;
/** Requests with which a random value that fails is made smaller in any case. */
const leastShrinks = 4;

/**
 * Asks with the values at the bounds of every parameter's type, those that the document writes down or all others; parameters take
 * turns.
 */
export function* boundaryDrafts(
  context: RpcContext,
  method: SuiteRpcMethod,
  certainty: Certainty,
): Generator<CaseDraft> {
  const base = plausibleInput(context, method);
  if (base === undefined) return;
  const perParameter = variedParameters(method).map((parameter) => [
    ...parameterDrafts(context, method, parameter, base, certainty),
  ]);
  const most = Math.max(0, ...perParameter.map(({ length }) => length));
  for (let turn = 0; turn < most; turn += 1) {
    for (const drafts of perParameter) {
      const draft = drafts[turn];
      if (draft !== undefined) yield draft;
    }
  }
}

/** Of how long a call may wait nothing comes but the wait. */
function variedParameters({ parameters }: SuiteRpcMethod): readonly SuiteParameter[] {
  return parameters.filter((parameter) => !isWaiting(parameter));
}

function* parameterDrafts(
  context: RpcContext,
  method: SuiteRpcMethod,
  parameter: SuiteParameter,
  base: Input,
  certainty: Certainty,
): Generator<CaseDraft> {
  const { property, type } = parameter;
  // Bounds are the same in every run, and so is what stands beside them: what is found at them is known by a baseline.
  const random = createRandom(`${method.name} ${property} boundary`);
  for (const { name, value } of boundaryValuesOf(type, context.suite.types, random)) {
    const input = sendableInput(context, method, { ...base, [property]: value });
    if (input === undefined || value === null) continue;
    const own = certaintyOf(context, method, parameter, input);
    if ((own === "likely") !== (certainty === "likely")) continue;
    const key = memoryKey(method, input);
    // What was refused when nothing was known of the method yet is sent again where it is certain.
    const isOpen = own === "certain" && context.memory.get(key)?.kind === "error";
    if (!isOpen && (wasAsked(context, method, input) || context.plannedCalls.has(key))) continue;
    yield {
      group: "boundary",
      name: `${property}-${name}`,
      rule: rpcRules.goodRefused,
      expected: "a result of the documented type, or a documented error",
      isLive: true,
      input,
      play: async (play) => {
        const reply = await ask(context, play, method, input);
        const isWorking = goodInput(context, method) !== undefined;
        return missingFindings(context, method, reply, play) ?? goodFindings(method, reply, own, isWorking);
      },
    };
  }
}

/** A documented bound is certain unless the value may name something absent; a string is often narrower than its pattern. */
function certaintyOf(context: RpcContext, method: SuiteRpcMethod, parameter: SuiteParameter, input: Input): Certainty {
  const { suite, present } = context;
  const value = input[parameter.property];
  const resolved = resolveType(parameter.type, suite.types);
  if (resolved === undefined || !present.has(method.name)) return "likely";
  if (resolved.kind === "boolean" || resolved.kind === "enumeration") return choiceCertainty(method, parameter);
  if (resolved.kind !== "number") return "likely";
  const bounds = [resolved.minimum, resolved.maximum].map((bound) => (bound === undefined ? undefined : Number(bound)));
  // A great number is a bound of the format that it is written in rather than of what a server does.
  const isSmall = typeof value === "number" && Math.abs(value) <= 2 ** 31;
  if (!isSmall || !bounds.includes(value) || hasReversedRange(method.parameters, input)) return "likely";
  // Another parameter of a call that was never answered may be what is refused.
  if (Object.keys(input).length > 1 && goodInput(context, method) === undefined) return "likely";
  return !parameter.required || !isIdentifying(parameter) || hasOwnAbsenceCode(method) ? "certain" : "likely";
}

/** Asks with values made from the types of all parameters; of one that fails, the smallest that still fails is told. */
export function* randomDrafts(context: RpcContext, method: SuiteRpcMethod): Generator<CaseDraft> {
  const base = plausibleInput(context, method);
  if (base === undefined) return;
  for (const parameter of variedParameters(method)) {
    const { property } = parameter;
    const whole = sendableInput(context, method, { ...base, [property]: true });
    if (whole === undefined) continue;
    for (const name of [property, `${property}-again`]) yield randomDraft(context, method, whole, parameter, name);
  }
}

function randomDraft(
  context: RpcContext,
  method: SuiteRpcMethod,
  base: Input,
  parameter: SuiteParameter,
  name: string,
): CaseDraft {
  let chosen: { readonly value: unknown } | undefined;
  return {
    group: "random",
    name,
    rule: rpcRules.goodRefused,
    expected: "a result of the documented type, or a documented error",
    requests: 1 + leastShrinks,
    usualRequests: 1,
    isLive: true,
    play: async (play) => {
      // When it is played again it has to be the same.
      chosen ??= { value: freshValue(context, method, base, parameter, play) };
      const { value } = chosen;
      if (value === undefined || value === null) play.skip("No value of its type was found");
      return await playRandom(context, play, method, base, parameter.property, value);
    },
  };
}

/** A random value that no call was made with so far, where one is found soon: what was asked before says nothing new. */
function freshValue(
  context: RpcContext,
  method: SuiteRpcMethod,
  base: Input,
  { property, type }: SuiteParameter,
  { random }: CasePlay,
): unknown {
  const values = Array.from({ length: freshTries }, () => randomValueOf(type, context.suite.types, random));
  return values.find((value) => !wasAsked(context, method, { ...base, [property]: value })) ?? values[0];
}

async function playRandom(
  context: RpcContext,
  play: CasePlay,
  method: SuiteRpcMethod,
  base: Input,
  property: string,
  value: unknown,
): Promise<readonly Finding[]> {
  const parameter = method.parameters.find((one) => one.property === property);
  let last: readonly Finding[] = [];
  const fails = async (candidate: unknown): Promise<boolean> => {
    const reply = await ask(context, play, method, { ...base, [property]: candidate });
    const findings = goodFindings(method, reply, "likely");
    if (isBroken(findings) || last.length === 0) last = findings;
    return isBroken(findings);
  };
  if (!(await fails(value)) || parameter === undefined) return last;
  if (!isValueOf(parameter.type, value, context.suite.types, "request")) return [];
  const most = shrinkAllowance(context.session, method.name, leastShrinks);
  await shrinkValue(parameter.type, context.suite.types, value, fails, most);
  return last;
}
