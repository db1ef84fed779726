import { propertyRules } from "../../properties/property-rules.ts";
import { inTurns } from "../../basics/in-turns.ts";
import { foundInputs } from "../../properties/found.ts";
import type { SuiteParameter, SuiteRpcMethod } from "../../suite/suite.ts";
import { type Finding, isBroken } from "../../contract/finding.ts";
import { fewValuesOf, formParameters, shownValuesOf } from "./parameter-role.ts";
import { type Certainty, choiceCertainty, goodFindings } from "./good-answer.ts";
import {
  goodInput,
  isAllowedInput,
  isOfFormat,
  plausibleInput,
  requiredOf,
  soughtMethod,
  wasAsked,
  withoutValue,
} from "./good-inputs.ts";
import { listsOf } from "./lists.ts";
import { missingFindings } from "./missing-method.ts";
import { ask, documentedCodes, errorCodes, faultText } from "./rpc-call.ts";
import { type CaseDraft, memoryKey, type RpcContext } from "./rpc-context.ts";
import { finding } from "./rpc-finding.ts";
import { defaultOf, type Input } from "./rpc-params.ts";
import type { RpcOutcome } from "./rpc-reply.ts";
import { rpcRules } from "./rpc-rules.ts";
import { isAbsenceFault } from "./refusal.ts";

/** Whole inputs made of found values that are tried of one method in one round. */
const inputsInRound = 2;

/** Values with which an optional parameter is tried. */
const addedValues = 2;

/** Asks for what earlier answers named: one case for a round, as the order in which values are found is not always the same. */
export function* foundDrafts(context: RpcContext, method: SuiteRpcMethod, round: number): Generator<CaseDraft> {
  const fresh = foundInputs(soughtMethod(context, method), inputsInRound + 4, inputsInRound);
  const [first] = fresh;
  if (first === undefined) return;
  yield {
    ...goodDraft(context, method, `found-${round}`, first, "likely"),
    requests: fresh.length,
    play: async (play) => {
      const findings: Finding[] = [];
      for (const input of fresh) {
        const reply = await ask(context, play, method, input);
        const missing = missingFindings(context, method, reply, play);
        if (missing !== undefined) return missing;
        findings.push(...goodFindings(method, reply, certaintyOf(input)));
        // The last request is the one that a report sends again.
        if (isBroken(findings)) break;
      }
      return [...new Map(findings.map((one) => [`${one.rule.id} ${one.message}`, one])).values()];
    },
  };
}

/** Where no call of a method had a result so far, one is made up of its types and of values that were seen. */
export function* madeUpDrafts(context: RpcContext, method: SuiteRpcMethod): Generator<CaseDraft> {
  if (goodInput(context, method) !== undefined) return;
  const input = plausibleInput(context, method);
  if (input === undefined || !soughtMethod(context, method).isFresh(input)) return;
  yield goodDraft(context, method, "made-up", input, "likely");
}

/** Of found values only their names say that they fit; a call without any needs none. */
function certaintyOf(input: Input): Certainty {
  return sizeOf(input) === 0 ? "certain" : "likely";
}

/** A call that the document allows. */
function goodDraft(
  context: RpcContext,
  method: SuiteRpcMethod,
  name: string,
  input: Input,
  certainty: Certainty,
): CaseDraft {
  return {
    group: "live",
    name,
    rule: rpcRules.resultType,
    expected: "a result of the documented type, or a documented error",
    isLive: true,
    input,
    play: async (play) => {
      const reply = await ask(context, play, method, input);
      const isWorking = goodInput(context, method) !== undefined;
      return missingFindings(context, method, reply, play) ?? goodFindings(method, reply, certainty, isWorking);
    },
  };
}

/** Changes a good input in every way that the document allows: other forms, parameters left out, written the other way. */
export function* variantDrafts(context: RpcContext, method: SuiteRpcMethod): Generator<CaseDraft> {
  const base = goodInput(context, method);
  if (base === undefined) return;
  yield* longListDrafts(context, method);
  yield* formDrafts(context, method, base);
  yield* addedDrafts(context, method, base);
  yield* leftOutDrafts(context, method);
}

/** A list as long as it may be, which parts of it are held against. */
function* longListDrafts(context: RpcContext, method: SuiteRpcMethod): Generator<CaseDraft> {
  const lists = listsOf(context, method);
  const limit = lists?.roles.limit;
  if (lists === undefined || limit === undefined) return;
  const input = { ...lists.knowledge.base, ...lists.knowledge.widest };
  if (wasAsked(context, method, input)) return;
  yield goodDraft(context, method, `${limit.property}-large`, input, "certain");
}

