import { namesAlternatives } from "../../inference/name-meaning.ts";
import { isRecord } from "@nodewright/api-model";
import { getNamedType, isInterfaceType, isLeafType, isObjectType } from "graphql";
import type { Finding } from "../../contract/finding.ts";
import type { CasePlay } from "../../contract/planned-case.ts";
import { followsOf } from "../../inference/page-members.ts";
import type { CallOptions, Input, Operation, Outcome, Result } from "../../properties/operation.ts";
import { propertyRules } from "../../properties/property-rules.ts";
import { withPlace } from "../../suite/with-place.ts";
import { expectOfField } from "./expect-input.ts";
import { callOf, type FieldSite } from "./field-site.ts";
import { elementTypeOf, isByChance, parametersOf, typesOf } from "./field-types.ts";
import type { GraphqlRun, HeldAnswer } from "./graphql-run.ts";
import type { ListShape } from "./list-shape.ts";
import { findingAt, placeOf } from "./place-of.ts";
import { isUnfitValue, refusalOf } from "./refusal.ts";
import { identityOf } from "./select-fields.ts";
import { member, type Selection, trimmed, typename, writeQuestion } from "./selection.ts";

/** Elements that are called for at most: responses hold several such lists. */
const longest = 10;
/** Calls in one request: servers limit aliases. */
export const mostAliases = 12;

/** A field as properties see it: its arguments are the parameters, the list that it returns is the result; without a list all of the value. */
export function propertyOperation(run: GraphqlRun, site: FieldSite, shape: ListShape | undefined): Operation {
  const { field, parentType, selection } = site;
  const isRoot = parentType === run.schema.getQueryType()?.name;
  const input = Object.fromEntries((selection.arguments ?? []).map(({ name, value }) => [name, value]));
  return {
    ...(isRoot ? {} : { subject: `${parentType}.${field.name}` }),
    name: isRoot ? field.name : `${parentType}.${field.name}`,
    origin: field.name,
    things: field.name,
    isByChance: isByChance(field),
    // Many servers want to know how much of a connection is wanted.
    parameters: parametersOf(field).map((one) =>
      shape?.isConnection === true && one.name === "first" ? { ...one, required: true } : one,
    ),
    result: shape && { kind: "list", element: elementTypeOf(run, shape.element) },
    types: typesOf(run),
    ...withPlace(placeOf(field.astNode)),
    longest,
    isCounted: shape?.total !== undefined,
    known: [{ input, value: undefined }],
    steadiness: () => undefined,
    call: async (play, inputs, options) => {
      const outcomes: Outcome[] = [];
      for (let start = 0; start < inputs.length; start += mostAliases)
        outcomes.push(
          ...(await callTogether(run, site, shape, play, inputs.slice(start, start + mostAliases), options)),
        );
      return outcomes;
    },
    expect: (play, calls) => expectOfField(run, site, play, calls),
  };
}

/** Calls a field under an alias for each input; without those that fail where they take the others with them. */
async function callTogether(
  run: GraphqlRun,
  site: FieldSite,
  shape: ListShape | undefined,
  play: CasePlay,
  inputs: readonly Input[],
  { reads, mayBeAbsent = false }: CallOptions,
): Promise<readonly Outcome[]> {
  const aliases = inputs.map((_input, index) => `call${index}`);
  const selections = selectionsOf(run, site, shape, reads);
  const ask = async (some: readonly string[]): Promise<HeldAnswer> => {
    const called = some.map((alias) => callOf(site, inputs[aliases.indexOf(alias)] ?? {}, { alias, selections }));
    return await run.ask(play, writeQuestion(site.wrap(called)));
  };
  const first = await ask(aliases);
  const failed = new Set(first.response.errors.flatMap(({ path }) => path ?? []));
  const left = aliases.filter((alias) => !failed.has(alias));
  const isRetried = first.data === undefined && left.length > 0 && left.length < aliases.length;
  const held = isRetried ? await ask(left) : first;
  const { data, response, findings } = held;
  const hurt = new Set(response.errors.flatMap(({ path }) => path ?? [...aliases]));
  return aliases.map((alias): Outcome => {
    const absent = mayBeAbsent && failed.has(alias) ? absentOutcome(first, alias) : undefined;
    if (absent !== undefined) return absent;
    if (data === undefined || hurt.has(alias) || failed.has(alias))
      return { findings: [...findings, ...failureFindings(site, alias, first)] };
    const input = inputs[aliases.indexOf(alias)] ?? {};
    return { findings, results: site.parentsIn(data).map((parent) => resultOf(shape, parent[alias], input)) };
  });
}

