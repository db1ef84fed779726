import { isRecord } from "@nodewright/api-model";
import { type GraphQLNamedType, getNamedType } from "graphql";
import { type Field, fieldsOf } from "../schema/field-names.ts";
import type { BaseResult, GraphqlRun, ValidatedResponse } from "./graphql-run.ts";
import type { Members } from "../response/selected-fields.ts";
import {
  type FieldSelection,
  type GivenArgument,
  keyOf,
  type Selection,
  writeRequest,
} from "../selection/selection.ts";
import type { CasePlay } from "../../../contract/planned-case.ts";
import type { Input } from "../../../properties/operation.ts";
import type { ResponseError } from "../response/read-response.ts";
import { refusalOf } from "../response/refusal.ts";

/** A place at which a field can be requested: at the root, or below fields that returned objects. */
export interface FieldSite {
  readonly operation: string;
  /** Type of the objects that have the field. */
  readonly parentType: string;
  readonly field: Field;
  /** Selection of the field, as requested. */
  readonly selection: FieldSelection;
  /** Value of the root field. */
  readonly value?: unknown;
  /** Wraps selections of the same objects in the fields that lead to this one. */
  wrap(selections: readonly Selection[]): readonly Selection[];
  /** Returns the objects of a response that have the field. */
  parentsIn(data: Members): readonly Members[];
}

/** Returns the field's selection with the arguments of an input. */
export function callOf(
  { field, selection: { alias: _alias, ...selection } }: FieldSite,
  input: Input,
  change: Partial<FieldSelection>,
): FieldSelection {
  return { ...selection, arguments: argumentsOf(field, input), ...change };
}

/** Returns the arguments of a field for which an input has values. */
export function argumentsOf({ args }: FieldSite["field"], input: Input): readonly GivenArgument[] {
  const given = args.filter(({ name }) => input[name] !== undefined);
  return given.map(({ name, type }) => ({ name, type, value: input[name] }));
}

/** Returns the input with which a field was called. */
export function inputOf({ arguments: given = [] }: FieldSelection): Input {
  return Object.fromEntries(given.map(({ name, value }) => [name, value]));
}

/** Maximum number of checked fields below a root field, and maximum nesting depth. */
const mostNested = 8;
const deepest = 6;

/** Returns the fields with arguments below a root field, nearest first, each once. */
export function nestedSites(run: GraphqlRun, { operation, field, selection }: BaseResult): readonly FieldSite[] {
  const sites = new Map<string, FieldSite>();
  /** Types of objects, with the selections that lead to them from the root on. */
  const waiting: [GraphQLNamedType, readonly Selection[]][] = [[getNamedType(field.type), [selection]]];
  // The list grows during the iteration.
  for (const [type, path] of waiting) {
    const keys = path.flatMap((one) => (one.kind === "field" ? [keyOf(one)] : []));
    const selections = keys.length > deepest ? [] : (path.at(-1)?.selections ?? []);
    const wrap: FieldSite["wrap"] = (others) =>
      path.reduceRight((inner, one): readonly Selection[] => [{ ...one, selections: inner }], others);
    const parentsIn: FieldSite["parentsIn"] = (data) => objectsAt(data, keys);
    for (const one of selections) {
      const inner = one.kind === "field" ? fieldsOf(type)[one.name] : undefined;
      const name = `${type.name}.${inner?.name}`;
      if (one.kind === "field" && inner !== undefined && inner.args.length > 0 && !sites.has(name))
        sites.set(name, { operation, parentType: type.name, field: inner, selection: one, wrap, parentsIn });
      const innerType = one.kind === "fragment" ? run.schema.getType(one.type) : inner && getNamedType(inner.type);
      if (innerType !== undefined) waiting.push([innerType, [...path, one]]);
    }
  }
  return [...sites.values()].slice(0, mostNested);
}

/** Returns the objects at the end of a path of keys, through lists. */
function objectsAt(data: Members, keys: readonly string[]): readonly Members[] {
  return keys.reduce<readonly Members[]>(
    (objects, key) => objects.flatMap((one) => [one[key]].flat(deepest).filter(isRecord)),
    [data],
  );
}

/** A call of a field with one of several inputs, and the response that has it under an alias. */
export interface FieldCall {
  readonly input: Input;
  readonly alias: string;
  readonly held: ValidatedResponse;
}

/** Maximum number of calls in one request: servers limit aliases. */
const mostAliases = 12;

/**
 * Calls a field under one alias for each input. When one nulls the data of others, these are called again, each alone if none is identified
 * as the cause.
 */
export async function callEach(
  run: GraphqlRun,
  site: FieldSite,
  play: CasePlay,
  inputs: readonly Input[],
  selections: readonly Selection[],
): Promise<readonly FieldCall[]> {
  const called = inputs.map((input, index) => ({ input, alias: `call${index}` }));
  const together = async (some: typeof called): Promise<readonly FieldCall[]> => {
    const calls = some.map(({ input, alias }) => callOf(site, input, { alias, selections }));
    const held = await run.execute(play, writeRequest(site.wrap(calls)));
    const failed = new Set(held.response.errors.flatMap(({ path }) => path ?? []));
    const left = some.filter(({ alias }) => !failed.has(alias));
    const all = some.map((one) => ({ ...one, held }));
    if (held.data !== undefined || left.length === 0 || some.length === 1) return all;
    if (["denied", "size"].includes(refusalOf(held.response))) return all;
    const again = new Map<string, FieldCall>();
    for (const group of left.length < some.length ? [left] : left.map((one) => [one]))
      for (const one of await together(group)) again.set(one.alias, one);
    return all.map((one) => again.get(one.alias) ?? one);
  };
  const calls: FieldCall[] = [];
  for (let start = 0; start < called.length; start += mostAliases)
    calls.push(...(await together(called.slice(start, start + mostAliases))));
  return calls;
}

/** Returns the errors of the called field itself, without those of members of its value. */
export function errorsOf({ alias, held }: Pick<FieldCall, "alias" | "held">): readonly ResponseError[] {
  return held.response.errors.filter(({ path }) => path?.at(-1) === alias);
}
