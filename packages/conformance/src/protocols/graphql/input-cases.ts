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
import type { PlannedCase } from "../../contract/planned-case.ts";
import { defaultOf, type Parameter } from "../../inference/list-roles.ts";
import { boundaries } from "../../properties/boundary.ts";
import type { InputCase, InputOperation } from "../../properties/input-operation.ts";
import { furtherInvalidInputs, tellingInvalidInputs } from "../../properties/invalid-input.ts";
import { randomInputs } from "../../properties/random-input.ts";
import { kindOf } from "@nodewright/api-model";
import { isValueOf } from "../../types/violations.ts";
import { type FieldSite, inputOf } from "./field-site.ts";
import { graphqlCase, kebab } from "./graphql-case.ts";
import type { BaseAnswer, GraphqlRun } from "./graphql-run.ts";
import { withInt32, withNull } from "./input-type.ts";
import { propertyOperation } from "./field-operation.ts";
import { parametersOf } from "./field-types.ts";

/** Values of arguments that their types take, at the root or below it. */
export function planBoundaries(run: GraphqlRun, site: FieldSite): readonly PlannedCase[] {
  const isRoot = site.parentType === run.queryType;
  const prefix = isRoot ? "" : `${kebab(site.parentType)}-${kebab(site.field.name)}-`;
  return boundaries(fieldOperation(run, site)).map((one) => caseOf(site.operation, one, prefix));
}

/** Arguments that their types exclude: the most telling first. */
export function planInvalid(run: GraphqlRun, base: BaseAnswer): readonly PlannedCase[] {
  const operation = fieldOperation(run, base);
  const all = [...tellingInvalidInputs(operation), ...furtherInvalidInputs(operation)];
  return all.map((one) => caseOf(base.operation, one));
}

export function planRandom(run: GraphqlRun, base: BaseAnswer): readonly PlannedCase[] {
  const operation = fieldOperation(run, base);
  return randomInputs(operation, run.session, base.operation).map((one) => caseOf(base.operation, one));
}

function caseOf(operation: string, one: InputCase, prefix = ""): PlannedCase {
  const { group, name, rule, expected, usualRequests: requests = one.requests, play } = one;
  const isLive = group !== "negative";
  return graphqlCase({ operation, group, name: `${prefix}${name}`, rule, expected, requests, isLive, play });
}

/** Whether a value has an integer that JSON as servers read it can't hold. */
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

/** A field with its arguments: the schema's types are checked before anything is resolved. */
function fieldOperation(run: GraphqlRun, site: FieldSite): InputOperation {
  const { field, selection } = site;
  const types = new Map(field.args.map(({ name, type }) => [name, type]));
  const naming = new Set(
    field.args.filter((one) => isRequiredArgument(one) && !isPlain(one.type)).map(({ name }) => name),
  );
  const operation = propertyOperation(run, site, undefined);
  return {
    ...operation,
    failing: [],
    hasOwnAbsence: false,
    isBatched: true,
    strictTypeOf: ({ type }) => withInt32(type),
    invalidity: ({ property, type }, value) => {
      const own = types.get(property);
      if (value === undefined || own === undefined) return "documented";
      if (hasBigint(value) || isValueOf(withInt32(type), value, operation.types, "request")) return undefined;
      if (isRefused(own, value)) return "documented";
      // What a custom scalar takes may be more than what it is returned as: only what is far from it is sent.
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

/** An argument that has a default is null only where null is given: it is a value like others. */
function withNulls(
  parameter: Parameter,
  type: GraphQLInputType | undefined,
  types: InputOperation["types"],
): Parameter {
  const isNullable = type !== undefined && !isNonNullType(type) && defaultOf(parameter, types) !== undefined;
  return isNullable ? { ...parameter, type: withNull(parameter.type) } : parameter;
}

/** Whether any value of a type calls for something: texts and identifiers name things. */
function isPlain(type: GraphQLInputType): boolean {
  const named = getNamedType(type);
  return isEnumType(named) || isInputObjectType(named) || ["Int", "Float", "Boolean"].includes(named.name);
}