/** Parameters beyond which not all of them can be tried with all of their values. */
const manyParameters = 4;

/** Where parameters are many they take turns, so that none takes the calls of another. */
function formDrafts(context: RpcContext, method: SuiteRpcMethod, base: Input): readonly CaseDraft[] {
  const forms = new Set(formParameters(method, context.suite.types));
  const drafts = method.parameters.map((one) => formDraftsOf(context, method, base, one, forms.has(one)));
  return method.parameters.length > manyParameters ? inTurns(drafts) : drafts.flat();
}

function formDraftsOf(
  context: RpcContext,
  method: SuiteRpcMethod,
  base: Input,
  parameter: SuiteParameter,
  isForm: boolean,
): readonly CaseDraft[] {
  const few = fewValuesOf(parameter.type, context.suite.types);
  const values = isForm ? [...few, ...shownValuesOf(method, parameter)] : few;
  const distinct = [...new Map(values.map((value) => [String(JSON.stringify(value)), value])).values()];
  return distinct.flatMap((value): readonly CaseDraft[] => {
    const input = { ...base, [parameter.property]: value };
    const isChoice = few.includes(value) && few.length === distinct.length;
    const certainty = isChoice ? choiceCertainty(method, parameter) : "likely";
    // What was refused when it was a guess is asked for again.
    const isRefused = certainty !== "likely" && context.memory.get(memoryKey(method, input))?.kind === "error";
    if ((wasAsked(context, method, input) && !isRefused) || !isAllowedInput(context, method, input)) return [];
    return [goodDraft(context, method, `${parameter.property}-${wordOf(value)}`, input, certainty)];
  });
}

/** Optional parameters that no call has given so far, with values that answers had under their names. */
function* addedDrafts(context: RpcContext, method: SuiteRpcMethod, base: Input): Generator<CaseDraft> {
  const { live } = context.session;
  for (const parameter of method.parameters) {
    const { property, required, type } = parameter;
    const isGiven = live.goodInputsOf(method.name).some((input) => input[property] !== undefined);
    if (required || isGiven || fewValuesOf(type, context.suite.types).length > 0) continue;
    const found = live.valuesOf(method.name, parameter).filter((value) => isOfFormat(context, type, value));
    const values = [...shownValuesOf(method, parameter), ...found];
    const inputs = values
      .map((value) => ({ ...base, [property]: value }))
      .filter((input) => !wasAsked(context, method, input) && isAllowedInput(context, method, input))
      .slice(0, addedValues);
    for (const [index, input] of inputs.entries()) {
      yield goodDraft(context, method, `with-${property}-${index + 1}`, input, "likely");
    }
  }
}

function* leftOutDrafts(context: RpcContext, method: SuiteRpcMethod): Generator<CaseDraft> {
  const given = context.session.live
    .goodInputsOf(method.name)
    .toSorted((left, right) => sizeOf(right) - sizeOf(left))[0];
  if (given === undefined) return;
  const optional = method.parameters.filter(({ property, required }) => !required && given[property] !== undefined);
  const all = optional.reduce((input, { property }) => withoutValue(input, property), given);
  // What was refused when it was a guess is asked for again.
  const isDone = (input: Input): boolean => context.memory.get(memoryKey(method, input))?.kind === "result";
  if (optional.length > 1 && !isDone(all)) {
    yield goodDraft(context, method, "without-optional", all, "certain");
  }
  for (const { property } of optional) {
    const input = withoutValue(given, property);
    if (!isDone(input)) yield goodDraft(context, method, `without-${property}`, input, "certain");
  }
}

function sizeOf(input: Input): number {
  return Object.keys(input).length;
}

/**
 * A method that refuses the parameters of every call that the document allows, its own example among them, takes none: what is not there
 * would be said with another error.
 */
export function* neverTakenDrafts(context: RpcContext, method: SuiteRpcMethod): Generator<CaseDraft> {
  if (goodInput(context, method) !== undefined) return;
  const asked = [...context.memory].filter(([key]) => key.startsWith(`${method.name} `)).map(([, outcome]) => outcome);
  yield* alwaysBrokenDrafts(context, method, asked);
  yield* demandedDrafts(context, method, asked);
  const example = method.examples.find(({ outcome, params }) => outcome.kind === "success" && params === undefined);
  if (example === undefined || asked.length < 2 || !asked.every(isParameterRefusal)) return;
  yield {
    group: "live",
    name: "takes-parameters",
    rule: propertyRules.validInput,
    expected: "that some call that the document allows is not refused for its parameters",
    input: example.input,
    play: async (play) => {
      const { outcome, findings } = await ask(context, play, method, example.input);
      if (outcome.kind !== "error" || !isParameterRefusal(outcome)) return findings;
      const text = "every call that the document allows is refused for its parameters";
      return [...findings, finding(propertyRules.validInput, text, faultText(outcome.fault), { place: method.place })];
    },
  };
}

