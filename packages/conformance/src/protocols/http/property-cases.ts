import { listOf } from "../../compare/list-of.ts";
import type { Finding } from "../../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../../contract/planned-case.ts";
import { inspectResponse } from "../../properties/inspect-response.ts";
import { planProperties, type PropertyCase } from "../../properties/plan-properties.ts";
import { planRelations } from "../../properties/plan-relations.ts";
import type { CallOptions, Input, Operation, OperationDescription, Outcome, Page } from "../../properties/operation.ts";
import { ownResultProperty } from "../../properties/own-result.ts";
import { singularOf } from "../../inference/singular.ts";
import { plainName } from "../../compare/volatile-names.ts";
import { effectProperty } from "../../properties/effect.ts";
import { propertyRules } from "../../properties/property-rules.ts";
import { crossProperties, listProperties, valueProperties } from "../../properties/properties.ts";
import type { Property } from "../../properties/property.ts";
import type { SuiteHttpOperation } from "../../suite/suite.ts";
import { withPlace } from "../../suite/with-place.ts";
import { followsOf, totalIn } from "../../inference/page-members.ts";
import { expectResponses } from "./expect-input.ts";
import { ask, caseOf, findObservation, type HttpContext, type Observation, wellObserved } from "./http-context.ts";
import { judgeAnswer } from "./http-answer.ts";
import { anyFindings, detailOf, skipUnjudged, successFindings } from "./http-expect.ts";
import { isDeclaredImmutable, isImmutableObservation } from "./immutable.ts";
import { answerTypeOf, isByChance, subjectParameterOf, thingsOf } from "./operation-shape.ts";
import { followedLinks, followRequest, linkKindOf, pageLinksOf } from "./page-link.ts";
import { queryParametersOf } from "./parameter-roles.ts";
import { itemsOf } from "./relation-base.ts";

/** Requests that a case may send beyond those of its inputs, to look at a problem again. */
const repeats = 2;

/** The properties of lists, of an operation that returns one. */
export function planListProperties(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  return casesOf(context, operation, propertyOperation(context, operation, queryParametersOf(operation)), [
    ...listProperties,
    effectProperty,
  ]);
}

/** The properties of what is returned, whatever it is, of an operation that reads. */
export function planValueProperties(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  if (operation.method !== "GET") return [];
  return casesOf(context, operation, propertyOperation(context, operation, operation.parameters), valueProperties);
}

/** Two calls of an operation in turn. */
export function planTurns(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  if (operation.method !== "GET") return [];
  return casesOf(context, operation, propertyOperation(context, operation, []), [ownResultProperty]);
}

/** Operations that read, as relations between them see them. */
export function planRelationCases(context: HttpContext): readonly PlannedCase[] {
  const operations = [...context.operations.values()].filter(({ method }) => method === "GET");
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  const asSeen = operations.map((operation) => propertyOperation(context, operation, operation.parameters));
  return planRelations(asSeen, crossProperties, false).flatMap((one) => {
    const operation = byName.get(one.operation.name);
    return operation === undefined ? [] : [relationCase(context, operation, one, 2 * one.inputs.length + repeats)];
  });
}

function casesOf(
  context: HttpContext,
  operation: SuiteHttpOperation,
  asSeen: Operation,
  properties: readonly Property[],
): readonly PlannedCase[] {
  return planProperties(asSeen, properties, false).map((one) => {
    const unknown = one.inputs.filter((input) => findObservation(context, operation, input) === undefined);
    return {
      ...relationCase(context, operation, one, one.inputs.length + one.furtherCalls + repeats),
      usualRequests: unknown.length + one.furtherCalls,
    };
  });
}

function relationCase(
  context: HttpContext,
  operation: SuiteHttpOperation,
  { name, rule, expected, inputs, isLive, play }: PropertyCase,
  requests: number,
): PlannedCase {
  const [input] = inputs;
  return caseOf(context, operation, {
    ...{ group: "relation", name, rule, expected, requests, isLive, play },
    ...(input === undefined ? {} : { input }),
  });
}

/** Elements that are called for at most where the description has no greatest limit. */
const longest = 50;

/** What has to hold within every answer in all protocols. */
export function inspectAnswer(context: HttpContext, told: Observation): readonly Finding[] {
  const { operation, input, judged } = told;
  const page = listOf(judged.value) === undefined ? {} : { page: pageOf(told) };
  const found = inspectResponse(descriptionOf(context, operation), { input, result: { value: judged.value, ...page } });
  const [body, header] = [totalIn(judged.value)?.total, headerTotalOf(told)];
  if (body === undefined || header === undefined || body === header) return found;
  const message = "the total of the body is not that of the header";
  return [
    ...found,
    { rule: propertyRules.count, message, detail: `${body} and ${header}`, ...withPlace(operation.place) },
  ];
}

const descriptions = new WeakMap<SuiteHttpOperation, OperationDescription>();

