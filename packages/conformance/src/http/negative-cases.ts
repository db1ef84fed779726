import { inTurns } from "../basics/in-turns.ts";
import { withPlace } from "../suite/with-place.ts";
import type { PlannedCase } from "../contract/planned-case.ts";
import type { Rule } from "../contract/rule.ts";
import { armsOf } from "../compare/member-facts.ts";
import type { SuiteHttpOperation, SuiteParameter } from "../suite/suite.ts";
import type { Place, SuiteTypes } from "../suite/suite-type.ts";
import { acceptedText } from "../compare/accepted-value.ts";
import { kebabCase, UniqueNames } from "../types/kebab-case.ts";
import { isValueOf } from "../types/violations.ts";
import type { WrongValue } from "../types/value-contract.ts";
import { wrongValuesOf } from "../types/wrong-values.ts";
import type { PlainRequest } from "../contract/exchange.ts";
import { bareInputOf } from "./example-cases.ts";
import { propertyRules } from "../properties/property-rules.ts";
import { failureTextFindings } from "./failure-text.ts";
import { documentsStatus, isSuccessStatus, judgeAnswer } from "./http-answer.ts";
import { ask, caseOf, type HttpContext } from "./http-context.ts";
import { anyFindings, detailOf } from "./http-expect.ts";
import { contentOf, type Input, requestOf } from "./http-request.ts";
import { httpRules } from "./http-rules.ts";
import { textOf } from "../compare/list-of.ts";
import { hasManyParameters } from "../inference/many-parameters.ts";
import { pathParametersOf, subjectParameterOf } from "./operation-shape.ts";
import { baseInputOf } from "./relation-base.ts";
import { refusalFindings, documentedRefusals, documentsRefusal, refusalText } from "./refusal.ts";
import { planUnknown } from "./not-found-cases.ts";
import { plainlyWrong, isWrongOnWire, lenientReadings } from "./wire-readings.ts";

/** Wrong values of one parameter, and of a body, that are tried. */
const mostOfParameter = 5;
const mostOfBody = 8;
/** Of operations with so many parameters that calls would run out, fewer values of each. */
const mostOfMany = 3;

/** What servers get wrong first: unknown identifiers, missing inputs, and one wrong value of each parameter. */
export function planFirstNegatives(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const base = baseInputOf(context, operation) ?? bareInputOf(operation);
  return [
    ...(base === undefined ? [] : planUnknown(context, operation, base)),
    ...operation.parameters.flatMap((parameter) => planOtherForm(context, operation, base, parameter)),
    ...planMissing(context, operation, base ?? {}),
    ...operation.parameters.flatMap((parameter) => planWrong(context, operation, base ?? {}, parameter).slice(0, 1)),
  ];
}

/** Values that break each constraint, and bodies that can't be read. */
export function planNegatives(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const base = baseInputOf(context, operation) ?? bareInputOf(operation);
  const wrong = operation.parameters.map((parameter) => [
    ...planWrong(context, operation, base ?? {}, parameter).slice(1),
    ...planFormless(context, operation, base ?? {}, parameter),
  ]);
  return [
    ...inTurns([...wrong, base === undefined ? [] : planWrongBodies(context, operation, base)]),
    ...(base === undefined ? [] : planBrokenBodies(context, operation, base)),
    ...planNeverRefused(context, operation),
  ];
}

function planWrong(
  context: HttpContext,
  operation: SuiteHttpOperation,
  base: Input,
  parameter: SuiteParameter,
): readonly PlannedCase[] {
  const { types } = context;
  const names = new UniqueNames();
  const wrong = [...plainlyWrong(parameter, types), ...wrongValuesOf(parameter.type, types, base[parameter.property])];
  const sent = new Set<string>();
  const told = wrong.filter(({ value }) => {
    const request = requestOf(operation, { ...base, [parameter.property]: value });
    if (request === undefined || !isWrongOnWire(parameter, value, types)) return false;
    const key = `${request.path}?${request.query}${JSON.stringify(request.headers)}`;
    if (sent.has(key)) return false;
    sent.add(key);
    return true;
  });
  return firstOfEach(told)
    .slice(0, hasManyParameters(operation) ? mostOfMany : mostOfParameter)
    .map((one) => {
      const name = names.take(`${kebabCase(parameter.property)}-${one.name}`);
      const input = { ...base, [parameter.property]: one.value };
      const isCertain = documentsRefusal(operation) && !isPreference(parameter);
      const rule = isCertain ? httpRules.wrongValue : httpRules.wrongValueLikely;
      return caseOf(context, operation, {
        group: "negative",
        name,
        rule,
        expected: refusalText(operation),
        input,
        play: async (play) => {
          const observation = await ask(context, play, operation, input);
          const isInPath = parameter.location === "path";
          const what = `A ${parameter.name} that breaks its ${one.keyword}`;
          const place = one.place ?? parameter.place;
          const accepted = `${parameter.name}: ${acceptedText(parameter.type, one.value, types)}`;
          const isTold = observation.judged.answer.status === 400;
          return [
            ...refusalFindings(context, play, observation, { rule, what, isInPath, place, accepted }),
            ...(isTold ? failureTextFindings(observation, parameter.invalidMessage, parameter.place) : []),
          ];
        },
      });
    });
}

