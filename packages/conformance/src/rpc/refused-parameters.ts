import { armsOf } from "../compare/member-facts.ts";
import type { SuiteParameter, SuiteRpcMethod } from "../suite/suite.ts";
import type { Place, SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { canonicalText } from "../types/canonical-text.ts";
import { kebabCase } from "../types/kebab-case.ts";
import { goodInput, isAllowedInput, withoutValue } from "./good-inputs.ts";
import { fewValuesOf, shownValuesOf } from "./parameter-role.ts";
import { isAbsenceFault } from "./refusal.ts";
import { ask, errorCodes, faultText } from "./rpc-call.ts";
import type { CaseDraft, RpcContext } from "./rpc-context.ts";
import { finding } from "./rpc-finding.ts";
import { defaultOf, type Input } from "./rpc-params.ts";
import type { RpcOutcome } from "./rpc-reply.ts";
import { rpcRules } from "./rpc-rules.ts";

/** Values that are tried of a parameter that was refused so far. */
const triedValues = 3;

/** A parameter that may be given is taken with some of its values: one with which every call is refused is not there. */
export function* refusedParameterDrafts(context: RpcContext, method: SuiteRpcMethod): Generator<CaseDraft> {
  const base = goodInput(context, method);
  if (base === undefined) return;
  for (const parameter of method.parameters) {
    const { property, required, place } = parameter;
    const isTaken = context.session.live.goodInputsOf(method.name).some((input) => input[property] !== undefined);
    if (required || isTaken) continue;
    const inputs = plainValuesOf(context, method, parameter)
      .map((value) => ({ ...base, [property]: value }))
      .filter((input) => isAllowedInput(context, method, input))
      .slice(0, triedValues);
    if (inputs.length < 2) continue;
    yield takenDraft(context, method, {
      name: `${property}-is-taken`,
      expected: "that some value of the parameter is not refused",
      inputs,
      usualRequests: 1,
      message: `every value of ${parameter.name} is refused, and the call without it is not`,
      place: place ?? method.place,
    });
  }
}

/** A parameter with a documented default may be left out. */
export function* demandedParameterDrafts(context: RpcContext, method: SuiteRpcMethod): Generator<CaseDraft> {
  const good = context.session.live.goodInputsOf(method.name);
  for (const parameter of method.parameters) {
    const { property, required, place } = parameter;
    const isDemanded = !required && defaultOf(parameter) !== undefined && defaultOf(parameter) !== null;
    if (!isDemanded || good.length === 0 || good.some((input) => input[property] === undefined)) continue;
    const inputs = good.slice(0, triedValues).map((input) => withoutValue(input, property));
    yield takenDraft(context, method, {
      name: `${property}-may-be-left-out`,
      expected: "that the call without the parameter is not refused",
      inputs,
      usualRequests: 1,
      message: `the call without ${parameter.name}, which has a default, is refused, and the one with it is not`,
      place: place ?? method.place,
    });
  }
}

/** Calls in which a value of a short list is tried that was refused so far, and those that it takes to say that it always is. */
const triedCalls = 6;
const enoughCalls = 3;

/** Each value of a short list is taken with some values of the other parameters. */
export function* refusedChoiceDrafts(context: RpcContext, method: SuiteRpcMethod): Generator<CaseDraft> {
  const good = context.session.live.goodInputsOf(method.name);
  for (const parameter of method.parameters) {
    const { property, required, type, place } = parameter;
    const values = required ? fewValuesOf(type, context.suite.types) : [];
    for (const value of values) {
      const isTaken = good.some((input) => canonicalText(input[property]) === canonicalText(value));
      const inputs = isTaken ? [] : othersWith(context, method, parameter, value);
      if (inputs.length < enoughCalls) continue;
      yield takenDraft(context, method, {
        name: `${property}-takes-${kebabCase(String(value))}`,
        expected: "that the value is taken with some values of the other parameters",
        inputs,
        usualRequests: 2,
        message: `a listed value of ${parameter.name} is refused whatever the other parameters are`,
        place: place ?? method.place,
      });
    }
  }
}

/** Inputs of which one at least has to be taken. */
interface Attempts {
  readonly name: string;
  readonly expected: string;
  readonly inputs: readonly Input[];
  readonly usualRequests: number;
  /** What is wrong when all are refused. */
  readonly message: string;
  readonly place: Place | undefined;
}

function takenDraft(context: RpcContext, method: SuiteRpcMethod, attempts: Attempts): CaseDraft {
  const { name, expected, inputs, usualRequests, message, place } = attempts;
  return {
    group: "live",
    name,
    rule: rpcRules.goodRefused,
    expected,
    requests: inputs.length,
    usualRequests,
    isLive: true,
    input: inputs[0] ?? {},
    play: async (play) => {
      let fault = "";
      for (const input of inputs) {
        const { outcome, findings } = await ask(context, play, method, input);
        if (!isRefusal(outcome)) return findings;
        fault = faultText(outcome.fault);
      }
      return [finding(rpcRules.goodRefused, message, fault, { place })];
    },
  };
}

/** Calls with a value of one parameter, and values of the others that are taken or listed. */
function othersWith(
  context: RpcContext,
  method: SuiteRpcMethod,
  { property }: SuiteParameter,
  value: unknown,
): readonly Input[] {
  const { types } = context.suite;
  const good = context.session.live.goodInputsOf(method.name);
  const [first] = good;
  if (first === undefined) return [];
  const choices = method.parameters
    .filter((other) => other.required && other.property !== property)
    .flatMap((other) => fewValuesOf(other.type, types).map((choice) => ({ ...first, [other.property]: choice })));
  const all = [...choices, ...good].map((input) => ({ ...input, [property]: value }));
  return [...new Map(all.map((input) => [canonicalText(input), input])).values()].slice(0, triedCalls);
}

function isRefusal(outcome: RpcOutcome | undefined): outcome is Extract<RpcOutcome, { kind: "error" }> {
  if (outcome?.kind !== "error" || Number(outcome.fault.code) !== errorCodes.invalidParams) return false;
  return !isAbsenceFault(outcome.fault);
}

/** Values that any server takes which knows the parameter: of short lists, within bounds, shown, or of the same type and name in answers. */
function plainValuesOf(context: RpcContext, method: SuiteRpcMethod, parameter: SuiteParameter): readonly unknown[] {
  const { types } = context.suite;
  const isNamed = parameter.type.kind === "reference";
  const values = [
    ...fewValuesOf(parameter.type, types),
    ...shownValuesOf(method, parameter),
    ...leastValuesOf(parameter.type, types),
    ...objectsOf(parameter.type, types),
    ...(isNamed ? context.session.live.valuesOf(method.name, parameter) : []),
  ];
  return [...new Map(values.map((value) => [canonicalText(value), value])).values()];
}

/** The smallest numbers of a type that has a least one. */
function leastValuesOf(type: SuiteType, types: SuiteTypes): readonly number[] {
  return armsOf(type, types).flatMap((arm) => {
    if (arm.kind !== "number" || arm.minimum === undefined) return [];
    const least = Number(arm.minimum);
    return [least, least + 1, least + 2];
  });
}

/** Objects of plain values: one for each member that may be given, with those that have to be. */
function objectsOf(type: SuiteType, types: SuiteTypes): readonly unknown[] {
  const plainOf = (member: SuiteType): unknown => [...fewValuesOf(member, types), ...leastValuesOf(member, types)][0];
  return armsOf(type, types).flatMap((arm) => {
    if (arm.kind !== "record") return [];
    const needed = arm.members.filter(({ required }) => required).map(({ name, type: own }) => [name, plainOf(own)]);
    if (needed.some(([, value]) => value === undefined)) return [];
    const added = arm.members
      .filter(({ required, type: own }) => !required && plainOf(own) !== undefined)
      .map(({ name, type: own }) => ({ ...Object.fromEntries(needed), [name]: plainOf(own) }));
    return [...added, Object.fromEntries(needed)];
  });
}
