import { detailOf } from "./classify-response.ts";
import { isRecord } from "@nodewright/api-model";
import type { Finding } from "../../contract/finding.ts";
import type { CaseDraft } from "../../contract/planned-case.ts";
import type { ExampleOutcome, ShownOperation } from "../../properties/example.ts";
import type { SuiteExample, SuiteHttpOperation, SuiteParameter } from "../../suite/suite.ts";
import type { SuiteTypes } from "../../suite/suite-type.ts";
import { withPlace } from "../../suite/with-place.ts";
import { isValueOf } from "@nodewright/api-values";
import { refusedBare } from "../../properties/bare-call.ts";
import { failureText, isAbsence, kindOf } from "./expect-input.ts";
import type { HttpContext, Observation } from "./http-context.ts";
import type { HttpOperation } from "./http-operation.ts";
import { bareInputOf } from "./base-input.ts";
import { call, refersToAlternatives, successFindings } from "./http-expect.ts";
import { type Input, requestOf } from "./http-request.ts";
import { httpRules } from "./http-rules.ts";
import { steadinessOf } from "./operation-shape.ts";
/** Returns an operation whose documented requests are played: each response must match the description of its status. */
export function shownOperation(context: HttpContext, operation: SuiteHttpOperation): ShownOperation {
  const isFixed = operation.parameters.every(({ location }) => location !== "path");
  return {
    name: operation.name,
    ...withPlace(operation.place),
    run: context.examples,
    examples: playableExamples(operation),
    success: httpRules.body,
    // A description with just one input may mean it for all its responses.
    isOfItsInput: ({ outcome }) =>
      outcome.kind === "success" || operation.examples.some((example) => example.outcome.kind === "success"),
    isOfState: () => isFixed,
    failsEverywhere: ({ input }) => !isValidInput(operation, input, context.types),
    failureText: ({ outcome }) =>
      outcome.kind === "failure" && outcome.status !== undefined ? `status ${outcome.status}` : "a documented failure",
    alternatives: (example) => alternativesOf(context, operation, example),
    call: async (play, example, input) => {
      return outcomeOf(context, example, await call(context, play, operation, input));
    },
  };
}

function outcomeOf({ session }: HttpContext, example: SuiteExample, observation: Observation): ExampleOutcome {
  const { checked } = observation;
  const { outcome, input } = example;
  const { status } = checked.response;
  const isImmutable = steadinessOf(observation) !== undefined;
  if (checked.kind === "success") {
    const value = checked.value instanceof Uint8Array ? Buffer.from(checked.value).toString("base64") : checked.value;
    const findings = [...checked.findings, ...otherSuccess(observation, example)];
    const further = headerDifferences(observation, example);
    return { findings, result: { value, type: checked.type }, isImmutable, further };
  }
  const text = detailOf(observation.checked.response);
  if (outcome.kind === "failure") {
    const isExact = session.options.examples === "exact" && example.isLive !== true;
    const message = isExact ? failureText(checked.value) : undefined;
    const isDocumented = outcome.status === undefined || status === outcome.status;
    const failure = { text, isDocumented, ...(message === undefined ? {} : { message }) };
    return { findings: checked.findings, failure, isImmutable };
  }
  // The object of the example may not exist at the target.
  const namesSomething = Object.keys(input).length > 0;
  const isAbsent = namesSomething && isAbsence(status);
  const rule = namesSomething ? httpRules.acceptedHeuristic : httpRules.accepted;
  const findings = isAbsent ? [] : successFindings(observation, rule);
  return { findings, failure: { text, isDocumented: false, isExcused: isAbsent }, isImmutable };
}

/**
 * Returns alternative inputs for an example. Its response is documented next to parameters, not for them: it may be the response to the
 * examples of optional parameters, or to values of its request that it repeats.
 */
function alternativesOf(
  { types }: HttpContext,
  operation: SuiteHttpOperation,
  { input, outcome }: SuiteExample,
): readonly Input[] {
  const optional = operation.parameters.filter(({ property, required }) => !required && input[property] === undefined);
  const value = outcome.kind === "success" && isRecord(outcome.value) ? outcome.value : {};
  const inputs = [
    ({ examples, type }: SuiteParameter): unknown => [...(examples ?? []), ...(type.examples ?? [])][0],
    // `page` and `limit` of a list.
    ({ name }: SuiteParameter): unknown => (typeof value[name] === "object" ? undefined : value[name]),
  ].map((shownOf) => Object.fromEntries(optional.map((one) => [one.property, shownOf(one)])));
  return inputs
    .filter((added) => Object.values(added).some((one) => one !== undefined))
    .map((added) => ({ ...input, ...added }))
    .filter((other) => requestOf(operation, other) !== undefined && isValidInput(operation, other, types));
}