/**
 * A text that is no UUID where the path takes one. A format need not be looked at, so that "not found" will do; but nothing has such a name.
 */
function planOtherForm(
  context: HttpContext,
  operation: SuiteHttpOperation,
  base: Input | undefined,
  parameter: SuiteParameter,
): readonly PlannedCase[] {
  const arms = armsOf(parameter.type, context.types);
  const isUuid = arms.every((arm) => arm.kind === "string" && arm.format === "uuid" && arm.pattern === undefined);
  if (base === undefined || parameter.location !== "path" || !isUuid) return [];
  const input = { ...base, [parameter.property]: "no-uuid" };
  const isDocumented = documentsStatus(operation, 404) || documentsRefusal(operation);
  const isSubject = subjectParameterOf(operation) === parameter && pathParametersOf(operation).length === 1;
  const rule = isDocumented && isSubject ? propertyRules.notFound : propertyRules.notFoundGuessed;
  return [
    caseOf(context, operation, {
      group: "negative",
      name: `${kebabCase(parameter.property)}-no-uuid`,
      rule,
      expected: isDocumented ? "a documented failure" : "a failure",
      input,
      play: async (play) => {
        const observation = await ask(context, play, operation, input);
        const what = `A ${parameter.name} that is no UUID`;
        const accepted = '"no-uuid" was accepted; the schema allows only a UUID';
        return refusalFindings(context, play, observation, {
          rule,
          what,
          isInPath: true,
          place: parameter.place,
          accepted,
        });
      },
    }),
  ];
}

/** Texts that are of no such format; a format need not be looked at, but who refuses one does so as documented. */
const formless: ReadonlySet<string> = new Set(["date", "date-time", "uuid", "email", "ipv4", "ipv6", "uri"]);

/** A text that is of another form than its format says, in the query. */
function planFormless(
  context: HttpContext,
  operation: SuiteHttpOperation,
  base: Input,
  parameter: SuiteParameter,
): readonly PlannedCase[] {
  const arms = armsOf(parameter.type, context.types).filter(({ kind }) => kind !== "null");
  const isFormed = arms.every(
    (arm) => arm.kind === "string" && formless.has(arm.format ?? "") && arm.pattern === undefined,
  );
  if (arms.length === 0 || !isFormed || parameter.location !== "query") return [];
  return refusedCase(context, operation, {
    name: `${kebabCase(parameter.property)}-formless`,
    rule: httpRules.wrongValueLikely,
    input: { ...base, [parameter.property]: "no such form" },
    what: `A ${parameter.name} that is not of its format`,
    accepted: `"no such form" was accepted; the format of the schema is ${arms.map((arm) => (arm.kind === "string" ? arm.format : arm.kind)).join(" or ")}`,
    place: parameter.place,
    refusedOtherwise: httpRules.wrongValue,
  });
}

/** Headers of HTTP itself that a server may disregard when it does not understand them (RFC 9110, sections 12.5, 13.1 and 14.2; RFC 7240). */
const preferenceName =
  /^(?:accept|accept-.+|if-.+|range|prefer|cache-control|pragma|user-agent|referer|origin|dnt|traceparent|tracestate)$/i;

function isPreference({ location, name }: SuiteParameter): boolean {
  return location === "header" && preferenceName.test(name);
}

/** One value for each constraint, then the next of each. */
function firstOfEach(values: readonly WrongValue[]): readonly WrongValue[] {
  const byKeyword = Map.groupBy(values, ({ keyword }) => keyword);
  return inTurns([...byKeyword.values()]);
}

function planMissing(context: HttpContext, operation: SuiteHttpOperation, base: Input): readonly PlannedCase[] {
  const names: readonly (readonly [string, string, string | undefined])[] = [
    ...operation.parameters
      .filter(({ required, location }) => required && location !== "path" && location !== "cookie")
      .map(({ property, name, place }) => [property, name, place] as const),
    ...(operation.body?.required === true ? ([["body", "body", operation.body.place]] as const) : []),
  ];
  const rule = documentsRefusal(operation) ? httpRules.missingInput : httpRules.wrongValueLikely;
  return names.flatMap(([property, name, place]) => {
    const input = Object.fromEntries(Object.entries(base).filter(([key]) => key !== property));
    const what = `A request without the required ${name}`;
    const accepted = `no ${name} was sent; the document requires it`;
    return refusedCase(context, operation, {
      name: `${kebabCase(property)}-missing`,
      rule,
      input,
      what,
      place,
      accepted,
    });
  });
}

