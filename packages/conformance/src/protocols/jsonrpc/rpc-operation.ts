import { canonicalText, kindOf as jsonKindOf } from "@nodewright/api-model";
import { finding, type Finding } from "../../contract/finding.ts";
import { looksAtValue, mayBeAbsent } from "../../inference/absence.ts";
import { isNamedByChance, isWaiting } from "../../inference/name-meaning.ts";
import { isIdentifying } from "../../inference/identifier-member.ts";
import { linkedMembersOf } from "../../inference/linked-members.ts";
import { isPaged } from "../../inference/page-members.ts";
import { subjectOf } from "../../live/names.ts";
import { inspectResponse } from "../../properties/properties.ts";
import type { DeclaredAbsence } from "../../properties/not-found.ts";
import type { Expectation, Input, Operation, OperationDescription } from "../../properties/operation.ts";
import type { PlannedOperation } from "../../properties/plan-operation.ts";
import { propertyRules } from "../../properties/property-rules.ts";
import { shownFormProblems } from "../../properties/shown-form.ts";
import { describeOperation, resultOf, singleCalls } from "../../properties/single-calls.ts";
import type { SuiteParameter, SuiteRpcMethod } from "../../suite/suite.ts";
import type { SuiteType, SuiteTypes } from "../../suite/suite-type.ts";
import { withPlace } from "../../suite/with-place.ts";
import { isValueOf } from "@nodewright/api-values";
import { declaredFailures } from "./declared-failures.ts";
import { shownMethod } from "./example-cases.ts";
import { expectReplies, failedCall, goodFindings, invalidParams, kindOf } from "./expect-input.ts";
import { goodInput, isPermanent, plausibleInput, requiredOf, sendableInput, soughtMethod } from "./good-inputs.ts";
import {
  documentsAbsence,
  documentsAbsenceOf,
  hasOwnAbsenceCode,
  isAbsenceFailure,
  isAbsenceFault,
} from "./absence.ts";
import { callOperation, documentedCodes, errorCodes } from "./rpc-call.ts";
import { guardPlay, memoryKey, type RpcContext } from "./rpc-context.ts";
import { paramsOf } from "./rpc-params.ts";
import { requestText, type RpcParams, rpcPost } from "./rpc-request.ts";
import { rpcRules } from "./rpc-rules.ts";

/** A method as the planner uses it. */
export interface RpcOperation extends PlannedOperation {
  readonly context: RpcContext;
  readonly method: SuiteRpcMethod;
}

export function rpcOperation(context: RpcContext, method: SuiteRpcMethod): RpcOperation {
  const { session, memory } = context;
  const { types } = context.suite;
  const certainty = context.present.has(method.name) ? "documented" : "likely";
  const base = plausibleInput(context, method);
  const required = requiredOf(method).map(({ property }) => [property, base?.[property]]);
  return {
    ...soughtMethod(context, method),
    ...asSeen(context, method, "likely"),
    context,
    method,
    session,
    writes: !session.safety.of(method.name).isSafe,
    // The maximum wait of a call affects nothing but the wait.
    parameters: method.parameters.filter((parameter) => !isWaiting(parameter)),
    base,
    bare: Object.fromEntries(required),
    failing: method.examples.flatMap(({ input, outcome }) => (outcome.kind === "failure" ? [input] : [])),
    surplus: "likely",
    hasOwnAbsence: hasOwnAbsenceCode(method),
    isBatched: false,
    documented: shownMethod(context, method),
    isNaming: (parameter) => parameter.required && isIdentifying(parameter),
    strictTypeOf: ({ type }) => type,
    invalidity: ({ type, required: isRequired }, value) => {
      if (value === undefined) return certainty;
      // Null represents an omitted parameter.
      if ((value === null && !isRequired) || isValueOf(type, value, types, "request")) return undefined;
      return readsAs(type, value, types) ? "likely" : certainty;
    },
    requestOf: (input) => {
      const isSendable = sendableInput(context, method, input) !== undefined;
      return isSendable ? canonicalText(invalidParams(context, method, input)) : undefined;
    },
    wasSent: (input) => memory.has(memoryKey(method, input)),
    // That found values belong to the parameters is inferred from names only; a call without any is certain.
    foundExpectation: (input) =>
      Object.keys(input).length === 0
        ? { rule: propertyRules.validInput, certainty: "documented" }
        : { rule: propertyRules.validInputHeuristic, certainty: "likely" },
    // The value that a call uses is documented.
    asSeen: (aspect) => asSeen(context, method, aspect === "values" ? "documented" : "likely"),
    lookupOf: (input) => lookupOf(context, method, input),
    failuresOf: () =>
      method.failures.length === 0
        ? undefined
        : {
            parameters: method.parameters,
            failures: declaredFailures(method),
            call: async (play, input) => {
              const sent =
                sendableInput(context, method, input) ?? play.skip("The target does not take parameters by name");
              const called = await failedCall(context, method, play, sent);
              // When no call had a result so far, the failure may have another cause.
              return goodInput(context, method) === undefined ? { findings: called.findings } : called;
            },
          },
    tried: () => {
      if (documentedCodes(method).has(errorCodes.internalError)) return [];
      const made = [...memory].filter(([key]) => key.startsWith(`${method.name} `));
      return made.map(([, outcome]) => kindOf(method, { outcome }));
    },
    previewOf: ({ group, name, input, sent }) => {
      const params = (sent as RpcParams | undefined) ?? (input && paramsOf(method, input));
      const id = `${method.name}/${group}/${name}`;
      return params && rpcPost(requestText({ method: method.method, params, id }));
    },
    adapted: (draft) => ({ ...draft, play: guardPlay(context, method, draft.play) }),
  };
}

