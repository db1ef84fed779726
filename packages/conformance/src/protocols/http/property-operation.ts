import { type Finding, finding } from "../../contract/finding.ts";
import type { CasePlay } from "../../contract/planned-case.ts";
import { inspectResponse } from "../../properties/properties.ts";
import type { Input, Operation, OperationDescription, PageLinks } from "../../properties/operation.ts";
import { singularOf } from "../../basics/singular.ts";
import { plainName } from "../../compare/volatile-names.ts";
import { propertyRules } from "../../properties/property-rules.ts";
import { describeOperation, resultOf, type Returned, singleCalls } from "../../properties/single-calls.ts";
import type { SuiteHttpOperation } from "../../suite/suite.ts";
import { totalIn } from "../../inference/page-members.ts";
import { expectResponses, kindOf } from "./expect-input.ts";
import { findObservation, type HttpContext, type Observation, wellObserved } from "./http-context.ts";
import { detailOf, classifyResponse } from "./classify-response.ts";
import { call, skipInconclusive, successFindings } from "./http-expect.ts";
import { isByChance, steadinessOf, subjectParameterOf, typeNamesOf } from "./operation-shape.ts";
import { followedLinks, followRequest, linkKindOf, pageLinksOf } from "./page-link.ts";

/** Maximum number of requested elements when the description has no maximum limit. */
const longest = 50;

/** Returns the findings that all protocols have within a response. */
export function inspectReceived(context: HttpContext, observation: Observation): readonly Finding[] {
  const { operation, input, checked } = observation;
  const description = descriptionOf(context, operation);
  const found = inspectResponse(description, { input, result: resultOf(returnedBy(observation), description) });
  const [body, header] = [totalIn(checked.value, description)?.total, headerTotalOf(observation)];
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
      typeNames: typeNamesOf(operation) ?? "",
      isOfOne: subject !== undefined,
      ...(owner === undefined ? {} : { owner: singularOf(plainName(owner)) }),
      isByChance: isByChance(operation),
      parameters: operation.parameters.filter(({ location }) => location !== "header"),
    };
  });
}

/** Returns an HTTP operation as an operation of properties. */
export function propertyOperation(context: HttpContext, operation: SuiteHttpOperation): Operation {
  const returned = (observation: Observation): Returned =>
    returnedBy(observation, followedLinks(context.session.options.baseUrl, observation));
  return singleCalls(descriptionOf(context, operation), {
    name: operation.name,
    longest,
    known: wellObserved(context, operation.name).map((one) => ({ input: one.input, ...returned(one) })),
    steadiness: (input) => {
      const observation = findObservation(context, operation, input);
      return observation && (steadinessOf(observation) ?? "usual");
    },
    expect: (play, calls) => expectResponses(context, operation, play, calls),
    callOnce: async (play, input, { allowsEarlier, mayBeAbsent = false, mayBeRefused = false }) => {
      const isLink = linkKindOf(input) !== undefined;
      const earlier = allowsEarlier && !isLink ? findObservation(context, operation, input) : undefined;
      const isKnown = earlier?.checked.kind === "success";
      const observation = isKnown
        ? earlier
        : isLink
          ? await follow(context, operation, play, input)
          : await call(context, play, operation, input);
      const { kind, response } = observation.checked;
      if (mayBeAbsent && !isLink && [400, 404, 410].includes(response.status))
        return { findings: [], isAbsent: response.status !== 400 };
      const findings = isKnown ? [] : findingsOf(observation, mayBeRefused);
      return kind === "success"
        ? { findings, returned: returned(observation) }
        : { findings, isRefused: kindOf(context, observation) === "refused" };
    },
  });
}

function findingsOf(observation: Observation, mayBeRefused: boolean): readonly Finding[] {
  const link = linkKindOf(observation.input);
  const { checked, operation } = observation;
  if (link === undefined)
    return mayBeRefused ? checked.findings : successFindings(observation, propertyRules.validInputHeuristic);
  if (checked.kind === "success") return checked.findings;
  const message = `A link to another page has the status ${checked.response.status}`;
  const rule = link === "header" ? propertyRules.linkedPages : propertyRules.pagination;
  return [finding(rule, message, detailOf(observation.checked.response), operation)];
}

async function follow(
  context: HttpContext,
  operation: SuiteHttpOperation,
  play: CasePlay,
  input: Input,
): Promise<Observation> {
  const request = followRequest(operation, input) ?? play.skip("The link can't be followed");
  const checked = classifyResponse(operation, await play.send(request), context.types);
  skipInconclusive(context, play, { operation, input, request, checked });
  return { operation, input, request, checked };
}

/** Returns the value of a response, with what its headers indicate about its page. */
function returnedBy(observation: Observation, links?: PageLinks): Returned {
  const total = headerTotalOf(observation);
  return {
    value: observation.checked.value,
    reported: {
      ...(total === undefined ? {} : { total }),
      ...(pageLinksOf(observation).header.has("next") ? { more: true } : {}),
      ...(links === undefined ? {} : { links }),
    },
  };
}

/** Returns the number of elements of all pages, as a header reports it. */
function headerTotalOf({ checked: { response } }: Observation): number | undefined {
  const texts = ["x-total-count", "x-total", "total-count"].map((name) => response.headers.get(name));
  const text = texts.find((one) => /^\d+$/.test(one ?? ""));
  return text === undefined ? undefined : Number(text);
}