function planWrongBodies(context: HttpContext, operation: SuiteHttpOperation, base: Input): readonly PlannedCase[] {
  const content = operation.body?.contents.find((one) => one === contentOf(operation, base));
  if (content === undefined || content.form !== "json") return [];
  const rule = documentsRefusal(operation) ? httpRules.wrongValue : httpRules.wrongValueLikely;
  const wrong = wrongValuesOf(content.type, context.types, base["body"]).filter(({ value }) => value !== undefined);
  return firstOfEach(wrong)
    .slice(0, mostOfBody)
    .flatMap(({ name, value, keyword, place }) => {
      const what = `A body that breaks its ${keyword}`;
      return refusedCase(context, operation, {
        name: `body-${name}`,
        rule,
        input: { ...base, body: value },
        what,
        place,
        accepted: acceptedText(content.type, value, context.types),
      });
    });
}

/** An input outside the path that has to be refused. */
interface RefusedInput {
  readonly name: string;
  readonly rule: Rule;
  readonly input: Input;
  /** What is wrong, as messages begin. */
  readonly what: string;
  readonly place: Place | undefined;
  /** The value with what the document requires. */
  readonly accepted: string;
  /** Of a refusal with another status than the documented one; absent: `rule`. */
  readonly refusedOtherwise?: Rule;
}

/** The case of an input that has to be refused; none where no request can be made of it. */
function refusedCase(
  context: HttpContext,
  operation: SuiteHttpOperation,
  { name, rule, input, what, place, accepted, refusedOtherwise = rule }: RefusedInput,
): readonly PlannedCase[] {
  if (requestOf(operation, input) === undefined) return [];
  return [
    caseOf(context, operation, {
      group: "negative",
      name,
      rule,
      expected: refusalText(operation),
      input,
      play: async (play) => {
        const observation = await ask(context, play, operation, input);
        const isSuccess = isSuccessStatus(observation.judged.answer.status);
        const told = { rule: isSuccess ? rule : refusedOtherwise, what, isInPath: false, place, accepted };
        return refusalFindings(context, play, observation, told);
      },
    }),
  ];
}

function planBrokenBodies(context: HttpContext, operation: SuiteHttpOperation, base: Input): readonly PlannedCase[] {
  const request = requestOf(operation, base);
  const content = contentOf(operation, base);
  if (request?.body === undefined || content?.form !== "json") return [];
  const { headers } = request;
  const variants: readonly (readonly [string, Rule, string, PlainRequest])[] = [
    ["body-no-json", httpRules.brokenBody, "A body that is no JSON", { ...request, body: '{"' }],
    [
      "body-other-media-type",
      httpRules.unknownMediaType,
      "A body of another media type",
      { ...request, headers: { ...headers, "content-type": "application/x-nodewright" } },
    ],
  ];
  return variants.map(([name, rule, what, sent]) =>
    caseOf(context, operation, {
      group: "negative",
      name,
      rule,
      expected: "a failure of the caller's: 400, 415 or 422",
      play: async (play) => {
        const judged = judgeAnswer(operation, await play.send(sent), context.types);
        const observation = { operation, input: base, request: sent, judged };
        if (!isSuccessStatus(judged.answer.status)) return anyFindings(context, play, observation);
        return [
          { rule, message: `${what} is accepted`, ...detailOf(observation), ...withPlace(operation.body?.place) },
        ];
      },
    }),
  );
}

/** A documented 400 of an operation that has nothing but its path is what wrong values in the path get. */
function planNeverRefused(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const isPathOnly =
    operation.parameters.length > 0 && operation.parameters.every(({ location }) => location === "path");
  if (!isPathOnly || operation.body !== undefined || documentedRefusals(operation).length === 0) return [];
  return [
    caseOf(context, operation, {
      group: "negative",
      name: "refused-as-documented",
      rule: httpRules.neverRefused,
      expected: `${refusalText(operation)} to at least one wrong value`,
      requests: 0,
      play: async (play) => {
        const wrong = (context.observations.get(operation.name) ?? []).filter(({ input }) =>
          operation.parameters.some(({ property, type }) => isWrongReading(input[property], type, context.types)),
        );
        if (wrong.length < 2) return play.skip("Too few wrong values were sent");
        if (!wrong.every(({ judged }) => judged.answer.status === 404)) return [];
        const message = `Every wrong value is answered with 404 instead of ${documentedRefusals(operation).join(" or ")}`;
        return [{ rule: httpRules.neverRefused, message, ...withPlace(operation.place) }];
      },
    }),
  ];
}

function isWrongReading(value: unknown, type: SuiteParameter["type"], types: SuiteTypes): boolean {
  if (value === undefined) return false;
  return lenientReadings(textOf(value)).every((one) => !isValueOf(type, one, types, "request"));
}
