import {
  type GraphQLNamedType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
} from "graphql";
import type { CasePlay, PlannedCase } from "../contract/planned-case.ts";
import type { CallOptions, Input, Operation, Outcome, Result } from "../properties/operation.ts";
import { planProperties } from "../properties/plan-properties.ts";
import { listProperties } from "../properties/properties.ts";
import { sortProperty } from "../properties/sort.ts";
import type { RecordMember, SuiteType } from "../suite/suite-type.ts";
import { withPlace } from "../suite/with-place.ts";
import { isRecord } from "../types/is-record.ts";
import { planConnection } from "./connection-pages.ts";
import { connectionNodeOf } from "./field-names.ts";
import type { FieldSite } from "./field-site.ts";
import { planFilters } from "./filter-relations.ts";
import { graphqlCase, kebab } from "./graphql-case.ts";
import type { GraphqlRun, HeldAnswer } from "./graphql-run.ts";
import { inputTypeOf, scalarTypeOf } from "./input-type.ts";
import { type ListShape, listShapeOf } from "./list-shape.ts";
import { placeOf } from "./place-of.ts";
import { identityOf } from "./select-fields.ts";
import { type FieldSelection, type Selection, writeQuestion } from "./selection.ts";

/** Elements that are called for at most: responses hold several such lists. */
const longest = 10;
/** Calls in one request: servers limit aliases. */
const mostAliases = 12;

/** What the arguments of a list promise by their names and types, at the root or below it. */
export function planListRelations(run: GraphqlRun, site: FieldSite): readonly PlannedCase[] {
  return [...planFilters(run, site), ...planListProperties(run, site), ...planConnection(run, site)];
}

/** The properties of lists, of a field that returns one. */
function planListProperties(run: GraphqlRun, site: FieldSite): readonly PlannedCase[] {
  const { field, parentType, operation } = site;
  const shape = shapeOf(site);
  if (shape === undefined) return [];
  const prefix = parentType === run.schema.getQueryType()?.name ? "" : `${kebab(parentType)}-${kebab(field.name)}-`;
  // Pages of connections are the matter of Relay's own specification.
  const isConnection = connectionNodeOf(getNamedType(field.type)) !== undefined;
  const properties = isConnection ? [sortProperty] : listProperties;
  return planProperties(propertyOperation(run, site, shape), properties, true).map(
    ({ name, rule, expected, inputs, play }) =>
      graphqlCase({
        operation,
        group: "relation",
        name: `${prefix}${name}`,
        rule,
        expected,
        requests: Math.ceil(inputs.length / mostAliases) + 1,
        play,
      }),
  );
}

/** How the elements of a list are come by; of scalars without a selection. */
function shapeOf({ field }: FieldSite): ListShape | undefined {
  const found = listShapeOf(field.type);
  if (found !== undefined || !isListType(getNullableType(field.type))) return found;
  return {
    element: getNamedType(field.type),
    select: () => [],
    elementsOf: (value) => (Array.isArray(value) ? value : undefined),
    total: undefined,
    more: undefined,
  };
}

/** A field as properties see it: its arguments are the parameters, the list that it returns is the result. */
function propertyOperation(run: GraphqlRun, site: FieldSite, shape: ListShape): Operation {
  const { field, parentType, selection } = site;
  const isRoot = parentType === run.schema.getQueryType()?.name;
  const input = Object.fromEntries((selection.arguments ?? []).map(({ name, value }) => [name, value]));
  return {
    ...(isRoot ? {} : { subject: `${parentType}.${field.name}` }),
    parameters: field.args.map((argument) => ({
      name: argument.name,
      property: argument.name,
      required: isRequiredArgument(argument),
      type: inputTypeOf(run.suite, argument.type),
      ...(argument.defaultValue === undefined ? {} : { default: argument.defaultValue }),
      ...withPlace(placeOf(argument.astNode)),
    })),
    result: { kind: "list", element: elementTypeOf(run, shape.element) },
    types: run.suite.types,
    ...withPlace(placeOf(field.astNode)),
    longest,
    isCounted: shape.total !== undefined,
    known: [{ input, value: undefined }],
    call: async (play, inputs, options) => {
      const outcomes: Outcome[] = [];
      for (let start = 0; start < inputs.length; start += mostAliases)
        outcomes.push(
          ...(await callTogether(run, site, shape, play, inputs.slice(start, start + mostAliases), options)),
        );
      return outcomes;
    },
  };
}

