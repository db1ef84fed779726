import { withPlace } from "../suite/with-place.ts";
import type { Finding } from "../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../contract/planned-case.ts";
import { isRecord } from "../types/is-record.ts";
import { showValue } from "../compare/show-value.ts";
import type { SuiteExample, SuiteHttpOperation, SuiteParameter } from "../suite/suite.ts";
import type { SuiteTypes } from "../suite/suite-type.ts";
import { violationsOf } from "../types/violations.ts";
import { failureTextFindings } from "./failure-text.ts";
import { isSuccessStatus } from "./http-answer.ts";
import { ask, caseOf, findObservation, type HttpContext, type Observation } from "./http-context.ts";
import { anyFindings, detailOf, skipUnjudged, successFindings } from "./http-expect.ts";
import { type Input, requestOf } from "./http-request.ts";
import { httpRules } from "./http-rules.ts";
import { isImmutableObservation } from "./immutable.ts";

/** Plays the documented requests: each answer is what the description says of its status, and of the outcome that it shows. */
export function planExamples(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  return playableExamples(operation).map((example) =>
    caseOf(context, operation, {
      group: "example",
      name: example.name,
      rule: example.outcome.kind === "success" ? httpRules.body : httpRules.exampleFailure,
      expected: outcomeText(example),
      isLive: true,
      input: example.input,
      play: async (play) => {
        const observation = await ask(context, play, operation, example.input);
        skipUnjudged(context, play, observation);
        return example.outcome.kind === "success"
          ? judgeDocumentedSuccess(context, play, observation, example)
          : judgeDocumentedFailure(context, play, observation, example);
      },
    }),
  );
}

/** Calls that need no input, and those whose every input the description shows. */
export function planCalls(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const bare = bareInputOf(operation);
  const known = new Set(playableExamples(operation).map(({ input }) => keyOf(operation, input)));
  const isBare = bare !== undefined && Object.keys(bare).length === 0;
  // Without a body that may be left out, a server may find that there is nothing to do.
  const accepted = isBare && operation.body === undefined ? httpRules.accepted : httpRules.acceptedLikely;
  if (bare === undefined || known.has(keyOf(operation, bare))) return [];
  return [
    caseOf(context, operation, {
      group: "live",
      name: isBare ? "without-inputs" : "shown-inputs",
      rule: accepted,
      expected: "a documented success",
      isLive: true,
      input: bare,
      play: async (play) => {
        const observation = await ask(context, play, operation, bare);
        if (isBare) return successFindings(context, play, observation, accepted);
        if (isAbsent(observation)) play.skip("What the description shows is not at the target");
        return successFindings(context, play, observation, httpRules.acceptedLikely);
      },
    }),
  ];
}

/**
 * Holds documented values against served ones, where the description turned out to speak of the target's data: only then is a
 * difference a fault. What differs is asked for once more.
 */
export function planDocumentedValues(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const { trust } = context;
  return playableExamples(operation).flatMap((example) => {
    if (example.isLive === true || findObservation(context, operation, example.input) === undefined) return [];
    return [
      caseOf(context, operation, {
        group: "example",
        name: `${example.name}-as-shown`,
        rule: httpRules.documentedValue,
        expected:
          example.outcome.kind === "success"
            ? `success with the value ${showValue(example.outcome.value)}`
            : outcomeText(example),
        requests: 2,
        isLive: true,
        input: example.input,
        play: async (play) => {
          if (!trust.isOfThisData()) play.skip("The description shows other data than the target has");
          const observation = needsLook(context, operation, example)
            ? await ask(context, play, operation, example.input)
            : undefined;
          if (observation === undefined) return [];
          seeExample(context, observation, example);
          const found = documentedFindings(context, observation, example);
          if (found.length === 0) return found;
          return (await isOfOtherInput(context, play, observation, example)) ? [] : found;
        },
      }),
    ];
  });
}

/**
 * An answer is shown beside parameters, not for them: it may be the one to what the description shows of those that may be left out, or to
 * what it repeats of its own request. True when the target answers that as shown.
 */
async function isOfOtherInput(
  context: HttpContext,
  play: CasePlay,
  observation: Observation,
  example: SuiteExample,
): Promise<boolean> {
  const { operation } = observation;
  const optional = operation.parameters.filter(
    ({ property, required }) => !required && example.input[property] === undefined,
  );
  for (const input of [shownInput(optional), repeatedInput(optional, example)]) {
    const other = { ...example.input, ...input };
    if (Object.keys(input).length === 0 || requestOf(operation, other) === undefined) continue;
    if (!isValidInput(operation, other, context.types)) continue;
    const answered = await ask(context, play, operation, other);
    seeExample(context, answered, example);
    if (documentedFindings(context, answered, example).length === 0) return true;
  }
  seeExample(context, observation, example);
  return false;
}

function shownInput(optional: readonly SuiteParameter[]): Input {
  return Object.fromEntries(
    optional.flatMap(({ property, examples, type }) => {
      const [shown] = [...(examples ?? []), ...(type.examples ?? [])];
      return shown === undefined ? [] : [[property, shown]];
    }),
  );
}