/** Plans calls without input, and those with an example for each parameter. */
export function planCalls(operation: HttpOperation): readonly CaseDraft[] {
  const { context, source, documented } = operation;
  const bare = bareInputOf(source);
  const known = new Set(documented.examples.map(({ input }) => keyOf(source, input)));
  const isBare = bare !== undefined && Object.keys(bare).length === 0;
  // Without an optional body, a server may find nothing to do.
  const accepted = isBare && source.body === undefined ? httpRules.accepted : httpRules.acceptedHeuristic;
  if (bare === undefined || known.has(keyOf(source, bare))) return [];
  return [
    {
      group: "live",
      name: isBare ? "without-inputs" : "shown-inputs",
      rule: accepted,
      expected: "a documented success",
      isLive: true,
      input: bare,
      play: async (play) => {
        const observation = await call(context, play, source, bare);
        const { status } = observation.checked.response;
        if (status === 400 && refersToAlternatives(observation))
          play.skip("The target needs one of several optional parameters");
        if (!isBare && isAbsence(status)) play.skip("What the description shows is not at the target");
        const findings = successFindings(observation, accepted);
        const isRefused = isBare && kindOf(context, observation) === "refused";
        return isRefused ? await refusedBare(operation, play, bare, findings) : findings;
      },
    },
  ];
}

/** Returns the examples whose requests can be written and whose inputs have all required parameters. */
function playableExamples(operation: SuiteHttpOperation): readonly SuiteExample[] {
  const succeeding = new Set(
    operation.examples.filter(({ outcome }) => outcome.kind === "success").map(({ input }) => keyOf(operation, input)),
  );
  // A failure example with the input of a success does not show what causes it.
  return operation.examples.filter(
    ({ input, outcome }) =>
      requestOf(operation, input) !== undefined &&
      (outcome.kind === "success" || !succeeding.has(keyOf(operation, input))),
  );
}

/** Returns whether each value of an input is valid against its type. */
function isValidInput({ parameters, body }: SuiteHttpOperation, input: Input, types: SuiteTypes): boolean {
  const ofBody = body && { property: "body", required: body.required, any: body.contents.map(({ type }) => type) };
  const all = [...parameters.map(({ type, ...one }) => ({ ...one, any: [type] })), ...(ofBody ? [ofBody] : [])];
  return all.every(({ property, required, any }) => {
    const value = input[property];
    return value === undefined ? !required : any.some((type) => isValueOf(type, value, types, "request"));
  });
}

function keyOf(operation: SuiteHttpOperation, input: Input): string {
  return JSON.stringify(requestOf(operation, input) ?? input);
}

/** Returns a finding for a success with another status than that of the example. */
function otherSuccess({ operation, checked }: Observation, { outcome, place }: SuiteExample): readonly Finding[] {
  const { status } = checked.response;
  if (outcome.kind !== "success" || checked.kind !== "success" || status === outcome.status) return [];
  const isNamed = operation.successes.some((success) => success.status === outcome.status);
  if (!isNamed) return [];
  const message = `Status ${status} instead of ${outcome.status}, under which the example stands`;
  return [{ rule: httpRules.successStatus, message, ...withPlace(place) }];
}

/** Returns differences of headers that an example has and that describe the content. */
function headerDifferences({ checked }: Observation, { outcome }: SuiteExample): readonly string[] {
  if (outcome.kind !== "success") return [];
  return Object.entries(outcome.headers ?? {}).flatMap(([name, value]): readonly string[] => {
    const plain = name.toLowerCase();
    if (passingHeader.test(plain) || value === null || typeof value === "object") return [];
    const text = checked.response.headers.get(plain);
    if (text === undefined || text.trim() === String(value)) return [];
    return [`the header ${plain} is another than the example shows`];
  });
}

/** Headers that are specific to one response or moment. */
const passingHeader =
  /^(?:date|age|etag|last-modified|expires|set-cookie|content-length|server|via|x-request-id|x-trace-id|.*rate-?limit.*|retry-after|.*(?:time|date|duration|request-id|trace).*)$/;