/** The leaves of an element that can be selected, but for those that change by themselves. */
function elementTypeOf(run: GraphqlRun, type: GraphQLNamedType): SuiteType {
  if (isLeafType(type)) return leafTypeOf(run, type);
  if (!isObjectType(type) && !isInterfaceType(type)) return { kind: "any" };
  const members = Object.values(type.getFields()).flatMap((field): readonly RecordMember[] => {
    const leaf = getNamedType(field.type);
    const isPlain = isLeafType(leaf) && !isListType(getNullableType(field.type)) && field.args.length === 0;
    if (!isPlain || run.restless.has(field.name)) return [];
    return [{ name: field.name, required: true, type: leafTypeOf(run, leaf) }];
  });
  return { kind: "record", members };
}

function leafTypeOf({ suite }: GraphqlRun, type: GraphQLNamedType): SuiteType {
  return isEnumType(type)
    ? { kind: "enumeration", values: type.getValues().map(({ name }) => name) }
    : scalarTypeOf(suite, type.name);
}

/** Calls a field under an alias for each input; without those that fail where they take the others with them. */
async function callTogether(
  run: GraphqlRun,
  site: FieldSite,
  shape: ListShape,
  play: CasePlay,
  inputs: readonly Input[],
  { reads }: CallOptions,
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
    if (data === undefined || hurt.has(alias) || failed.has(alias)) return { findings };
    return { findings, results: site.parentsIn(data).map((parent) => resultOf(shape, parent[alias])) };
  });
}

function resultOf(shape: ListShape, value: unknown): Result {
  const items = shape.elementsOf(value);
  if (items === undefined) return { value };
  const next = (name: string | undefined): unknown => (name !== undefined && isRecord(value) ? value[name] : undefined);
  const [total, more] = [next(shape.total), next(shape.more)];
  return {
    value,
    page: {
      items,
      ...(typeof total === "number" ? { total } : {}),
      ...(typeof more === "boolean" ? { more } : {}),
    },
  };
}

function selectionOf(
  run: GraphqlRun,
  { field, selection }: FieldSite,
  shape: ListShape,
  alias: string,
  input: Input,
  reads: readonly string[],
): FieldSelection {
  const leaf = (name: string): FieldSelection => ({ kind: "field", name, selections: [] });
  const given = field.args.flatMap(({ name, type }) =>
    input[name] === undefined ? [] : [{ name, type, value: input[name] }],
  );
  const isLeaf = isLeafType(shape.element);
  const beside = [shape.total, shape.more].filter((name) => name !== undefined).map(leaf);
  const inner: readonly Selection[] = isLeaf ? [] : keysOf(run, shape, reads).map(leaf);
  const selections = isLeaf ? [] : [...shape.select(inner), ...beside];
  return { ...selection, kind: "field", name: field.name, alias, arguments: given, selections };
}

/** Members that distinguish elements, and those that are looked at. */
function keysOf(run: GraphqlRun, { element }: ListShape, reads: readonly string[]): readonly string[] {
  const type = run.schema.getType(element.name);
  const fields = isObjectType(type) || isInterfaceType(type) ? type.getFields() : {};
  const keys = isObjectType(type)
    ? identityOf(type).filter(({ args }) => args.length === 0)
    : Object.values(fields).filter(({ name }) => name === "id");
  const names = [...keys.map(({ name }) => name), ...reads.filter((name) => fields[name] !== undefined)];
  return ["__typename", ...new Set(names.filter((name) => name !== "__typename"))];
}