/** Parameters that stand under their names in the answer that is shown: `page` and `limit` of a list. */
function repeatedInput(optional: readonly SuiteParameter[], { outcome }: SuiteExample): Input {
  const value = outcome.kind === "success" ? outcome.value : undefined;
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    optional.flatMap(({ property, name }) => {
      const repeated = value[name];
      const isPlain = ["string", "number", "boolean"].includes(typeof repeated);
      return isPlain ? [[property, repeated]] : [];
    }),
  );
}

/** Examples whose requests can be written, and whose inputs are all that is required. */
function playableExamples(operation: SuiteHttpOperation): readonly SuiteExample[] {
  const succeeding = new Set(
    operation.examples.filter(({ outcome }) => outcome.kind === "success").map(({ input }) => keyOf(operation, input)),
  );
  // A failure that is shown under the input of a success was shown without saying what leads to it.
  return operation.examples.filter(
    ({ input, outcome }) =>
      requestOf(operation, input) !== undefined &&
      (outcome.kind === "success" || !succeeding.has(keyOf(operation, input))),
  );
}

/** Whether a failure is shown with an input of its own: a description that shows just one input may mean it for all its answers. */
function isFailureOfItsOwn({ examples }: SuiteHttpOperation): boolean {
  return examples.some(({ outcome }) => outcome.kind === "success");
}

/** An input of nothing but what is required, each value one that the description shows; undefined where it shows none. */
export function bareInputOf(operation: SuiteHttpOperation): Input | undefined {
  const input: Record<string, unknown> = {};
  for (const parameter of operation.parameters) {
    if (!parameter.required) continue;
    const { type } = parameter;
    const shown = [...(parameter.examples ?? []), ...(type.examples ?? [])];
    const value = shown[0] ?? type.default ?? (type.kind === "enumeration" ? type.values[0] : undefined);
    if (value === undefined) return undefined;
    input[parameter.property] = value;
  }
  if (operation.body?.required === true) {
    const [content] = operation.body.contents;
    const value = content?.examples?.[0] ?? content?.type.examples?.[0];
    if (value === undefined) return undefined;
    input["body"] = value;
  }
  return requestOf(operation, input) === undefined ? undefined : input;
}

/** Whether every value of an input is of its type. */
function isValidInput(operation: SuiteHttpOperation, input: Input, types: SuiteTypes): boolean {
  const areValid = operation.parameters.every(({ property, type, required }) => {
    const value = input[property];
    return value === undefined ? !required : violationsOf(type, value, types, "request").length === 0;
  });
  const { body } = operation;
  if (!areValid || body === undefined) return areValid;
  const value = input["body"];
  if (value === undefined) return !body.required;
  return body.contents.some(({ type }) => violationsOf(type, value, types, "request").length === 0);
}

function keyOf(operation: SuiteHttpOperation, input: Input): string {
  return JSON.stringify(requestOf(operation, input) ?? input);
}

function outcomeText({ outcome }: SuiteExample): string {
  if (outcome.kind === "success") return `status ${outcome.status} with a value of the documented type`;
  return outcome.status === undefined ? "a documented failure" : `status ${outcome.status}`;
}

function isAbsent({ judged }: Observation): boolean {
  return judged.answer.status === 404 || judged.answer.status === 410;
}

function judgeDocumentedSuccess(
  context: HttpContext,
  play: CasePlay,
  observation: Observation,
  example: SuiteExample,
): readonly Finding[] {
  seeExample(context, observation, example);
  const isFixed = Object.keys(example.input).length === 0;
  if (isAbsent(observation) && !isFixed) play.skip("What the example asks for is not at the target");
  const rule = isFixed ? httpRules.accepted : httpRules.acceptedLikely;
  const found = successFindings(context, play, observation, rule);
  return [...found, ...otherSuccess(observation, example)];
}

/** An example stands under one status of the description: another success is not the documented one. */
function otherSuccess({ operation, judged }: Observation, { outcome, place }: SuiteExample): readonly Finding[] {
  const { status } = judged.answer;
  if (outcome.kind !== "success" || judged.kind !== "success" || status === outcome.status) return [];
  const isNamed = operation.successes.some((success) => success.status === outcome.status);
  if (!isNamed) return [];
  const message = `Status ${status} instead of ${outcome.status}, under which the example stands`;
  return [{ rule: httpRules.successStatus, message, ...withPlace(place) }];
}

function judgeDocumentedFailure(
  context: HttpContext,
  play: CasePlay,
  observation: Observation,
  example: SuiteExample,
): readonly Finding[] {
  seeExample(context, observation, example);
  const { outcome } = example;
  if (outcome.kind !== "failure") return [];
  const { status } = observation.judged.answer;
  if (outcome.status === undefined || status === outcome.status) {
    const isExact = context.session.options.examples === "exact" && example.isLive !== true;
    return [
      ...anyFindings(context, play, observation),
      ...(isExact ? failureTextFindings(observation, outcome.message, example.place) : []),
    ];
  }
  const isWrong = !isValidInput(observation.operation, example.input, context.types);
  if (!isWrong && isSuccessStatus(status)) play.skip("What the example asks for is at the target");
  if (!isWrong && status < 500) return observation.judged.findings;
  return otherFailure(observation, example, httpRules.exampleFailure);
}