/** A field that says that there is nothing; another refusal says nothing of it. */
function absentOutcome({ response, findings }: HeldAnswer, alias: string): Outcome | undefined {
  const own = response.errors.filter(({ path }) => path?.length === 1 && path[0] === alias);
  const isAbsent =
    own.length > 0 && own.every(({ message }) => /not[ _-]?found|no such|does(?:n't| not) exist/i.test(message));
  return isAbsent ? { findings, isAbsent } : undefined;
}

/** A field that fails for valid values without a reason: an error that gives one may be right. */
export function failureFindings(
  { field, parentType }: FieldSite,
  alias: string,
  { response }: HeldAnswer,
): readonly Finding[] {
  const errors = response.errors.filter(({ path }) => path?.includes(alias) === true);
  const [error] = errors;
  const unfit = errors.find(isUnfitValue);
  if (unfit !== undefined) {
    const member = (unfit.path ?? []).filter((step) => typeof step === "string" && step !== alias);
    const message = `${[`${parentType}.${field.name}`, ...member].join(".")} fails, since the server's own value is not of its type`;
    return [findingAt(field.astNode, propertyRules.validInput, message, unfit.message)];
  }
  // Deeper, it is a member of the elements that fails.
  if (error === undefined || error.path?.at(-1) !== alias || refusalOf({ ...response, errors }) !== "unknown")
    return [];
  if (namesAlternatives(error.message, parametersOf(field))) return [];
  const message = `${parentType}.${field.name} is answered with an error for values that its arguments can have`;
  return [findingAt(field.astNode, propertyRules.validInput, message, error.message)];
}

/** What a field returned, as properties see it. */
export function resultOf(shape: ListShape | undefined, value: unknown, input: Input): Result {
  const items = shape?.elementsOf(value);
  if (shape === undefined || items === undefined) return { value };
  const total = shape.total !== undefined && isRecord(value) ? value[shape.total] : undefined;
  // What is counted from the end says nothing of what is before it.
  const isForward = input["last"] === undefined && input["before"] === undefined;
  const more = !shape.saysMore || !isForward ? undefined : followsOf(value);
  return {
    value,
    page: {
      items,
      ...(typeof total === "number" ? { total } : {}),
      ...(more === undefined ? {} : { more }),
    },
  };
}

function selectionsOf(
  run: GraphqlRun,
  { selection }: FieldSite,
  shape: ListShape | undefined,
  reads: CallOptions["reads"],
): readonly Selection[] {
  if (shape === undefined) return trimmed(selection.selections);
  return isLeafType(shape.element) ? [] : shape.select(elementSelections(run, shape, reads));
}

/** Members that distinguish elements, and those that are looked at. */
function elementSelections(run: GraphqlRun, { element }: ListShape, reads: CallOptions["reads"]): readonly Selection[] {
  const type = run.schema.getType(element.name);
  const fields = isObjectType(type) || isInterfaceType(type) ? type.getFields() : {};
  const keys = isObjectType(type)
    ? identityOf(type).filter(({ args }) => args.length === 0)
    : Object.values(fields).filter(({ name }) => name === "id");
  const paths = [["__typename"], ...keys.map(({ name }) => [name]), ...reads];
  const byMember = Map.groupBy(paths, ([name = ""]) => name);
  return [...byMember].flatMap(([name, own]): readonly Selection[] => {
    if (name === "__typename") return [typename];
    const field = fields[name];
    const inner = new Set(own.flatMap(([, member]) => (member === undefined ? [] : [member])));
    // What is an object is looked at by its members.
    if (field === undefined || isLeafType(getNamedType(field.type)) !== (inner.size === 0)) return [];
    return [
      member(
        name,
        [...inner].map((one) => member(one)),
      ),
    ];
  });
}
