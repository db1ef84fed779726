import { namesAlternatives } from "../../inference/name-meaning.ts";
import { type GraphQLNamedType, getNamedType, isInterfaceType, isLeafType, isObjectType } from "graphql";
import type { Finding } from "../../contract/finding.ts";
import { followsOf } from "../../inference/page-members.ts";
import type { CasePlay } from "../../contract/planned-case.ts";
import { isRejectedValue, statesAbsence } from "../../inference/refusal-words.ts";
import type { CallOptions, Input, Operation, Outcome, Result } from "../../properties/operation.ts";
import { propertyRules } from "../../properties/property-rules.ts";
import { expectOfField } from "./expect-input.ts";
import { callEach, errorsOf, type FieldCall } from "./field-calls.ts";
import { type FieldSite, inputOf } from "./field-site.ts";
import { isSingle } from "./field-names.ts";
import { describeField, elementTypeOf, isByChance, parametersOf, typeOf } from "./field-types.ts";
import type { BaseResult, GraphqlRun } from "./graphql-run.ts";
import { elementsOf, type ListShape, selectList, totalOf } from "./list-shape.ts";
import { findingAt } from "./place-of.ts";
import { refusalOf, rejectionText } from "./refusal.ts";
import { identityOf } from "./select-fields.ts";
import { member, type Selection, trimmed, typename } from "./selection.ts";

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

/** Returns the value of a field as a result for properties. */
export function resultOf(shape: ListShape | undefined, value: unknown, input: Input): Result {
  const items = elementsOf(shape, value);
  if (items === undefined) return { value };
  const total = shape && totalOf(shape, value);
  // Pages that are counted from the end don't indicate whether more follows.
  const more = input["last"] === undefined && input["before"] === undefined ? followsOf(value) : undefined;
  return { value, page: { items, ...(total === undefined ? {} : { total }), ...(more === undefined ? {} : { more }) } };
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
  if (!isObjectType(type) && !isInterfaceType(type)) return [typename];
  const fields = Object.values(type.getFields());
  const keys = (isObjectType(type) ? identityOf(type) : fields.filter(({ name }) => name === "id")).filter(
    ({ args }) => args.length === 0,
  );
  const byMember = Map.groupBy([...keys.map(({ name }) => [name]), ...reads], ([name = ""]) => name);
  const members = [...byMember].flatMap(([name, paths]) => {
    const field = type.getFields()[name];
    const inner = [...new Set(paths.flatMap(([, one]) => one ?? []))].map((one) => member(one));
    // Objects are compared by their members.
    const isLooked = field !== undefined && isLeafType(getNamedType(field.type)) === (inner.length === 0);
    return isLooked ? [member(name, inner)] : [];
  });
  return [typename, ...members];
}