/** A method that fails inside of the server whatever it is asked for, though it need not be asked for anything that may not be there. */
function* alwaysBrokenDrafts(
  context: RpcContext,
  method: SuiteRpcMethod,
  asked: readonly RpcOutcome[],
): Generator<CaseDraft> {
  const input = plausibleInput(context, method);
  if (input === undefined || documentedCodes(method).has(errorCodes.internalError)) return;
  const isShown = requiredOf(method).every((parameter) => shownValuesOf(method, parameter).length > 0);
  const hasExample = isShown || method.examples.some(({ outcome }) => outcome.kind === "success");
  const isEnough = sizeOf(input) === 0 || asked.length > 1 || (hasExample && asked.length > 0);
  if (!isEnough || asked.length === 0 || !asked.every(isInternalFailure)) return;
  yield {
    group: "live",
    name: "does-not-fail",
    rule: rpcRules.exampleResult,
    expected: "that some call that the document allows does not fail inside of the server",
    input,
    play: async (play) => {
      const { outcome, findings } = await ask(context, play, method, input);
      if (outcome.kind !== "error" || !isInternalFailure(outcome)) return findings;
      const text = "every call that the document allows fails inside of the server";
      return [...findings, finding(rpcRules.exampleResult, text, faultText(outcome.fault), { place: method.place })];
    },
  };
}

/** Where nothing was taken so far, everything that may be left out is given: when that is taken, it was demanded. */
function* demandedDrafts(
  context: RpcContext,
  method: SuiteRpcMethod,
  asked: readonly RpcOutcome[],
): Generator<CaseDraft> {
  const input = plausibleInput(context, method);
  if (input === undefined || asked.length === 0 || !asked.every(isParameterRefusal)) return;
  const full = withOptional(context, method, input);
  if (sizeOf(full) === sizeOf(input) || !isAllowedInput(context, method, input)) return;
  yield {
    group: "live",
    name: "without-all-optional",
    rule: propertyRules.validInput,
    expected: "that what is taken with all optional parameters is taken without them",
    requests: 2,
    isLive: true,
    input: full,
    play: async (play) => {
      const given = await ask(context, play, method, full);
      if (given.outcome.kind !== "result") return given.findings;
      const { outcome, findings } = await ask(context, play, method, input);
      if (outcome.kind !== "error" || !isParameterRefusal(outcome)) return [...given.findings, ...findings];
      const text = "the call is refused without parameters that are optional, and taken with them";
      const refused = finding(propertyRules.validInput, text, faultText(outcome.fault), { place: method.place });
      return [...given.findings, ...findings, refused];
    },
  };
}

/** An input with a value for each optional parameter for which one is known. */
function withOptional(context: RpcContext, method: SuiteRpcMethod, input: Input): Input {
  const full: Record<string, unknown> = { ...input };
  for (const parameter of method.parameters) {
    const { property, type } = parameter;
    if (full[property] !== undefined) continue;
    const value = [
      defaultOf(parameter),
      ...shownValuesOf(method, parameter),
      ...fewValuesOf(type, context.suite.types),
      ...context.session.live.valuesOf(method.name, parameter),
    ].find(
      (candidate) => candidate !== undefined && candidate !== null && isOfFormat(context, parameter.type, candidate),
    );
    if (value !== undefined && isAllowedInput(context, method, { ...full, [property]: value })) full[property] = value;
  }
  return full;
}

function isInternalFailure(outcome: RpcOutcome): boolean {
  return outcome.kind === "error" && Number(outcome.fault.code) === errorCodes.internalError;
}

function isParameterRefusal(outcome: RpcOutcome): boolean {
  if (outcome.kind !== "error" || Number(outcome.fault.code) !== errorCodes.invalidParams) return false;
  return !isAbsenceFault(outcome.fault);
}

/** A value as a part of a case's name: it is one of the document's. */
function wordOf(value: unknown): string {
  const word = String(typeof value === "string" ? value : JSON.stringify(value))
    .replaceAll(/[^A-Za-z0-9.-]+/g, "-")
    .slice(0, 24);
  return word === "" ? "empty" : word;
}
