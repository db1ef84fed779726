import { withPlace } from "../suite/with-place.ts";
import type { Finding } from "../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../contract/planned-case.ts";
import type { Rule } from "../contract/rule.ts";
import { isRecord } from "../types/is-record.ts";
import { armsOf, membersOf } from "../compare/member-facts.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { SuiteHttpOperation, SuiteParameter } from "../suite/suite.ts";
import type { Place, SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { kebabCase, UniqueNames } from "../types/kebab-case.ts";
import { isValueOf } from "../types/violations.ts";
import type { WrongValue } from "../types/value-contract.ts";
import { wrongValuesOf } from "../types/wrong-values.ts";
import type { PlainRequest } from "../contract/exchange.ts";
import { bareInputOf } from "./example-cases.ts";
import { failureTextFindings } from "./failure-text.ts";
import { documentsStatus, isSuccessStatus, judgeAnswer } from "./http-answer.ts";
import { ask, caseOf, type HttpContext, type Observation, wellObserved } from "./http-context.ts";
import { anyFindings, detailOf, skipUnjudged } from "./http-expect.ts";
import { readingsOf } from "./http-header.ts";
import { contentOf, type Input, requestOf } from "./http-request.ts";
import { httpRules } from "./http-rules.ts";
import { listOf, textOf } from "../compare/list-of.ts";
import { hasManyParameters, pathParametersOf, subjectNameOf, subjectParameterOf } from "./operation-shape.ts";
import { baseInputOf } from "./relation-base.ts";
import { unknownIdentifier } from "./unknown-identifier.ts";
import { inTurns } from "./value-cases.ts";

/** Wrong values of one parameter, and of a body, that are tried. */
const mostOfParameter = 5;
const mostOfBody = 8;
/** Of operations with so many parameters that calls would run out, fewer values of each. */
const mostOfMany = 3;

/** Statuses that say that an input is wrong. */
const refusals = [400, 422] as const;

/** Statuses that say nothing of the input. */
const besideTheInput: ReadonlySet<number> = new Set([408, 413, 414, 429, 431]);

/** Whether a status tells of the caller or the traffic, not of what was asked for. */
function isBesideTheInput(context: HttpContext, operation: SuiteHttpOperation, status: number): boolean {
  if (besideTheInput.has(status)) return true;
  if (status !== 401 && status !== 403) return false;
  if (documentsStatus(operation, status)) return true;
  // Who was let in once is let in.
  return Object.keys(context.suite.security).length > 0 && wellObserved(context, operation.name).length === 0;
}

/** What servers get wrong first: unknown identifiers, missing inputs, and one wrong value of each parameter. */
export function planFirstNegatives(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const base = baseInputOf(context, operation) ?? bareInputOf(operation);
  return [
    ...(base === undefined ? [] : planUnknown(context, operation, base)),
    ...(base === undefined ? [] : planUnknownInQuery(context, operation, base)),
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
          const isTold = observation.judged.answer.status === 400;
          return [
            ...refusalFindings(context, play, observation, { rule, what, isInPath, place }),
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
  const rule = isDocumented && isSubject ? httpRules.unknownId : httpRules.unknownIdLikely;
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
        return refusalFindings(context, play, observation, { rule, what, isInPath: true, place: parameter.place });
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

/** Texts that spell no number and no boolean: as a body they would be of another kind, on the wire they are just other texts. */
function plainlyWrong({ type }: SuiteParameter, types: SuiteTypes): readonly WrongValue[] {
  const kinds = armsOf(type, types).map(({ kind }) => kind);
  const isPlain = kinds.some((kind) => kind === "number" || kind === "boolean") && !kinds.includes("string");
  return isPlain ? [{ name: "text", value: "abc", keyword: "type" }] : [];
}

/** Whether no way of reading a text finds a value of the parameter in it. */
function isWrongOnWire(parameter: SuiteParameter, value: unknown, types: SuiteTypes): boolean {
  const { type, location } = parameter;
  if (isSpreadRecord(parameter, types)) return isWrongRecord(type, value, types);
  if (Array.isArray(value)) {
    // Of several values of one name a server may take any.
    if (!armsOf(type, types).some(({ kind }) => kind === "list")) return false;
    const isPlain = value.length > 0 && value.every((item) => isScalar(item) && isPlainText(textOf(item)));
    const readings = value.map((item) => readingsOf(textOf(item)).at(-1));
    const texts = value.map((item) => textOf(item));
    return isPlain && [value, readings, texts].every((one) => !isValueOf(type, one, types, "request"));
  }
  if (!isScalar(value)) return false;
  const text = textOf(value);
  if (text.trim() === "" || (location !== "query" && !isPlainText(text))) return false;
  const list = text.split(",");
  const readings = [...lenientReadings(text), list, list.map((item) => readingsOf(item).at(-1)), [text]];
  return readings.every((one) => !isValueOf(type, one, types, "request"));
}

/** Whether a parameter is written as several of other names, one for each member of its record: `filter[open]=true`, `R=100&G=200`. */
function isSpreadRecord({ type, location, style, explode }: SuiteParameter, types: SuiteTypes): boolean {
  const isRecordType = armsOf(type, types).some(({ kind }) => kind === "record");
  return isRecordType && location === "query" && (style === "deepObject" || (explode ?? true));
}

/**
 * What is no record is not written as one, and a server that looks for the names of members does not see it; nor does every server see
 * a name that it does not know.
 */
function isWrongRecord(type: SuiteType, value: unknown, types: SuiteTypes): boolean {
  if (!isRecord(value) || Object.keys(value).length === 0) return false;
  const members = membersOf(type, types);
  const entries = Object.entries(value);
  const isPlain = entries.every(([name, member]) => members.some((one) => one.name === name) && isScalar(member));
  if (!isPlain || entries.some(([, member]) => textOf(member).trim() === "")) return false;
  return entries.some(([name, member]) => {
    const own = members.find((one) => one.name === name)?.type;
    return own !== undefined && lenientReadings(textOf(member)).every((one) => !isValueOf(own, one, types, "request"));
  });
}

function isScalar(value: unknown): boolean {
  return ["string", "number", "bigint", "boolean"].includes(typeof value);
}

/** Also what careful servers may take: white space around, `+1`, `TRUE`, `1` for true. */
function lenientReadings(text: string): readonly unknown[] {
  const trimmed = text.trim();
  const number = Number(trimmed);
  const words: Readonly<Record<string, boolean>> = { true: true, false: false, "1": true, "0": false };
  const word = words[trimmed.toLowerCase()];
  return [
    ...readingsOf(text),
    trimmed,
    ...(Number.isNaN(number) ? [] : [number]),
    ...(word === undefined ? [] : [word]),
  ];
}

/** Text that no proxy and no router takes for something else. */
function isPlainText(text: string): boolean {
  return (
    /^[A-Za-z0-9_~!$&'()*+,;=:@ .-]+$/.test(text) && !/^\.+$/.test(text) && text.length < 2000 && text === text.trim()
  );
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
    return refusedCase(context, operation, { name: `${kebabCase(property)}-missing`, rule, input, what, place });
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
  /** Of a refusal with another status than the documented one; absent: `rule`. */
  readonly refusedOtherwise?: Rule;
}

/** The case of an input that has to be refused; none where no request can be made of it. */
function refusedCase(
  context: HttpContext,
  operation: SuiteHttpOperation,
  { name, rule, input, what, place, refusedOtherwise = rule }: RefusedInput,
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
        const told = { rule: isSuccess ? rule : refusedOtherwise, what, isInPath: false, place };
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

interface Refusal {
  readonly rule: Rule;
  /** What was sent, without values: the beginning of a sentence. */
  readonly what: string;
  readonly isInPath: boolean;
  readonly place: string | undefined;
}

/** The answer to what the description excludes: the documented refusal, or else any failure of the caller's. */
function refusalFindings(
  context: HttpContext,
  play: CasePlay,
  observation: Observation,
  { rule, what, isInPath, place }: Refusal,
): readonly Finding[] {
  skipUnjudged(context, play, observation);
  const { operation, judged } = observation;
  const { status } = judged.answer;
  const where = withPlace(place ?? operation.place);
  if (isSuccessStatus(status)) return [{ rule, message: `${what} is accepted`, ...detailOf(observation), ...where }];
  if (status >= 500 || status < 400) return anyFindings(context, play, observation);
  const isNotThere = isInPath && (status === 404 || status === 410);
  const isFitting = documentedRefusals(operation).includes(status) || documentsClass(operation);
  if (!documentsRefusal(operation) || isFitting || isNotThere || isBesideTheInput(context, operation, status))
    return judged.findings;
  const message = `${what} is answered with status ${status} instead of ${documentedRefusals(operation).join(" or ")}`;
  return [{ rule, message, ...detailOf(observation), ...where }];
}

function documentedRefusals(operation: SuiteHttpOperation): readonly number[] {
  return refusals.filter((status) => operation.failures.some((failure) => failure.status === status));
}

function documentsClass(operation: SuiteHttpOperation): boolean {
  return operation.failures.some(({ status }) => status === "4XX");
}

/** Whether the description has a failure for wrong inputs. */
function documentsRefusal(operation: SuiteHttpOperation): boolean {
  return documentedRefusals(operation).length > 0 || documentsClass(operation);
}

function refusalText(operation: SuiteHttpOperation): string {
  const documented = documentedRefusals(operation);
  return documented.length > 0
    ? `the documented failure ${documented.join(" or ")}`
    : "a failure of the caller's (4xx)";
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

/** Identifiers that are well formed and that nothing has. */
function planUnknown(context: HttpContext, operation: SuiteHttpOperation, base: Input): readonly PlannedCase[] {
  const parameters = pathParametersOf(operation);
  return parameters.flatMap((parameter) => {
    const random = context.session.random.fork(`${operation.name}/negative/unknown-${parameter.property}`);
    const known = (context.observations.get(operation.name) ?? []).map(({ input }) => input[parameter.property]);
    const unknown = unknownIdentifier(parameter, base[parameter.property], known, context.types, random);
    if (unknown === undefined) return [];
    const isDocumented = documentsStatus(operation, 404) || documentsStatus(operation, 410);
    const rule =
      isDocumented && parameters.length === 1 && unknown.isCertain ? httpRules.unknownId : httpRules.unknownIdLikely;
    const input = { ...base, [parameter.property]: unknown.value };
    return [
      caseOf(context, operation, {
        group: "negative",
        name: `${kebabCase(parameter.property)}-unknown`,
        rule,
        expected: isDocumented ? "status 404 as documented" : "a failure, or nothing",
        input,
        play: async (play) => {
          const observation = await ask(context, play, operation, input);
          return unknownFindings(context, play, observation, {
            parameter,
            rule,
            isDocumented,
            isCertain: unknown.isCertain,
          });
        },
      }),
    ];
  });
}

/** Parameters of a query that are tried for what nothing has. */
const mostAsked = 3;

/**
 * A documented 404 of an operation without identifiers in its path is what a query for something that is not there gets: of at least one
 * of the parameters that have to be given.
 */
function planUnknownInQuery(context: HttpContext, operation: SuiteHttpOperation, base: Input): readonly PlannedCase[] {
  const isAsked = operation.failures.some(({ status }) => status === 404) && operation.method === "GET";
  if (!isAsked || pathParametersOf(operation).length > 0) return [];
  const asked = operation.parameters
    .filter(({ location, required }) => location === "query" && required)
    .flatMap((parameter) => {
      const isTime = armsOf(parameter.type, context.types).some(
        (arm) => (arm.kind === "string" && /^(?:date|time)/.test(arm.format ?? "")) || arm.kind === "number",
      );
      const random = context.session.random.fork(`${operation.name}/negative/unknown-${parameter.property}`);
      const known = (context.observations.get(operation.name) ?? []).map(({ input }) => input[parameter.property]);
      const unknown = unknownIdentifier(parameter, base[parameter.property], known, context.types, random);
      if (isTime || unknown?.isCertain !== true || !isLookedUp(context, operation, parameter)) return [];
      return [{ ...base, [parameter.property]: unknown.value }];
    })
    .slice(0, mostAsked);
  if (asked.length === 0) return [];
  return [
    caseOf(context, operation, {
      group: "negative",
      name: "query-unknown",
      rule: httpRules.unknownId,
      expected: "status 404 as documented",
      requests: asked.length,
      play: async (play) => {
        const found: Finding[] = [];
        for (const input of asked) {
          const observation = await ask(context, play, operation, input);
          const { status } = observation.judged.answer;
          if (status >= 500) return anyFindings(context, play, observation);
          skipUnjudged(context, play, observation);
          if (status === 404) return observation.judged.findings;
          if (isBesideTheInput(context, operation, status)) return [];
          // Nothing found is an answer too, where a list is asked for.
          if (isSuccessStatus(status) && isNothing(observation.judged.value)) return observation.judged.findings;
          const message = `A query for what nothing has is answered with status ${status} instead of 404`;
          found.push({ rule: httpRules.unknownId, message, ...detailOf(observation), ...withPlace(operation.place) });
        }
        return found.slice(0, 1);
      },
    }),
  ];
}

/** Whether what a parameter takes is what another operation looks up under a path: `station` of `/stations/{station_id}`. */
function isLookedUp(context: HttpContext, operation: SuiteHttpOperation, { name, type }: SuiteParameter): boolean {
  const plain = plainName(name).replace(/(?:id|uuid|slug|code|key|no|number)$/, "");
  return [...context.operations.values()].some((other) => {
    const subject = subjectParameterOf(other);
    if (other === operation || subject === undefined || !documentsStatus(other, 404)) return false;
    return subjectNameOf(other) === plain || (type.kind === "reference" && isSameReference(type, subject.type));
  });
}

function isSameReference(left: SuiteType, right: SuiteType): boolean {
  return left.kind === "reference" && right.kind === "reference" && left.target === right.target;
}

interface Unknown {
  readonly parameter: SuiteParameter;
  readonly rule: Rule;
  readonly isDocumented: boolean;
  readonly isCertain: boolean;
}

function unknownFindings(
  context: HttpContext,
  play: CasePlay,
  observation: Observation,
  { parameter, rule, isDocumented, isCertain }: Unknown,
): readonly Finding[] {
  skipUnjudged(context, play, observation);
  const { operation, judged } = observation;
  const { status } = judged.answer;
  const where = withPlace(operation.failures.find((one) => one.status === 404)?.place ?? operation.place);
  if (isSuccessStatus(status)) {
    const invented = judged.findings.filter((finding) => finding.rule === httpRules.identity);
    const hasElements = (listOf(judged.value)?.items.length ?? 0) > 0;
    if (invented.length > 0 || (isDocumented && hasElements && subjectParameterOf(operation) === undefined)) {
      const message = `A ${parameter.name} that nothing has is answered with another object`;
      return [{ rule: httpRules.inventedObject, message, ...detailOf(observation), ...where }];
    }
    if (!isDocumented && isNothing(judged.value)) return judged.findings;
    const message = `A ${parameter.name} that nothing has is answered with status ${status}${isDocumented ? " instead of 404" : ""}`;
    return [{ rule, message, ...detailOf(observation), ...where }, ...judged.findings];
  }
  if (status >= 500 || status < 400 || !isDocumented) return anyFindings(context, play, observation);
  const isNamed = documentsStatus(operation, status);
  if ((status === 404 || status === 410) && isNamed) return judged.findings;
  if (isBesideTheInput(context, operation, status)) return judged.findings;
  // A checksum, or another rule that no schema tells, may make it a wrong value.
  if (!isCertain && documentedRefusals(operation).includes(status)) return judged.findings;
  const message = `A ${parameter.name} that nothing has is answered with status ${status} instead of 404`;
  // Whatever is thought of the value, a failure that the description does not have is not the documented one.
  const isOther = !isNamed && !refusals.some((refusal) => refusal === status) && status !== 404;
  return [{ rule: isOther ? httpRules.unknownId : rule, message, ...detailOf(observation), ...where }];
}

function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === "" || value === 0) return true;
  const list = listOf(value);
  return list !== undefined ? list.items.length === 0 : isRecord(value) && Object.keys(value).length === 0;
}
