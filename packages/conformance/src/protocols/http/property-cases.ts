import { type Finding, finding } from "../../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../../contract/planned-case.ts";
import { inspectResponse } from "../../properties/inspect-response.ts";
import { planProperties, type PropertyCase } from "../../properties/plan-properties.ts";
import { planRelations } from "../../properties/plan-relations.ts";
import type { Input, Operation, OperationDescription, PageLinks } from "../../properties/operation.ts";
import { ownResultProperty } from "../../properties/own-result.ts";
import { singularOf } from "../../basics/singular.ts";
import { plainName } from "../../compare/volatile-names.ts";
import { effectProperty } from "../../properties/effect.ts";
import { propertyRules } from "../../properties/property-rules.ts";
import { crossProperties, listProperties, valueProperties } from "../../properties/properties.ts";
import { describeOperation, resultOf, type Returned, singleCalls } from "../../properties/single-calls.ts";
import type { Property } from "../../properties/property.ts";
import type { SuiteHttpOperation } from "../../suite/suite.ts";
import { totalIn } from "../../inference/page-members.ts";
import { expectResponses } from "./expect-input.ts";
import { ask, caseOf, findObservation, type HttpContext, type Observation, wellObserved } from "./http-context.ts";
import { judgeAnswer } from "./http-answer.ts";
import { anyFindings, detailOf, skipUnjudged, successFindings } from "./http-expect.ts";
import { isDeclaredImmutable, isImmutableObservation } from "./immutable.ts";
import { isByChance, subjectParameterOf, thingsOf } from "./operation-shape.ts";
import { followedLinks, followRequest, linkKindOf, pageLinksOf } from "./page-link.ts";
import { queryParametersOf } from "./parameter-roles.ts";

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
  return planProperties(asSeen, properties, false).map((one) =>
    relationCase(context, operation, one, one.inputs.length + one.furtherCalls + repeats),
  );
}

function relationCase(
  context: HttpContext,
  operation: SuiteHttpOperation,
  { name, rule, expected, inputs, furtherCalls, isLive, play }: PropertyCase,
  requests: number,
): PlannedCase {
  const [input] = inputs;
  const unknown = inputs.filter((one) => findObservation(context, operation, one) === undefined);
  return caseOf(context, operation, {
    ...{ group: "relation", name, rule, expected, isLive, play },
    requests,
    usualRequests: unknown.length + furtherCalls,
    ...(input === undefined ? {} : { input }),
  });
}

/** Elements that are called for at most where the description has no greatest limit. */
const longest = 50;

/** What has to hold within every answer in all protocols. */
export function inspectAnswer(context: HttpContext, observation: Observation): readonly Finding[] {
  const { operation, input, judged } = observation;
  const found = inspectResponse(descriptionOf(context, operation), {
    input,
    result: resultOf(returnedBy(observation)),
  });
  const [body, header] = [totalIn(judged.value)?.total, headerTotalOf(observation)];
  if (body === undefined || header === undefined || body === header) return found;
  const message = "the total of the body is not that of the header";
  return [...found, finding(propertyRules.count, message, `${body} and ${header}`, operation)];
}

function descriptionOf({ types, linkedMembers }: HttpContext, operation: SuiteHttpOperation): OperationDescription {
  return describeOperation(operation, types, () => {
    const subject = subjectParameterOf(operation);
    const owner = /\/([^/{}]+)\/\{[^{}]*\}\/[^/{}]+\/?$/.exec(operation.path)?.[1];
    const linked = [...linkedMembers].flatMap(([{ property }, member]) =>
      operation.parameters.some((one) => one.property === property) ? [[property, member]] : [],
    );
    return {
      origin: operation.origin,
      ...(subject === undefined ? {} : { key: subject.property }),
      linked: Object.fromEntries(linked),
      things: thingsOf(operation) ?? "",
      isOfOne: subject !== undefined,
      ...(owner === undefined ? {} : { owner: singularOf(plainName(owner)) }),
      isByChance: isByChance(operation),
      parameters: operation.parameters.filter(({ location }) => location !== "header"),
    };
  });
}

/** An HTTP operation as properties see it. */
export function propertyOperation(
  context: HttpContext,
  operation: SuiteHttpOperation,
  parameters: Operation["parameters"],
): Operation {
  const returned = (observation: Observation): Returned =>
    returnedBy(observation, followedLinks(context.session.options.baseUrl, observation));
  return singleCalls(
    { ...descriptionOf(context, operation), parameters },
    {
      name: operation.name,
      longest,
      known: wellObserved(context, operation.name).map((one) => ({ input: one.input, ...returned(one) })),
      steadiness: (input) => {
        const observation = findObservation(context, operation, input);
        if (observation === undefined) return undefined;
        if (isDeclaredImmutable(observation)) return "declared";
        return isImmutableObservation(observation) ? "guessed" : "usual";
      },
      expect: (play, calls) => expectResponses(context, operation, play, calls),
      callOnce: async (play, input, { allowsEarlier, mayBeAbsent = false, mayBeRefused = false }) => {
        const isLink = linkKindOf(input) !== undefined;
        const earlier = allowsEarlier && !isLink ? findObservation(context, operation, input) : undefined;
        const isKnown = earlier?.judged.kind === "success";
        const observation = isKnown
          ? earlier
          : isLink
            ? await follow(context, operation, play, input)
            : await ask(context, play, operation, input);
        const { kind, answer } = observation.judged;
        if (mayBeAbsent && !isLink && [400, 404, 410].includes(answer.status))
          return { findings: [], isAbsent: answer.status !== 400 };
        const findings = isKnown ? [] : findingsOf(context, play, observation, mayBeRefused);
        return kind === "success" ? { findings, returned: returned(observation) } : { findings };
      },
    },
  );
}

function findingsOf(
  context: HttpContext,
  play: CasePlay,
  observation: Observation,
  mayBeRefused: boolean,
): readonly Finding[] {
  const link = linkKindOf(observation.input);
  if (link === undefined)
    return mayBeRefused
      ? anyFindings(context, play, observation)
      : successFindings(context, play, observation, propertyRules.validInput);
  const { judged, operation } = observation;
  if (judged.kind === "success") return judged.findings;
  skipUnjudged(context, play, observation);
  const message = `A link to another page is answered with status ${judged.answer.status}`;
  const rule = link === "header" ? propertyRules.linkedPages : propertyRules.pagination;
  return [finding(rule, message, detailOf(observation).detail, operation)];
}

async function follow(
  { types }: HttpContext,
  operation: SuiteHttpOperation,
  play: CasePlay,
  input: Input,
): Promise<Observation> {
  const request = followRequest(operation, input) ?? play.skip("The link can't be followed");
  return { operation, input, request, judged: judgeAnswer(operation, await play.send(request), types) };
}

/** The value of a response, with what its headers tell of the page that it is. */
function returnedBy(observation: Observation, links?: PageLinks): Returned {
  const total = headerTotalOf(observation);
  return {
    value: observation.judged.value,
    told: {
      ...(total === undefined ? {} : { total }),
      ...(pageLinksOf(observation).header.has("next") ? { more: true } : {}),
      ...(links === undefined ? {} : { links }),
    },
  };
}

/** How many elements all pages have, as a header tells it. */
function headerTotalOf({ judged: { answer } }: Observation): number | undefined {
  const texts = ["x-total-count", "x-total", "total-count"].map((name) => answer.headers.get(name));
  const text = texts.find((one) => /^\d+$/.test(one ?? ""));
  return text === undefined ? undefined : Number(text);
}