function descriptionOf({ types, linkedMembers }: HttpContext, operation: SuiteHttpOperation): OperationDescription {
  const known = descriptions.get(operation);
  if (known !== undefined) return known;
  const subject = subjectParameterOf(operation);
  const owner = /\/([^/{}]+)\/\{[^{}]*\}\/[^/{}]+\/?$/.exec(operation.path)?.[1];
  const linked = [...linkedMembers].flatMap(([{ property }, member]) =>
    operation.parameters.some((one) => one.property === property) ? [[property, member]] : [],
  );
  const description: OperationDescription = {
    origin: operation.origin,
    ...(subject === undefined ? {} : { key: subject.property }),
    linked: Object.fromEntries(linked),
    things: thingsOf(operation) ?? "",
    isOfOne: subject !== undefined,
    ...(owner === undefined ? {} : { owner: singularOf(plainName(owner)) }),
    examples: operation.examples.flatMap(({ input, outcome }) =>
      outcome.kind === "success" ? [{ input, value: outcome.value }] : [],
    ),
    isByChance: isByChance(operation),
    shown: operation.examples.flatMap(({ outcome }) => (outcome.kind === "success" ? [outcome.value] : [])),
    parameters: operation.parameters.filter(({ location }) => location !== "header"),
    result: answerTypeOf(operation),
    types,
    ...withPlace(operation.place),
  };
  descriptions.set(operation, description);
  return description;
}

/** An HTTP operation as properties see it. */
export function propertyOperation(
  context: HttpContext,
  operation: SuiteHttpOperation,
  parameters: Operation["parameters"],
): Operation {
  const observed = wellObserved(context, operation.name);
  const isLed = observed.some((one) => followsIn(one) === true);
  const known = observed.map((one) => ({
    input: one.input,
    value: one.judged.value,
    page: linkedPageOf(context, one, isLed),
  }));
  return {
    ...descriptionOf(context, operation),
    name: operation.name,
    longest,
    isCounted: known.some(({ page }) => page.total !== undefined),
    parameters,
    known,
    steadiness: (input) => {
      const observation = findObservation(context, operation, input);
      if (observation === undefined) return undefined;
      if (isDeclaredImmutable(observation)) return "declared";
      return isImmutableObservation(observation) ? "guessed" : "usual";
    },
    call: async (play, inputs, options) => {
      const outcomes: Outcome[] = [];
      for (const input of inputs) outcomes.push(await callOnce(context, operation, play, input, options, isLed));
      return outcomes;
    },
    expect: (play, calls) => expectResponses(context, operation, play, calls),
  };
}

async function callOnce(
  context: HttpContext,
  operation: SuiteHttpOperation,
  play: CasePlay,
  input: Input,
  { allowsEarlier, mayBeAbsent = false, mayBeRefused = false }: CallOptions,
  isLed: boolean,
): Promise<Outcome> {
  if (linkKindOf(input) !== undefined) return await followOnce(context, operation, play, input, isLed);
  const earlier = allowsEarlier ? findObservation(context, operation, input) : undefined;
  const isKnown = earlier?.judged.kind === "success";
  const observation = isKnown ? earlier : await ask(context, play, operation, input);
  const { status } = observation.judged.answer;
  if (mayBeAbsent && [400, 404, 410].includes(status)) return { findings: [], isAbsent: status !== 400 };
  const findings = isKnown
    ? []
    : mayBeRefused
      ? anyFindings(context, play, observation)
      : successFindings(context, play, observation, propertyRules.validInput);
  if (observation.judged.kind !== "success") return { findings };
  return { findings, results: [{ value: observation.judged.value, page: linkedPageOf(context, observation, isLed) }] };
}

async function followOnce(
  context: HttpContext,
  operation: SuiteHttpOperation,
  play: CasePlay,
  input: Input,
  isLed: boolean,
): Promise<Outcome> {
  const request = followRequest(operation, input);
  if (request === undefined) return { findings: [] };
  const judged = judgeAnswer(operation, await play.send(request), context.types);
  const observation: Observation = { operation, input, request, judged };
  const { findings, value, kind, answer } = judged;
  if (kind === "success") return { findings, results: [{ value, page: linkedPageOf(context, observation, isLed) }] };
  skipUnjudged(context, play, observation);
  const message = `A link to another page is answered with status ${answer.status}`;
  const rule = linkKindOf(input) === "header" ? propertyRules.linkedPages : propertyRules.pagination;
  const place = withPlace(operation.place);
  return { findings: [{ rule, message, ...detailOf(observation), ...place }] };
}

function linkedPageOf({ session }: HttpContext, observation: Observation, isLed: boolean): Page {
  const links = followedLinks(session.options.baseUrl, observation);
  return { ...pageOf(observation, isLed), ...(links === undefined ? {} : { links }) };
}

/** Whether more elements follow, as the body or a link says. */
function followsIn(observation: Observation): boolean | undefined {
  const isLinked = pageLinksOf(observation).header.has("next") ? true : undefined;
  return followsOf(observation.judged.value) ?? isLinked;
}

/** `isLed`: other pages lead to those that follow them, so that one that does not is the last. */
function pageOf(observation: Observation, isLed = false): Page {
  const more = followsIn(observation) ?? (isLed ? false : undefined);
  const total = totalIn(observation.judged.value)?.total ?? headerTotalOf(observation);
  return {
    items: itemsOf(observation),
    ...(total === undefined ? {} : { total }),
    ...(more === undefined ? {} : { more }),
  };
}

/** How many elements all pages have, as a header tells it. */
function headerTotalOf({ judged: { answer } }: Observation): number | undefined {
  const texts = ["x-total-count", "x-total", "total-count"].map((name) => answer.headers.get(name));
  const text = texts.find((one) => /^\d+$/.test(one ?? ""));
  return text === undefined ? undefined : Number(text);
}
