import { isRecord } from "@nodewright/api-model";
import { identifierOf, listOf } from "../../compare/list-of.ts";
import { armsOf } from "../../compare/member-facts.ts";
import { plainName } from "../../compare/volatile-names.ts";
import { isWrongOnWire } from "../../compare/wire-readings.ts";
import type { CasePlay } from "../../contract/planned-case.ts";
import type { Rule } from "../../contract/rule.ts";
import type { DeclaredFailure } from "../../properties/declared-error.ts";
import type { InputOperation } from "../../properties/input-operation.ts";
import type { DeclaredAbsence } from "../../properties/not-found.ts";
import type { Aspect, PlannedOperation } from "../../properties/plan-operation.ts";
import type { SuiteFailure, SuiteHttpOperation, SuiteParameter } from "../../suite/suite.ts";
import type { SuiteType } from "../../suite/suite-type.ts";
import { withPlace } from "../../suite/with-place.ts";
import { isValueOf } from "@nodewright/api-values";
import { baseInputOf } from "./base-input.ts";
import { shownOperation } from "./example-cases.ts";
import { documentsRefusal, failedCall, failureText, kindOf } from "./expect-input.ts";
import { documentsStatus } from "./classify-response.ts";
import { callOperation, type HttpContext, wasSent, wellObserved } from "./http-context.ts";
import { contentOf, type Input, requestKey, requestOf } from "./http-request.ts";
import { httpRules } from "./http-rules.ts";
import {
  isAbove,
  isCursor,
  pathParametersOf,
  queryParametersOf,
  subjectNameOf,
  subjectParameterOf,
} from "./operation-shape.ts";
import { propertyOperation } from "./property-operation.ts";

/** An HTTP operation as the planner uses it. */
export interface HttpOperation extends PlannedOperation {
  readonly context: HttpContext;
  readonly source: SuiteHttpOperation;
}

/** Returns an operation with what is known about it: its body is one of its inputs. */
export function httpOperation(context: HttpContext, source: SuiteHttpOperation): HttpOperation {
  const { types, session, suite } = context;
  const { base, bare } = baseInputOf(context, source);
  const parameters = source.parameters.filter(({ location }) => location !== "cookie");
  const ofName = new Map(parameters.map((parameter) => [parameter.property, parameter]));
  const certainty = documentsRefusal(source) ? "documented" : "likely";
  const seen = propertyOperation(context, source);
  const body = bodyOf(source, base);
  // Only a JSON body is a parameter.
  const lacksBody = (input: Input): boolean =>
    source.body?.required === true && body.length === 0 && input["body"] === undefined;
  return {
    ...seen,
    context,
    source,
    session,
    live: session.live,
    random: session.random,
    operations: suite.operations,
    writes: !session.safety.of(source.name).isSafe,
    parameters: [...parameters, ...body],
    base,
    ...(bare === undefined ? {} : { bare }),
    isCheckedWithoutBase: true,
    failing: source.examples.flatMap(({ input, outcome }) => (outcome.kind === "failure" ? [input] : [])),
    hasOwnAbsence: true,
    isBatched: false,
    documented: shownOperation(context, source),
    isNaming: ({ property }) => {
      const parameter = ofName.get(property);
      return parameter !== undefined && (isInPath(parameter, context) || isCursor(source, parameter, types));
    },
    strictTypeOf: ({ type }) => type,
    invalidity: ({ property, type }, value) => {
      const parameter = ofName.get(property);
      if (value === undefined) return certainty;
      if (parameter === undefined) return isValueOf(type, value, types, "request") ? undefined : certainty;
      if (!isWrongOnWire(parameter, value, types)) return undefined;
      return isPreference(parameter) ? "likely" : certainty;
    },
    requestOf: (input) => {
      const isUnwritten = lacksBody(input) || parameters.some(({ property }) => isNothing(input[property]));
      const request = isUnwritten ? undefined : requestOf(source, input);
      return request === undefined ? undefined : requestKey(request);
    },
    wasSent: (input) => wasSent(context, source, input),
    foundExpectation: (input) => {
      const isThere = isListed(context, source, input);
      return { rule: foundRule(context, source), certainty: isThere ? "documented" : "open", isThere };
    },
    asSeen: (aspect) => ({ ...seen, parameters: parametersOf(source, aspect) }),
    lookupOf: () => lookupOf(context, source),
    failuresOf: () => failuresOf(context, source),
    tried: () => triedKinds(context, source),
    previewOf: ({ input }) => input && requestOf(source, input),
    // Cases that shrink failing inputs are budgeted with all requests.
    adapted: (draft) => (draft.group === "random" ? { ...draft, usualRequests: draft.requests ?? 1 } : draft),
  };
}

