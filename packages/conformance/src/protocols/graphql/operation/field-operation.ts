import { kindOf } from "@nodewright/api-model";
import { isValueOf, kebabCase } from "@nodewright/api-values";
import {
  coerceInputValue,
  type GraphQLInputType,
  type GraphQLNamedType,
  getNamedType,
  getNullableType,
  isLeafType,
  isNullableType,
  isObjectType,
  isRequiredArgument,
} from "graphql";
import type { Finding } from "../../../contract/finding.ts";
import type { CasePlay } from "../../../contract/planned-case.ts";
import { defaultOf } from "../../../inference/list-roles.ts";
import { namesAlternatives } from "../../../inference/name-meaning.ts";
import { isRejectedValue, statesAbsence } from "../../../inference/refusal-words.ts";
import type { CallOptions, Operation, Outcome } from "../../../properties/operation.ts";
import type { CheckedOperation } from "../../../properties/plan-operation.ts";
import { propertyRules } from "../../../properties/property-rules.ts";
import { findingAt } from "../contract/place-of.ts";
import { refusalOf, rejectionText } from "../response/refusal.ts";
import { callEach, errorsOf, type FieldCall, type FieldSite, inputOf } from "../run/field-site.ts";
import type { BaseResult, GraphqlRun } from "../run/graphql-run.ts";
import { fieldsOf, isNaming, isSingle, leavesOf } from "../schema/field-names.ts";
import { describeField, elementTypeOf, isByChance, parametersOf, typeOf, withInt32 } from "../schema/field-types.ts";
import { type ListShape, resultOf, selectList } from "../selection/list-shape.ts";
import { identityOf } from "../selection/select-fields.ts";
import { member, members, type Selection, trimmed, typename } from "../selection/selection.ts";
import { expectOfField } from "./expect-input.ts";

/** A field as the planner uses it, at the root or below it. */
export interface FieldOperation extends CheckedOperation {
  readonly run: GraphqlRun;
  readonly site: FieldSite;
}

/** Returns a field with its arguments: argument types are validated before anything is resolved. */
export function fieldOperation(run: GraphqlRun, site: FieldSite): FieldOperation {
  const { field, selection } = site;
  const args = new Map(field.args.map((argument) => [argument.name, argument]));
  const operation = propertyOperation(run, site, undefined);
  const prefix = operation.subject === undefined ? "" : `${kebabCase(site.parentType)}-${kebabCase(field.name)}-`;
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
      const own = args.get(property)?.type;
      if (value === undefined || own === undefined) return "documented";
      if (hasBigint(value) || isValueOf(withInt32(type), value, operation.types, "request")) return undefined;
      if (isRefused(own, value)) return "documented";
      // A custom scalar may accept more than the forms that it is returned in: only clearly different values are sent.
      const isKnown = run.suite.scalars[getNullableType(own).toString()] !== undefined;
      return isKnown && ["record", "list"].includes(kindOf(value)) ? "likely" : undefined;
    },
    requestOf: (input) => (hasBigint(input) ? undefined : JSON.stringify(input)),
    wasSent: () => false,
    // Where an argument has a default, null differs from leaving it out.
    parameters: operation.parameters.map((one) => {
      const isNullable = isNullableType(args.get(one.property)?.type) && defaultOf(one, operation.types) !== undefined;
      const type = { kind: "union", mode: "any-of", members: [one.type, { kind: "null" }] } as const;
      return isNullable ? { ...one, type } : one;
    }),
    base: inputOf(selection),
    surplus: "documented",
    isNaming: ({ property }) => {
      const argument = args.get(property);
      return argument !== undefined && isRequiredArgument(argument) && isNaming(argument.type);
    },
  };
}

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

/** Maximum number of requested elements: a response has several such lists. */
const longest = 10;

/**
 * Returns a field as an operation of properties: its arguments are the parameters, its list is the result; without a list the complete
 * value.
 */
