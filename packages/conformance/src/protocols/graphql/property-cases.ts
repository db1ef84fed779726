import { isRecord } from "@nodewright/api-model";
import { propertyRules } from "../../properties/property-rules.ts";
import {
  type GraphQLNamedType,
  getNamedType,
  getNullableType,
  isAbstractType,
  isEnumType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
  isScalarType,
  isSpecifiedScalarType,
} from "graphql";
import type { Finding } from "../../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../../contract/planned-case.ts";
import { isNamedByChance } from "../../inference/by-chance.ts";
import type { Parameter } from "../../inference/list-roles.ts";
import { opaqueFormat } from "../../inference/opaque.ts";
import { followsOf } from "../../inference/page-members.ts";
import type { CallOptions, Input, Operation, Outcome, Result } from "../../properties/operation.ts";
import { limitProperty } from "../../properties/limit.ts";
import { paginationProperty } from "../../properties/pagination.ts";
import { planProperties, type PropertyCase } from "../../properties/plan-properties.ts";
import { choiceProperties, listProperties } from "../../properties/properties.ts";
import type { Property } from "../../properties/property.ts";
import { defaultProperty } from "../../properties/default.ts";
import { steadyProperty } from "../../properties/steady.ts";
import { type Difference, differences } from "../../compare/differences.ts";
import { saysByChance } from "../../suite/described-facts.ts";
import type { RecordMember, SuiteType } from "../../suite/suite-type.ts";
import { withPlace } from "../../suite/with-place.ts";
import { connectionProperty } from "./connection-pages.ts";
import { isLastingKeyName } from "./field-names.ts";
import { expectOfField } from "./expect-input.ts";
import { type FieldSite, rootSite } from "./field-site.ts";
import { graphqlCase, kebab } from "./graphql-case.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { BaseAnswer, GraphqlRun, HeldAnswer } from "./graphql-run.ts";
import { boundOf, inputTypeOf, scalarTypeOf, scalarTypesOf } from "./input-type.ts";
import { type ListShape, listShapeOf, plainShape } from "./list-shape.ts";
import { placeOf } from "./place-of.ts";
import { isUnfitValue, refusalOf } from "./refusal.ts";
import { identityOf } from "./select-fields.ts";
import { type FieldSelection, type Selection, trimmed, writeQuestion } from "./selection.ts";

/** Elements that are called for at most: responses hold several such lists. */
const longest = 10;
/** Calls in one request: servers limit aliases. */
const mostAliases = 12;

/** The properties of connections: where pages begin is said by a specification there. */
const connectionProperties: readonly Property[] = [
  ...choiceProperties,
  limitProperty,
  { ...paginationProperty, rule: graphqlRules.cursor },
  connectionProperty,
];

/** What the arguments of a list promise by their names and types, at the root or below it. */
export function planListRelations(run: GraphqlRun, site: FieldSite): readonly PlannedCase[] {
  const { type } = site.field;
  const shape = listShapeOf(type) ?? (isListType(getNullableType(type)) ? plainShape(getNamedType(type)) : undefined);
  if (shape === undefined) return [];
  const properties = shape.isConnection === true ? connectionProperties : listProperties;
  return casesOf(site, propertyOperation(run, site, shape), properties);
}

/** What holds of the defaults of arguments, whatever is returned. */
export function planDefaults(run: GraphqlRun, site: FieldSite): readonly PlannedCase[] {
  return planOfValue(run, site, [defaultProperty]);
}

/** Properties of all of what a field returns. */
export function planOfValue(run: GraphqlRun, site: FieldSite, properties: readonly Property[]): readonly PlannedCase[] {
  return casesOf(site, propertyOperation(run, site, undefined), properties);
}

/** Whether a root field returns the same again. What does not is told to those that compare its values. */
export function planSteady(run: GraphqlRun, base: BaseAnswer): readonly PlannedCase[] {
  const site = rootSite(run, base);
  let before = base.value;
  if (isByChance(base.field)) run.movingOf(base.operation).add("");
  const operation: Operation = {
    ...propertyOperation(run, site, undefined),
    known: [{ input: {}, value: base.value }],
    steadiness: () => "usual",
    call: async (play) => {
      const held = await run.ask(play, base.question);
      const value = held.data?.[base.selection.name];
      const failures = failureFindings(site, base.selection.name, held);
      if (value === undefined || failures.length > 0) return [{ findings: [...held.findings, ...failures] }];
      learnMoving(run, base, differences(undefined, before, value, {}));
      before = value;
      return [{ findings: held.findings, results: [{ value }] }];
    },
  };
  return casesOf(site, operation, [steadyProperty]);
}

/** Notes what changes by itself. A list that is another, or an object of another identity, may simply have moved on. */
function learnMoving(run: GraphqlRun, { operation, selection }: BaseAnswer, found: readonly Difference[]): void {
  const moving = run.movingOf(operation);
  for (const { name } of found) moving.add(name);
  const isNamed = (selection.arguments ?? []).some(({ name }) => isLastingKeyName(name));
  const isOther = found.some(
    ({ name, kind }) => kind === "length" || isLastingKeyName(name) || ["number", "height"].includes(name),
  );
  if (isOther && !isNamed) moving.add("");
  if (!isOther) for (const { name } of found) run.restless.add(name);
}