/** Returns whether a value of another kind represents one of the type, as `"20"` does 20: many servers coerce such values. */
function readsAs(type: SuiteType, value: unknown, types: SuiteTypes): boolean {
  const isOf = (one: unknown): boolean => isValueOf(type, one, types, "request");
  if (jsonKindOf(value) === "boolean") return isOf(Number(value));
  if (typeof value === "number") return isOf(value === 1) || isOf(value !== 0);
  const isWord = typeof value === "string" && /^(?:true|false|-?\d+(?:\.\d+)?)$/.test(value);
  return isWord && isOf(JSON.parse(value));
}

/** Returns the lookup of missing objects, with identifiers in the form of existing ones. */
function lookupOf(context: RpcContext, method: SuiteRpcMethod, base: Input): ReturnType<PlannedOperation["lookupOf"]> {
  if (looksAtValue(method.method) && !documentsAbsence(method)) return undefined;
  return {
    identifiers: requiredOf(method).filter(
      ({ name, property }, _index, { length }) =>
        mayBeAbsent(name, base[property]) || (length === 1 && documentsAbsence(method)),
    ),
    known: (parameter) => context.session.live.valuesOf(method.name, parameter),
    declared: (parameter) => declaredAbsence(method, parameter),
    call: async (play, input) => {
      const called = await failedCall(context, method, play, input);
      const { failure } = called;
      if (failure === undefined || failure.kind === "unclear" || documentsAbsence(method)) return called;
      if (documentedCodes(method).has(failure.code)) return called;
      const text = "the error is not documented";
      return {
        ...called,
        findings: [...called.findings, finding(rpcRules.plainAbsentCode, text, failure.text, { place: method.place })],
      };
    },
  };
}

function declaredAbsence(method: SuiteRpcMethod, parameter: Pick<SuiteParameter, "name">): DeclaredAbsence | undefined {
  const failures = method.failures.filter(isAbsenceFailure);
  const [failure] = failures;
  if (failure === undefined) return undefined;
  const codes = failures.map(({ rpcCode }) => rpcCode ?? "that is documented");
  // Next to another required parameter, that one may identify the missing object; an address may just have nothing.
  const isOnly = requiredOf(method).length === 1 && mayBeAbsent(parameter.name, "");
  const isOwn = isOnly || documentsAbsenceOf(method, parameter);
  const text = `the error ${codes.join(" or ")}`;
  return { text, codes: [...documentedCodes(method)], isOwn, ...withPlace(failure.place) };
}

/** Returns the findings that all protocols have within a result, given its request. */
export function inspectResult(
  context: RpcContext,
  method: SuiteRpcMethod,
  input: Input,
  value: unknown,
): readonly Finding[] {
  const description = descriptionOf(context, method);
  const forms = shownFormProblems(description, input, value).map((one) => ({ rule: rpcRules.arm, ...one }));
  return [...forms, ...inspectResponse(description, { input, result: resultOf({ value }, description) })];
}

/** Returns the only required parameter of a method. */
function keyOf(method: SuiteRpcMethod): SuiteParameter | undefined {
  const [required, ...others] = requiredOf(method);
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
      typeNames: subjectOf(method.method).at(-1) ?? "",
      isOfOne: method.parameters.some(({ required }) => required) && !isPaged(method.parameters),
      isByChance: method.isByChance === true || isNamedByChance(method.method),
    };
  });
}

/** Maximum number of requested elements when the document has no maximum limit. */
const longest = 100;

/** Returns a method as an operation of properties. */
function asSeen(context: RpcContext, method: SuiteRpcMethod, certainty: Expectation["certainty"]): Operation {
  return singleCalls(descriptionOf(context, method), {
    name: method.name,
    longest,
    known: context.session.live.resultsOf(method.name),
    steadiness: (input) =>
      method.isImmutable === true ? "declared" : isPermanent(method, input) ? "guessed" : undefined,
    expect: (play, calls) => expectReplies(context, method, play, calls),
    callOnce: async (play, called, { allowsEarlier, mayBeAbsent = false, mayBeRefused = false }) => {
      const isPositional = method.parameterStructure === "by-position";
      const sendable = isPositional ? sendableInput(context, method, called) : called;
      const input = sendable ?? play.skip("No value is known of a parameter that stands before others");
      const kept = allowsEarlier ? context.memory.get(memoryKey(method, input)) : undefined;
      // A cached error is called again: its findings were reported where it was expected.
      const earlier = kept?.kind === "result" || mayBeAbsent ? kept : undefined;
      const reply = earlier ? { outcome: earlier, findings: [] } : await callOperation(context, play, method, input);
      const { outcome } = reply;
      if (mayBeAbsent && outcome.kind === "error" && Number(outcome.fault.code) !== errorCodes.internalError)
        return { findings: reply.findings, isAbsent: isAbsenceFault(outcome.fault) };
      const findings = earlier || mayBeRefused ? reply.findings : goodFindings(method, reply, { certainty });
      return outcome.kind === "result"
        ? { findings, returned: outcome }
        : { findings, isRefused: outcome.kind === "error" };
    },
  });
}