/** Returns the parameters for an aspect: only those of the query for lists. */
function parametersOf(source: SuiteHttpOperation, aspect: Aspect): readonly SuiteParameter[] {
  return aspect === "lists" ? queryParametersOf(source) : source.parameters;
}

/** Returns the body as a parameter, when it is JSON. */
function bodyOf(source: SuiteHttpOperation, base: Input | undefined): InputOperation["parameters"] {
  const { body } = source;
  const content = body?.contents.find((one) => one === contentOf(source, base));
  if (body === undefined || content?.form !== "json") return [];
  const { type } = content;
  return [{ name: "body", property: "body", type, required: body.required, ...withPlace(body.place) }];
}

/** Returns whether a path parameter identifies a resource, so that its possible values are unknown. */
function isInPath({ location, type }: SuiteParameter, { types }: HttpContext): boolean {
  const isKnown = armsOf(type, types).every(
    (arm) =>
      arm.kind === "enumeration" ||
      arm.kind === "boolean" ||
      (arm.kind === "number" &&
        (arm.minimum ?? arm.exclusiveMinimum) !== undefined &&
        (arm.maximum ?? arm.exclusiveMaximum) !== undefined),
  );
  return location === "path" && !isKnown;
}

/** Returns whether a value is null or an empty list, which have no form in a URL (RFC 6570, section 3.2.8). */
function isNothing(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

/** Standard HTTP headers that a server may ignore when it does not understand them (RFC 9110, sections 12.5, 13.1 and 14.2; RFC 7240). */
const preferenceName =
  /^(?:accept|accept-.+|if-.+|range|prefer|cache-control|pragma|user-agent|referer|origin|dnt|traceparent|tracestate)$/i;

function isPreference({ location, name }: SuiteParameter): boolean {
  return location === "header" && preferenceName.test(name);
}

/**
 * Returns the rule for a lookup by a found value, which comes from a declared link or is inferred from names. An operation without input
 * looks up nothing.
 */
function foundRule({ linkedMembers }: HttpContext, source: SuiteHttpOperation): Rule {
  if (source.parameters.length === 0) return httpRules.accepted;
  const subject = subjectParameterOf(source);
  return subject !== undefined && linkedMembers.has(subject) ? httpRules.linkedFound : httpRules.foundId;
}

/** Returns whether a list at the parent path has the input: `/pets` has the ids of `/pets/{petId}`. */
function isListed(context: HttpContext, source: SuiteHttpOperation, input: Input): boolean {
  const subject = subjectParameterOf(source);
  if (subject === undefined || pathParametersOf(source).length !== 1) return source.parameters.length === 0;
  const value = String(input[subject.property]);
  return [...context.operations.values()]
    .filter((list) => isAbove(list, source))
    .flatMap((list) => wellObserved(context, list.name))
    .some(({ checked }) => {
      const items = listOf(checked.value)?.items ?? [];
      const identifier = context.linkedMembers.get(subject) ?? identifierOf(items);
      return items.some((item) =>
        identifier === undefined || !isRecord(item) ? String(item) === value : String(item[identifier]) === value,
      );
    });
}

function triedKinds(context: HttpContext, source: SuiteHttpOperation): ReturnType<PlannedOperation["tried"]> {
  const keyOf = (input: Input): string => JSON.stringify(requestOf(source, input));
  const failing = new Set(
    source.examples.flatMap(({ input, outcome }) => (outcome.kind === "failure" ? [keyOf(input)] : [])),
  );
  const tried = (context.observations.get(source.name) ?? []).filter(({ input }) => !failing.has(keyOf(input)));
  return tried.map((one) => kindOf(context, one));
}

/** Returns the identifiers in a path, and in a query that looks something up. */
function lookupOf(context: HttpContext, source: SuiteHttpOperation): ReturnType<PlannedOperation["lookupOf"]> {
  const inPath = pathParametersOf(source);
  return {
    identifiers: inPath.length > 0 ? inPath : lookedUpIn(context, source),
    known: ({ property }) => (context.observations.get(source.name) ?? []).map(({ input }) => input[property]),
    declared: () => declaredAbsence(source, inPath.length === 1),
    call: async (play, input) => await failedCall(context, source, play, input),
    isAbsent: async (play, { name }, value) => await isAbsentAbove(context, source, play, name, value),
  };
}

function declaredAbsence(source: SuiteHttpOperation, isOwn: boolean): DeclaredAbsence | undefined {
  const codes = [404, 410].filter((one) => documentsStatus(source, one));
  const [status] = codes;
  if (status === undefined) return undefined;
  const failure = source.failures.find((one) => one.status === status);
  return { text: `status ${status}`, codes, isOwn, ...withPlace(failure?.place) };
}

/** Returns whether the operation that looks up the parent resource does not find it: `/pets/{petId}` for `/pets/{petId}/visits`. */
async function isAbsentAbove(
  context: HttpContext,
  source: SuiteHttpOperation,
  play: CasePlay,
  name: string,
  value: unknown,
): Promise<boolean> {
  const path = source.path.slice(0, source.path.indexOf(`{${name}}`) + name.length + 2);
  const above = [...context.operations.values()].find((other) => other.method === "GET" && other.path === path);
  const subject = above === undefined ? undefined : subjectParameterOf(above);
  if (above === undefined || subject === undefined || above === source || !documentsStatus(above, 404)) return false;
  const isPlain = above.parameters.every((one) => one === subject || !one.required);
  if (!isPlain || !context.session.safety.of(above.name).isSafe) return false;
  const found = await callOperation(context, play, above, { [subject.property]: value });
  return found.checked.response.status === 404;
}

/** Returns required query parameters that identify what another operation looks up by its path: `station` of `/stations/{station_id}`. */
function lookedUpIn(context: HttpContext, source: SuiteHttpOperation): readonly SuiteParameter[] {
  if (source.method !== "GET" || !documentsStatus(source, 404)) return [];
  return source.parameters.filter(({ location, required, name, type }) => {
    const isCounted = armsOf(type, context.types).some(
      (arm) => (arm.kind === "string" && /^(?:date|time)/.test(arm.format ?? "")) || arm.kind === "number",
    );
    if (location !== "query" || !required || isCounted) return false;
    const plain = plainName(name).replace(/(?:id|uuid|slug|code|key|no|number)$/, "");
    return [...context.operations.values()].some((other) => {
      const subject = subjectParameterOf(other);
      if (other === source || subject === undefined || !documentsStatus(other, 404)) return false;
      return subjectNameOf(other) === plain || isSameReference(type, subject.type);
    });
  });
}

function isSameReference(left: SuiteType, right: SuiteType): boolean {
  return left.kind === "reference" && right.kind === "reference" && left.target === right.target;
}

/** Returns the documented failures of an operation, once it has succeeded, whose examples have messages that identify their cause. */
function failuresOf(context: HttpContext, source: SuiteHttpOperation): ReturnType<PlannedOperation["failuresOf"]> {
  if (wellObserved(context, source.name).length === 0) return undefined;
  const others = [...context.operations.values()].filter((one) => one !== source).flatMap((one) => one.failures);
  // A message of many operations identifies none of them.
  const shared = new Set(others.flatMap(textsOf));
  const failures = source.failures.flatMap((failure): readonly DeclaredFailure[] => {
    const { status: code, place } = failure;
    const words = textsOf(failure).filter((text) => !shared.has(text));
    const isOfInput = code === 400 || code === 409 || code === 422;
    return isOfInput && words.length > 0 ? [{ code, text: `status ${code}`, words, ...withPlace(place) }] : [];
  });
  return {
    parameters: queryParametersOf(source),
    failures,
    call: async (play, input) => await failedCall(context, source, play, input),
  };
}

/** Returns the messages in the examples of a failure's bodies. */
function textsOf({ contents }: SuiteFailure): readonly string[] {
  return contents.flatMap(({ examples = [] }) => examples.map(failureText).filter((text) => text !== undefined));
}