/** A case for each property of a field. */
export function casesOf(
  { field, parentType, operation }: FieldSite,
  asSeen: Operation,
  properties: readonly Property[],
): readonly PlannedCase[] {
  const prefix = asSeen.subject === undefined ? "" : `${kebab(parentType)}-${kebab(field.name)}-`;
  return planProperties(asSeen, properties, true).map((one) => {
    const requests = Math.ceil(one.inputs.length / mostAliases) + Math.ceil(one.furtherCalls / mostAliases) + 1;
    return caseOf(operation, `${prefix}${one.name}`, one, requests);
  });
}

export function caseOf(
  operation: string,
  name: string,
  { rule, expected, play }: PropertyCase,
  requests: number,
): PlannedCase {
  return graphqlCase({ operation, group: "relation", name, rule, expected, requests, play });
}

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
    types: scalarTypesOf(run.suite, scalarNames(run)),
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

/** Whether a field returns what is chosen by chance. */
export function isByChance({ name, description }: FieldSite["field"]): boolean {
  return isNamedByChance(name) || saysByChance([description]);
}

/** The arguments of a field as properties see them. */
export function parametersOf({ args, description }: FieldSite["field"]): readonly Parameter[] {
  return args.map((argument) => ({
    name: argument.name,
    property: argument.name,
    required: isRequiredArgument(argument),
    type: inputTypeOf(argument.type),
    ...(argument.defaultValue === undefined ? {} : { default: argument.defaultValue }),
    ...boundOf(argument, description),
    ...withPlace(placeOf(argument.astNode)),
  }));
}

/** The custom scalars of the schema. */
export function scalarNames({ schema }: GraphqlRun): readonly string[] {
  return Object.values(schema.getTypeMap()).flatMap((type) =>
    isScalarType(type) && !isSpecifiedScalarType(type) ? [type.name] : [],
  );
}

/** Members of an element that can be selected without arguments, and those of objects that it leads to; not what changes by itself. */
function elementTypeOf(run: GraphqlRun, type: GraphQLNamedType, depth = 0): SuiteType {
  if (isLeafType(type)) return leafTypeOf(type);
  const fields = isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
  const members = fields.flatMap((field): readonly RecordMember[] => {
    const named = getNamedType(field.type);
    const isList = isListType(getNullableType(field.type));
    const isFollowed = isLeafType(named) || (depth === 0 && !isList);
    if (!isFollowed || field.args.length > 0 || run.restless.has(field.name)) return [];
    const own = elementTypeOf(run, named, depth + 1);
    return [{ name: field.name, required: true, type: isList ? { kind: "list", element: own } : own }];
  });
  if (isObjectType(type) || !isAbstractType(type)) return { kind: "record", members };
  const possible = run.schema.getPossibleTypes(type).map(({ name }) => name);
  const typename: RecordMember = {
    name: "__typename",
    required: true,
    type: { kind: "enumeration", values: possible },
  };
  return { kind: "record", members: [typename, ...members] };
}

export function leafTypeOf(type: GraphQLNamedType): SuiteType {
  return isEnumType(type)
    ? { kind: "enumeration", values: type.getValues().map(({ name }) => name) }
    : type.name === "ID"
      ? { kind: "string", format: opaqueFormat }
      : scalarTypeOf(type.name);
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
  const ask = async (some: readonly string[]): Promise<HeldAnswer> =>
    await run.ask(
      play,
      writeQuestion(
        site.wrap(
          some.map((alias) => selectionOf(run, site, shape, alias, inputs[aliases.indexOf(alias)] ?? {}, reads)),
        ),
      ),
    );
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
function failureFindings(
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
    return [{ rule: propertyRules.validInput, message, detail: unfit.message, ...withPlace(placeOf(field.astNode)) }];
  }
  // Deeper, it is a member of the elements that fails.
  if (error === undefined || error.path?.at(-1) !== alias || refusalOf({ ...response, errors }) !== "unknown")
    return [];
  const message = `${parentType}.${field.name} is answered with an error for values that its arguments can have`;
  return [{ rule: propertyRules.validInput, message, detail: error.message, ...withPlace(placeOf(field.astNode)) }];
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

function selectionOf(
  run: GraphqlRun,
  { field, selection }: FieldSite,
  shape: ListShape | undefined,
  alias: string,
  input: Input,
  reads: CallOptions["reads"],
): FieldSelection {
  const given = field.args.flatMap(({ name, type }) =>
    input[name] === undefined ? [] : [{ name, type, value: input[name] }],
  );
  const called: FieldSelection = { ...selection, kind: "field", name: field.name, alias, arguments: given };
  if (shape === undefined) return { ...called, selections: trimmed(selection.selections) };
  const selections = isLeafType(shape.element) ? [] : shape.select(elementSelections(run, shape, reads));
  return { ...called, selections };
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
    if (name === "__typename") return [{ kind: "field", name, selections: [] }];
    const field = fields[name];
    const inner = new Set(own.flatMap(([, member]) => (member === undefined ? [] : [member])));
    // What is an object is looked at by its members.
    if (field === undefined || isLeafType(getNamedType(field.type)) !== (inner.size === 0)) return [];
    return [
      { kind: "field", name, selections: [...inner].map((one) => ({ kind: "field", name: one, selections: [] })) },
    ];
  });
}
