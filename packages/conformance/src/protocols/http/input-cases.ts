import type { PlannedCase } from "../../contract/planned-case.ts";
import { armsOf } from "../../compare/member-facts.ts";
import { boundaries, onlyRequired } from "../../properties/boundary.ts";
import type { InputCase, InputOperation } from "../../properties/input-operation.ts";
import { furtherInvalidInputs, tellingInvalidInputs } from "../../properties/invalid-input.ts";
import { randomInputs } from "../../properties/random-input.ts";
import type { SuiteHttpOperation, SuiteParameter } from "../../suite/suite.ts";
import { isValueOf } from "../../types/violations.ts";
import { bareInputOf } from "./example-cases.ts";
import { caseOf, type HttpContext, wasSent } from "./http-context.ts";
import { contentOf, type Input, requestKey, requestOf } from "./http-request.ts";
import { isCursor } from "./parameter-roles.ts";
import { propertyOperation } from "./property-cases.ts";
import { documentsRefusal } from "./refusal.ts";
import { baseInputOf, baseInputsOf } from "./relation-base.ts";
import { isWrongOnWire } from "../../compare/wire-readings.ts";

export type Planner = (context: HttpContext, operation: SuiteHttpOperation) => readonly PlannedCase[];

/** Returns the planner of cases about the inputs of an operation. */
export function planner<Described extends InputOperation>(
  cases: (operation: Described, context: HttpContext, name: string) => readonly InputCase[],
  describe: (context: HttpContext, operation: SuiteHttpOperation) => Described,
): Planner {
  return (context, operation) =>
    cases(describe(context, operation), context, operation.name).map(({ usualRequests, ...one }) =>
      caseOf(context, operation, {
        ...one,
        // Where values are accepted, no more is sent.
        requests: one.group === "boundary" ? (usualRequests ?? one.requests) : one.requests,
        isLive: one.group !== "negative",
      }),
    );
}

export const planOnlyRequired: Planner = (context, operation) =>
  // What nothing is known of is called for elsewhere.
  baseInputsOf(context, operation).length === 0 ? [] : planner(onlyRequired, inputOperation)(context, operation);
export const planTellingInvalid: Planner = planner(tellingInvalidInputs, inputOperation);
export const planInvalid: Planner = planner(furtherInvalidInputs, inputOperation);
export const planBoundaries: Planner = planner(boundaries, inputOperation);
export const planRandom: Planner = planner(
  (operation: InputOperation, { session }, name) => randomInputs(operation, session, name),
  inputOperation,
);

/** An HTTP operation with its inputs: the body is one of them. */
export function inputOperation(context: HttpContext, operation: SuiteHttpOperation): InputOperation {
  const { types } = context;
  const base = baseInputOf(context, operation) ?? bareInputOf(operation);
  const parameters = operation.parameters.filter(({ location }) => location !== "cookie");
  const ofName = new Map(parameters.map((parameter) => [parameter.property, parameter]));
  const certainty = documentsRefusal(operation) ? "documented" : "likely";
  return {
    ...propertyOperation(context, operation, [...parameters, ...bodyOf(operation, base)]),
    base,
    failing: operation.examples.flatMap(({ input, outcome }) => (outcome.kind === "failure" ? [input] : [])),
    hasOwnAbsence: true,
    isBatched: false,
    isNaming: ({ property }) => {
      const parameter = ofName.get(property);
      return parameter !== undefined && (isInPath(parameter, context) || isCursor(operation, parameter, types));
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
      const isUnwritten = parameters.some(({ property }) => isNothing(input[property]));
      const request = isUnwritten ? undefined : requestOf(operation, input);
      return request === undefined ? undefined : requestKey(request);
    },
    wasSent: (input) => wasSent(context, operation, input),
  };
}

/** The body as a parameter, where it is JSON. */
function bodyOf(operation: SuiteHttpOperation, base: Input | undefined): InputOperation["parameters"] {
  const { body } = operation;
  const content = body?.contents.find((one) => one === contentOf(operation, base));
  if (body === undefined || content?.form !== "json") return [];
  const { type } = content;
  return [
    {
      name: "body",
      property: "body",
      type,
      required: body.required,
      ...(body.place === undefined ? {} : { place: body.place }),
    },
  ];
}

/** Whether a parameter in the path names a thing: all that it can be is not known. */
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

/** An empty list and null have no form in a URL: no name stands for nothing (RFC 6570, section 3.2.8). */
function isNothing(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

/** Headers of HTTP itself that a server may disregard when it does not understand them (RFC 9110, sections 12.5, 13.1 and 14.2; RFC 7240). */
const preferenceName =
  /^(?:accept|accept-.+|if-.+|range|prefer|cache-control|pragma|user-agent|referer|origin|dnt|traceparent|tracestate)$/i;

function isPreference({ location, name }: SuiteParameter): boolean {
  return location === "header" && preferenceName.test(name);
}