function otherFailure(
  observation: Observation,
  { outcome, place }: SuiteExample,
  rule: Finding["rule"],
): readonly Finding[] {
  if (outcome.kind !== "failure") return [];
  const { status } = observation.judged.answer;
  const message = `Status ${status} instead of the documented ${outcome.status}`;
  return [{ rule, message, ...detailOf(observation), ...withPlace(place) }];
}

/** Shows an answer to those who decide whether the examples are of the target's data. */
function seeExample(context: HttpContext, observation: Observation, example: SuiteExample): void {
  const { operation, judged } = observation;
  const { outcome } = example;
  const common = {
    operation: operation.name,
    example: example.name,
    isLive: example.isLive === true || example.mayFail === true,
    isImmutable: isImmutableObservation(context, observation),
    asksForState: operation.parameters.every(({ location }) => location !== "path"),
    isOfOtherRequest: observation.input !== example.input,
  };
  if (outcome.kind === "failure") {
    const isConfirmed = judged.answer.status === outcome.status;
    context.trust.see({ ...common, result: isConfirmed ? { kind: "confirmed" } : { kind: "absent" } });
  } else if (judged.kind === "success") {
    const documented = outcome.value;
    const actual = judged.value instanceof Uint8Array ? Buffer.from(judged.value).toString("base64") : judged.value;
    context.trust.see({ ...common, result: { kind: "answered", type: judged.type, documented, actual } });
  } else {
    context.trust.see({ ...common, result: { kind: "absent" } });
  }
}

function needsLook(context: HttpContext, operation: SuiteHttpOperation, example: SuiteExample): boolean {
  const seen = findObservation(context, operation, example.input);
  if (seen === undefined) return false;
  if (example.outcome.kind === "failure") return seen.judged.answer.status !== example.outcome.status;
  if (seen.judged.kind !== "success") return true;
  if (context.trust.blameFor(operation.name, example.name).differences.length > 0) return true;
  return headerDifferences(seen, example).length > 0;
}

function documentedFindings(context: HttpContext, observation: Observation, example: SuiteExample): readonly Finding[] {
  const { operation, judged } = observation;
  const { trust } = context;
  const level = trust.blameForAbsence(operation.name, example.name);
  const rule = level === "MUST" ? httpRules.documentedValue : httpRules.documentedValueLikely;
  if (example.outcome.kind === "failure") {
    if (judged.answer.status === example.outcome.status || level === undefined) return [];
    if (!isFailureOfItsOwn(operation)) return [];
    return otherFailure(observation, example, level === "MUST" ? httpRules.exampleFailure : rule);
  }
  if (judged.kind !== "success") {
    if (level === undefined) return [];
    const message = `Status ${judged.answer.status} instead of what the description shows`;
    return [{ rule, message, ...detailOf(observation), ...withPlace(example.place ?? operation.place) }];
  }
  const blame = trust.blameFor(operation.name, example.name);
  const blamed = blame.level === "MUST" ? httpRules.documentedValue : httpRules.documentedValueLikely;
  const found = new Map<string, Finding>();
  for (const difference of blame.differences) {
    const where = difference.steady === "" ? "The body" : difference.steady;
    const message = `${where} ${difference.message} than the description shows`.replace(
      / (is missing|should not be there) than the description shows$/,
      " $1, and the description shows it",
    );
    if (found.has(message)) continue;
    const detail = `${difference.pointer === "" ? "the body" : difference.pointer} ${difference.detail}`;
    const place = example.place ?? difference.place;
    found.set(message, { rule: blamed, message, detail, pointer: difference.steady, ...withPlace(place) });
  }
  return [
    ...found.values(),
    ...(level === undefined ? [] : headerDifferences(observation, example).map((one) => ({ ...one, rule }))),
  ];
}

/** Headers that an example shows, and that say something of what is served. */
function headerDifferences({ judged }: Observation, { outcome, place }: SuiteExample): readonly Finding[] {
  if (outcome.kind !== "success" || outcome.headers === undefined) return [];
  return Object.entries(outcome.headers).flatMap(([name, value]): readonly Finding[] => {
    const plain = name.toLowerCase();
    if (passingHeader.test(plain) || value === null || typeof value === "object") return [];
    const text = judged.answer.headers.get(plain);
    if (text === undefined || text.trim() === String(value)) return [];
    const detail = `${showValue(text)} instead of ${showValue(value)}`;
    return [
      {
        rule: httpRules.documentedValue,
        message: `The header ${plain} is another than the description shows`,
        detail,
        ...withPlace(place),
      },
    ];
  });
}

/** Headers of one answer, or of one moment. */
const passingHeader =
  /^(?:date|age|etag|last-modified|expires|set-cookie|content-length|server|via|x-request-id|x-trace-id|.*rate-?limit.*|retry-after|.*(?:time|date|duration|request-id|trace).*)$/;
