import { type Finding, finding } from "../../contract/finding.ts";
import type { CaseDraft } from "../../contract/planned-case.ts";
import { propertyRules } from "../../properties/property-rules.ts";
import type { RpcOperation } from "./rpc-operation.ts";
import { isNamedByHeight, isNamedDaily } from "../../inference/lasting.ts";
import type { ExampleOutcome, ShownOperation } from "../../properties/example.ts";
import type { SuiteExample, SuiteRpcMethod } from "../../suite/suite.ts";
import { withPlace } from "../../suite/with-place.ts";
import { isAbsenceFailure, isAbsenceFault, missingFindings } from "./absence.ts";
import { refusedBare } from "../../properties/bare-call.ts";
import { goodFindings, kindOf, refusalFindings } from "./expect-input.ts";
import { isPermanent } from "./good-inputs.ts";
import { resultTypeOf } from "../../suite/result-type.ts";
import { callOperation, callWith, documentedCodes, errorCodes, faultDataFindings, faultText } from "./rpc-call.ts";
import type { RpcContext } from "./rpc-context.ts";
import { paramsOf } from "./rpc-params.ts";
import type { RpcFault } from "./rpc-reply.ts";
import { rpcRules } from "./rpc-rules.ts";

/** Returns the parameters as an example shows them, or of its input. */
function paramsOfExample(method: SuiteRpcMethod, example: SuiteExample): ReturnType<typeof paramsOf> {
  return example.params ?? paramsOf(method, example.input);
}

/** Returns a method whose documented requests are played. */
export function shownMethod(context: RpcContext, method: SuiteRpcMethod): ShownOperation {
  return {
    name: method.name,
    ...withPlace(method.place),
    run: context.examples,
    examples: orderedExamples(method),
    success: rpcRules.exampleResult,
    isLive: ({ isLive }) => isLive === true,
    isOfTheDay: method.isImmutable !== true && isNamedDaily(method.method),
    isOfState: (input) => Object.keys(input).length === 0,
    failsEverywhere: () => true,
    failureText: ({ outcome }) =>
      `the error ${(outcome.kind === "failure" ? outcome.rpcCode : undefined) ?? "that is documented"}`,
    call: async (play, example): Promise<ExampleOutcome> => {
      // Parameters that no input can represent may be invalid, so their result is not stored as good.
      const isGood = example.params === undefined && example.outcome.kind === "success";
      const reply = isGood
        ? await callOperation(context, play, method, example.input)
        : await callWith(context, play, method, paramsOfExample(method, example));
      const isAtHeight = method.isImmutable !== false && isNamedByHeight(method.method, example.input);
      const isImmutable = isAtHeight || isPermanent(method, example.input);
      const { outcome } = reply;
      const missing = missingFindings(context, method, reply, play);
      if (missing !== undefined) return { findings: missing, isImmutable };
      if (outcome.kind === "unreadable") return { findings: reply.findings, isImmutable };
      if (outcome.kind === "result") {
        return { findings: reply.findings, result: { value: outcome.value, type: resultTypeOf(method) }, isImmutable };
      }
      const findings = [...reply.findings, ...errorFindings(context, method, example, outcome.fault)];
      return { findings, failure: failureOf(method, example, outcome.fault), isImmutable };
    },
  };
}

function failureOf(
  { failures }: SuiteRpcMethod,
  { outcome, input }: SuiteExample,
  fault: RpcFault,
): NonNullable<ExampleOutcome["failure"]> {
  const text = faultText(fault);
  if (outcome.kind !== "failure")
    return { text, isDocumented: false, isExcused: Object.keys(input).length > 0 && isAbsenceFault(fault) };
  const { rpcCode, message = "" } = outcome;
  const name = failures.find((one) => one.rpcCode === rpcCode)?.name ?? "";
  return {
    text,
    isDocumented: rpcCode === undefined || Number(fault.code) === rpcCode,
    message: fault.message,
    // The object of the example may not exist here.
    isExcused: isAbsenceFault(fault) && !isAbsenceFailure({ name, message }) && Object.keys(input).length > 0,
  };
}

/** Returns the findings of a documented error: the object of an example may not exist at this target, so the error is not yet a fault. */
function errorFindings(
  context: RpcContext,
  method: SuiteRpcMethod,
  example: SuiteExample,
  fault: RpcFault,
): readonly Finding[] {
  if (example.outcome.kind === "failure") return faultDataFindings(context, method, fault);
  const codes = documentedCodes(method);
  const namesSomething = Object.keys(example.input).length > 0 || example.params !== undefined;
  // Some servers refuse a range of blocks beyond the target's last block with the code of invalid parameters.
  if (example.mayFail === true || (namesSomething && isAbsenceFault(fault))) return [];
  if (namesSomething || codes.has(Number(fault.code))) {
    const certainty = codes.has(errorCodes.invalidParams) ? "likely" : "documented";
    return goodFindings(method, { outcome: { kind: "error", fault }, findings: [] }, { certainty });
  }
  const text = "the call without parameters gives an error";
  return [finding(rpcRules.exampleResult, text, faultText(fault), { place: example.place })];
}

/** Returns documented results and errors alternately, so that both are played when not all can be. */
function orderedExamples({ examples }: SuiteRpcMethod): readonly SuiteExample[] {
  const successes = examples.filter(({ outcome }) => outcome.kind === "success");
  const failures = examples.filter(({ outcome }) => outcome.kind === "failure");
  const length = Math.max(successes.length, failures.length);
  return Array.from({ length }, (_none, index) => [successes[index], failures[index]])
    .flat()
    .filter((example) => example !== undefined);
}

/**
 * Plans the call that shows whether a method exists: its first documented one, or one without parameters. A method with required parameters
 * and no example is called without them, and must refuse.
 */
export function firstCall(operation: RpcOperation): CaseDraft {
  const { context, method, documented } = operation;
  const { examples, parameters, parameterStructure } = method;
  const good = examples.find(({ outcome, mayFail }) => outcome.kind === "success" && mayFail !== true);
  const example = good ?? examples[0];
  if (example !== undefined) return documented.run.caseOf(documented, example);
  const params = parameterStructure === "by-name" ? {} : [];
  return parameters.some(({ required }) => required)
    ? {
        group: "negative",
        name: "no-arguments",
        rule: propertyRules.invalidInput,
        expected: "an error, as parameters are missing",
        sent: params,
        play: async (play) => {
          const reply = await callWith(context, play, method, params);
          return missingFindings(context, method, reply, play) ?? refusalFindings(method, reply);
        },
      }
    : {
        group: "live",
        name: "no-arguments",
        rule: rpcRules.resultType,
        expected: "a result of the documented type",
        isLive: true,
        input: {},
        play: async (play) => {
          const reply = await callOperation(context, play, method, {});
          const missing = missingFindings(context, method, reply, play);
          if (missing !== undefined) return missing;
          const findings = goodFindings(method, reply, { certainty: "documented" });
          return kindOf(method, reply) === "refused" ? await refusedBare(operation, play, {}, findings) : findings;
        },
      };
}
