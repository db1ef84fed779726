import { canonicalText } from "@nodewright/api-model";
import { listOf } from "../compare/list-of.ts";
import type { Finding } from "../contract/finding.ts";
import { shownOf } from "../inference/list-roles.ts";
import { withPlace } from "../suite/with-place.ts";
import { isValueOf } from "@nodewright/api-values";
import { bareCase, refusedBare } from "./bare-call.ts";
import { probableInputs, probableValues, type SoughtOperation } from "./found.ts";
import { expectedCase, type InputCase, type InputOperation } from "./input-operation.ts";
import type { CheckedResponse, Expectation, ExpectedCall, Input } from "./operation.ts";
import { propertyRules } from "./property-rules.ts";

/** An operation for which calls with a value are searched, for any protocol. */
export interface LiveOperation extends InputOperation, SoughtOperation {
  /** Returns the expectation of a call with values from other responses. */
  foundExpectation(input: Input): Pick<Expectation, "rule" | "certainty" | "isThere">;
}

/** Maximum number of inputs from found values: in the first round, and while all known results are empty lists; and in the second round. */
const mostInputs = 3;
const mostLater = 1;
/** Maximum number of found inputs among which unused ones are searched, while all known results are empty lists. */
const mostFound = 16;
/** Maximum number of calls with heuristic values. */
const mostProbable = 3;

/**
 * Plans calls with values of earlier responses, by declared links or by names and types. From the third round on there are calls only while
 * all known results are empty lists.
 */
export function foundCalls(operation: LiveOperation, round: number): readonly InputCase[] {
  const isEmpty = round > 1 && operation.known.every(({ value }) => listOf(value)?.items.length === 0);
  if (round > 2 && !isEmpty) return [];
  const looked = isEmpty ? mostFound : mostInputs + 2;
  const inputs = operation.live.inputsOf(operation.name, looked).filter((input) => isFresh(operation, input));
  return inputs.slice(0, round === 1 || isEmpty ? mostInputs : mostLater).map((input, index) =>
    liveCase(operation, `found-${round}-${index + 1}`, input, {
      subject: "A call with values of other responses",
      ...operation.foundExpectation(input),
    }),
  );
}

/**
 * Plans calls with heuristic values for an operation none of whose calls had a value. The target may refuse values that the description
 * does not show.
 */
export function probableCalls(operation: LiveOperation): readonly InputCase[] {
  if (operation.known.length > 0) return [];
  const fresh = probableInputs(operation, mostProbable).filter((input) => isFresh(operation, input));
  return fresh.map((input, index) =>
    liveCase(operation, `made-up-${index + 1}`, input, {
      rule: propertyRules.validInputHeuristic,
      certainty: isAllShown(operation, input) ? "likely" : "open",
      subject: "A call with likely values",
    }),
  );
}

/** Whether the description allows an input, and no call was made with it. */
function isFresh(operation: InputOperation, input: Input): boolean {
  return isAllowed(operation, input) && operation.requestOf(input) !== undefined && !operation.wasSent(input);
}

function isAllowed({ parameters, types }: InputOperation, input: Input): boolean {
  return parameters.every(({ property, type, required }) => {
    const value = input[property];
    return value === undefined ? !required : isValueOf(type, value, types, "request");
  });
}

function liveCase(
  operation: InputOperation,
  name: string,
  input: Input,
  expectation: Omit<Expectation, "kind">,
): InputCase {
  const call: ExpectedCall = { input, expectation: { kind: "accepted", ...expectation } };
  const caseOf = Object.keys(input).length === 0 ? bareCase : expectedCase;
  return caseOf(operation, call, { group: "live", name, expected: "a documented success", input });
}

/**
 * Plans cases for an operation none of whose calls was accepted: one of the calls that the description allows has to be accepted, without
 * optional parameters too. `tried`: the outcomes of the calls, without those that fail in examples.
 */
export function neverAccepted(
  operation: LiveOperation,
  tried: readonly CheckedResponse["kind"][],
): readonly InputCase[] {
  const { known, examples: [example] = [] } = operation;
  const base = operation.base ?? probableInputs(operation, 1)[0];
  const kind = (["refused", "failed"] as const).find((one) => tried.every((own) => own === one));
  if (known.length > 0 || base === undefined || kind === undefined || tried.length === 0) return [];
  const input = example?.input ?? base;
  const isShown = example !== undefined || (kind === "failed" && isAllShown(operation, input));
  const isPlain = kind === "failed" && Object.keys(input).length === 0;
  const isEnough = tried.length > 1 ? isShown || kind === "failed" : kind === "failed" && (isPlain || isShown);
  const what = kind === "refused" ? "is refused for its parameters" : "fails inside of the server";
  return [
    ...(kind === "refused" ? demandedCases(operation, base) : []),
    ...(isEnough ? [sameAgain(operation, input, kind, `every call that the description allows ${what}`)] : []),
  ];
}

/** Whether the description shows a value of each required parameter. */
function isAllShown({ parameters }: LiveOperation, input: Input): boolean {
  return parameters.every(
    (one) => !one.required || shownOf(one).map(canonicalText).includes(canonicalText(input[one.property])),
  );
}

const open: Expectation = {
  kind: "accepted",
  rule: propertyRules.validInput,
  certainty: "open",
  subject: "A call that the description allows",
};

function sameAgain(operation: LiveOperation, input: Input, kind: CheckedResponse["kind"], message: string): InputCase {
  return {
    group: "live",
    name: "some-call",
    rule: propertyRules.validInput,
    expected: "that some call that the description allows is accepted",
    input,
    requests: 1,
    play: async (play) => {
      const [response] = await operation.expect(play, [{ input, expectation: open }]);
      const found = response?.findings ?? [];
      return response?.kind === kind ? [...found, problem(operation, message)] : found;
    },
  };
}

/**
 * Plans a comparison of a call with all optional parameters and one without them: if only the former is accepted, an optional parameter is
 * actually required.
 */
function demandedCases(operation: LiveOperation, base: Input): readonly InputCase[] {
  const full = withOptional(operation, base);
  if (Object.keys(full).length === Object.keys(base).length) return [];
  const one: InputCase = {
    group: "live",
    name: "without-all-optional",
    rule: propertyRules.validInput,
    expected: "that what is accepted with all optional parameters is accepted without them",
    input: full,
    requests: 2,
    play: async (play) => {
      const [given] = await operation.expect(play, [{ input: full, expectation: open }]);
      if (given?.kind !== "accepted") return given?.findings ?? [];
      const [left] = await operation.expect(play, [{ input: base, expectation: open }]);
      const message = "the call is refused without parameters that are optional, and accepted with them";
      const found = [...given.findings, ...(left?.findings ?? [])];
      if (left?.kind !== "refused") return found;
      return [...found, ...(await refusedBare(operation, play, base, [problem(operation, message)]))];
    },
  };
  return [one];
}

function problem({ place }: LiveOperation, message: string): Finding {
  return { rule: propertyRules.validInput, message, ...withPlace(place) };
}

/** Returns an input with a heuristic value for each optional parameter. */
function withOptional(operation: LiveOperation, input: Input): Input {
  const full: Record<string, unknown> = { ...input };
  for (const parameter of operation.parameters) {
    const { property } = parameter;
    if (full[property] === undefined) full[property] = probableValues(operation, parameter)[0];
  }
  return Object.fromEntries(Object.entries(full).filter(([, value]) => value !== undefined));
}
