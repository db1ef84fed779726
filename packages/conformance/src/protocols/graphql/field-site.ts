import { isRecord } from "@nodewright/api-model";
import { type GraphQLOutputType, getNamedType, isInterfaceType, isObjectType } from "graphql";
import type { Field } from "./field-names.ts";
import type { Input } from "../../properties/operation.ts";
import type { BaseAnswer, GraphqlRun } from "./graphql-run.ts";
import type { FieldSelection, GivenArgument, Selection } from "./selection.ts";

/** A field at a place that can be asked for: at the root, or below fields that were answered. */
export interface FieldSite {
  readonly operation: string;
  /** Of the objects that have the field. */
  readonly parentType: string;
  readonly field: Field;
  /** The field as it was asked for. */
  readonly selection: FieldSelection;
  /** Puts fields of the same objects where this one stands. */
  wrap(selections: readonly Selection[]): readonly Selection[];
  /** The objects of an answer that have the field. */
  parentsIn(data: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, unknown>>[];
}

/** The field with the arguments of an input. */
export function callOf(
  { field, selection: { alias: _alias, ...selection } }: FieldSite,
  input: Input,
  change: Partial<FieldSelection>,
): FieldSelection {
  return { ...selection, arguments: argumentsOf(field, input), ...change };
}

/** The arguments of a field that an input has values of. */
export function argumentsOf({ args }: FieldSite["field"], input: Input): readonly GivenArgument[] {
  const given = args.filter(({ name }) => input[name] !== undefined);
  return given.map(({ name, type }) => ({ name, type, value: input[name] }));
}

/** The input that a field was called with. */
export function inputOf({ arguments: given = [] }: FieldSelection): Input {
  return Object.fromEntries(given.map(({ name, value }) => [name, value]));
}

/** Fields below a root field that are looked at. */
const mostNested = 8;

/** A field on the way to those below it. */
interface Level {
  readonly type: string;
  readonly selections: readonly Selection[];
  /** Wraps selections of the type. */
  readonly wrap: FieldSite["wrap"];
  /** In responses, from the root on. */
  readonly keys: readonly string[];
}

/** Fields with arguments below a root field, the nearest first, each once. */
export function nestedSites(run: GraphqlRun, { operation, field, selection }: BaseAnswer): readonly FieldSite[] {
  const sites = new Map<string, FieldSite>();
  const levelOf = (
    type: GraphQLOutputType,
    one: FieldSelection,
    { wrap, keys }: Pick<Level, "wrap" | "keys">,
  ): Level => ({
    type: getNamedType(type).name,
    selections: one.selections,
    wrap: (selections) => wrap([{ ...one, selections }]),
    keys: [...keys, one.alias ?? one.name],
  });
  const waiting = [levelOf(field.type, selection, { wrap: (selections) => selections, keys: [] })];
  for (const level of waiting) {
    if (sites.size >= mostNested || level.keys.length > 6) break;
    for (const { one, type, wrap } of fieldsIn(level)) {
      const named = run.schema.getType(type);
      const inner = isObjectType(named) || isInterfaceType(named) ? named.getFields()[one.name] : undefined;
      if (inner === undefined) continue;
      const name = `${type}.${inner.name}`;
      const parentsIn: FieldSite["parentsIn"] = (data) => objectsAt(data, level.keys);
      if (inner.args.length > 0 && !sites.has(name))
        sites.set(name, { operation, parentType: type, field: inner, selection: one, wrap, parentsIn });
      if (one.selections.length > 0) waiting.push(levelOf(inner.type, one, { wrap, keys: level.keys }));
    }
  }
  return [...sites.values()].slice(0, mostNested);
}

/** The fields of a level, also those of its fragments, with the type that has them. */
function fieldsIn(level: Level): readonly (Pick<Level, "type" | "wrap"> & { readonly one: FieldSelection })[] {
  return level.selections.flatMap((one) => {
    if (one.kind === "field") return [{ one, type: level.type, wrap: level.wrap }];
    const { type = level.type } = one;
    const wrap: Level["wrap"] = (selections) => level.wrap([{ kind: "fragment", type, selections }]);
    return one.selections.flatMap((inner) => (inner.kind === "field" ? [{ one: inner, type, wrap }] : []));
  });
}

/** The objects that a chain of keys leads to, through lists. */
function objectsAt(
  data: Readonly<Record<string, unknown>>,
  keys: readonly string[],
): readonly Readonly<Record<string, unknown>>[] {
  let objects: readonly Readonly<Record<string, unknown>>[] = [data];
  for (const key of keys) objects = objects.flatMap((one) => recordsIn(one[key]));
  return objects;
}

function recordsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (Array.isArray(value)) return value.flatMap(recordsIn);
  return isRecord(value) ? [value] : [];
}
