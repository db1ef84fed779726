import {
  coerceInputValue,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isNonNullType,
  isRequiredArgument,
} from "graphql";
import { defaultOf, type Parameter } from "../../inference/list-roles.ts";
import type { InputOperation } from "../../properties/input-operation.ts";
import type { CheckedOperation } from "../../properties/plan-operation.ts";
import { kindOf } from "@nodewright/api-model";
import { isValueOf } from "@nodewright/api-values";
import { type FieldSite, inputOf } from "./field-site.ts";
import { kebab } from "./graphql-case.ts";
import type { GraphqlRun } from "./graphql-run.ts";
import { propertyOperation } from "./field-operation.ts";
import { parametersOf, withInt32, withNull } from "./field-types.ts";

/** Returns whether a value has an integer beyond the range of JSON numbers in common servers. */
function hasBigint(value: unknown): boolean {
  if (typeof value === "bigint") return true;
  return typeof value === "object" && value !== null && Object.values(value).some(hasBigint);
}

function isRefused(type: GraphQLInputType, value: unknown): boolean {
  let refused = false;
  const sent: unknown = JSON.parse(JSON.stringify(value));
  coerceInputValue(sent, type, () => {
    refused = true;
  });
  return refused;
}

/** A field as the planner uses it, at the root or below it. */
export interface FieldOperation extends CheckedOperation {
  readonly run: GraphqlRun;
  readonly site: FieldSite;
}

/** Returns a field with its arguments: argument types are validated before anything is resolved. */
export function fieldOperation(run: GraphqlRun, site: FieldSite): FieldOperation {
  const { field, selection } = site;
  const types = new Map(field.args.map(({ name, type }) => [name, type]));
  const naming = new Set(
    field.args.filter((one) => isRequiredArgument(one) && !isPlain(one.type)).map(({ name }) => name),
  );
  const operation = propertyOperation(run, site, undefined);
  const prefix = operation.subject === undefined ? "" : `${kebab(site.parentType)}-${kebab(field.name)}-`;
  return {
    ...operation,
    run,
    site,
    session: run.session,
    writes: false,
    standsUnder: site.operation,
    previewOf: () => undefined,
    // Most responses depend on the target's data, and cases that may send several requests rarely need them all.
    adapted: ({ name, usualRequests, requests = 1, ...draft }) => ({
      ...draft,
      name: `${prefix}${name}`,
      requests: usualRequests ?? requests,
      usualRequests: Math.ceil((usualRequests ?? requests) / 3),
      isLive: draft.group !== "negative",
    }),
    failing: [],
    hasOwnAbsence: false,
    isBatched: true,
    strictTypeOf: ({ type }) => withInt32(type),
    invalidity: ({ property, type }, value) => {
      const own = types.get(property);
      if (value === undefined || own === undefined) return "documented";
      if (hasBigint(value) || isValueOf(withInt32(type), value, operation.types, "request")) return undefined;
      if (isRefused(own, value)) return "documented";
      // A custom scalar may accept more than the forms that it is returned in: only clearly different values are sent.
      const isKnown = run.suite.scalars[getNullableType(own).toString()] !== undefined;
      return isKnown && ["record", "list"].includes(kindOf(value)) ? "likely" : undefined;
    },
    requestOf: (input) => (hasBigint(input) ? undefined : JSON.stringify(input)),
    wasSent: () => false,
    parameters: parametersOf(field).map((parameter) =>
      withNulls(parameter, types.get(parameter.property), operation.types),
    ),
    base: inputOf(selection),
    surplus: "documented",
    isNaming: ({ property }) => naming.has(property),
  };
}

/** Adds null to the values of an argument that has a default: null differs from leaving it out. */
function withNulls(
  parameter: Parameter,
  type: GraphQLInputType | undefined,
  types: InputOperation["types"],
): Parameter {
  const isNullable = type !== undefined && !isNonNullType(type) && defaultOf(parameter, types) !== undefined;
  return isNullable ? { ...parameter, type: withNull(parameter.type) } : parameter;
}

/** Returns whether any value of a type works: strings and identifiers must name something. */
function isPlain(type: GraphQLInputType): boolean {
  const named = getNamedType(type);
  return isEnumType(named) || isInputObjectType(named) || ["Int", "Float", "Boolean"].includes(named.name);
}