export function propertyOperation(run: GraphqlRun, site: FieldSite, shape: ListShape | undefined): Operation {
  const { field, selection, value } = site;
  const description = describeField(run, site.parentType, field);
  return {
    ...description,
    name: description.subject ?? field.name,
    origin: field.name,
    isByChance: isByChance(field),
    // Many servers require a page size for connections.
    parameters: description.parameters.map((one) =>
      shape?.isConnection === true && one.name === "first" ? { ...one, required: true } : one,
    ),
    ...(shape === undefined
      ? { result: typeOf(field.type), known: [{ input: inputOf(selection), value }] }
      : {
          result: { kind: "list", element: elementTypeOf(run, shape.element) },
          known: [{ input: inputOf(selection), value: undefined }],
        }),
    isSelective: true,
    isOfOne: isSingle(field),
    longest,
    isCounted: shape?.counter !== undefined,
    steadiness: () => undefined,
    call: async (play, inputs, options) => {
      const selections = selectionsOf(site, shape, options.reads);
      const calls = await callEach(run, site, play, inputs, selections);
      return calls.map((call) => outcomeOf(site, shape, call, options));
    },
    expect: (play, calls) => expectOfField(run, site, play, calls),
  };
}

/** Repeats the request of a root field. */
export async function callAgain(run: GraphqlRun, base: BaseResult, play: CasePlay): Promise<Outcome> {
  const held = await run.execute(play, base.request);
  return outcomeOf(base, undefined, { input: inputOf(base.selection), alias: base.selection.name, held });
}

function outcomeOf(
  site: FieldSite,
  shape: ListShape | undefined,
  call: FieldCall,
  { mayBeAbsent }: Partial<CallOptions> = {},
): Outcome {
  const { input, alias, held } = call;
  const { data, findings, response } = held;
  const own = errorsOf(call);
  // Any other refusal leaves open whether the object exists.
  if (mayBeAbsent === true && own.length > 0 && own.every(statesAbsence)) return { findings, isAbsent: true };
  const hasFailed = response.errors.some(({ path }) => path === undefined || path.includes(alias));
  if (data === undefined || hasFailed) return { findings: [...findings, ...failureFindings(site, call)] };
  return { findings, results: site.parentsIn(data).map((parent) => resultOf(shape, parent[alias], input)) };
}

/** Returns the findings of a field that fails for valid values without a reason; an error with a reason may be right. */
function failureFindings({ field, parentType }: FieldSite, call: FieldCall): readonly Finding[] {
  const { response } = call.held;
  const name = `${parentType}.${field.name}`;
  const errors = response.errors.filter(({ path }) => path?.includes(call.alias) === true);
  const rejected = errors.find(isRejectedValue);
  if (rejected !== undefined) {
    const members = (rejected.path ?? []).filter((step) => typeof step === "string" && step !== call.alias);
    return [
      findingAt(field.astNode, propertyRules.validInput, rejectionText([name, ...members].join(".")), rejected.message),
    ];
  }
  const [error] = errorsOf(call);
  if (error === undefined || refusalOf({ ...response, errors }) !== "unknown") return [];
  if (namesAlternatives(error.message, parametersOf(field))) return [];
  const message = `${name} has an error for valid values of its arguments`;
  return [findingAt(field.astNode, propertyRules.validInput, message, error.message)];
}

function selectionsOf(
  { selection }: FieldSite,
  shape: ListShape | undefined,
  reads: CallOptions["reads"],
): readonly Selection[] {
  if (shape === undefined) return trimmed(selection.selections);
  return isLeafType(shape.element) ? [] : selectList(shape, elementSelections(shape.element, reads));
}

/** Returns the selections of an element: its identifying members and those that a property reads. */
function elementSelections(type: GraphQLNamedType, reads: CallOptions["reads"]): readonly Selection[] {
  const keys = isObjectType(type) ? identityOf(type) : leavesOf(type).filter(({ name }) => name === "id");
  const plain = keys.filter(({ args }) => args.length === 0);
  const byMember = Map.groupBy([...plain.map(({ name }) => [name]), ...reads], ([name = ""]) => name);
  const selections = [...byMember].flatMap(([name, paths]) => {
    const field = fieldsOf(type)[name];
    const inner = [...new Set(paths.flatMap(([, one]) => one ?? []))];
    // Objects are compared by their members.
    const isRead = field !== undefined && isLeafType(getNamedType(field.type)) === (inner.length === 0);
    return isRead ? [member(name, members(inner.map((one) => ({ name: one }))))] : [];
  });
  return [typename, ...selections];
}
