import { isRecord } from "@nodewright/api-model";
import { getNamedType, isInterfaceType, isObjectType } from "graphql";
import type { Field } from "./field-names.ts";
import type { Input } from "../../properties/operation.ts";
import type { BaseResult, GraphqlRun } from "./graphql-run.ts";
import type { FieldSelection, GivenArgument, Selection } from "./selection.ts";

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
  parentsIn(data: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, unknown>>[];
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

/** Selections of one type on the way to those below it. */
interface Level extends Pick<FieldSite, "wrap"> {
  readonly type: string;
  readonly selections: readonly Selection[];
  /** Keys in responses, from the root on. */
  readonly keys: readonly string[];
}

/** Returns the fields with arguments below a root field, nearest first, each once. */
export function nestedSites(run: GraphqlRun, { operation, field, selection }: BaseResult): readonly FieldSite[] {
  const sites = new Map<string, FieldSite>();
  const waiting: Level[] = [];
  const goInto = (type: string, one: Selection, { wrap, keys }: Pick<Level, "wrap" | "keys">): void => {
    const { selections } = one;
    const inner = one.kind === "field" ? [...keys, one.alias ?? one.name] : keys;
    if (selections.length === 0 || inner.length > deepest) return;
    waiting.push({ type, selections, keys: inner, wrap: (others) => wrap([{ ...one, selections: others }]) });
  };
  goInto(getNamedType(field.type).name, selection, { wrap: (selections) => selections, keys: [] });
  for (const level of waiting) {
    const { type, selections, keys, wrap } = level;
    const named = run.schema.getType(type);
    for (const one of selections) {
      if (one.kind === "fragment") {
        goInto(one.type ?? type, one, level);
        continue;
      }
      const inner = isObjectType(named) || isInterfaceType(named) ? named.getFields()[one.name] : undefined;
      if (inner === undefined) continue;
      const name = `${type}.${inner.name}`;
      const parentsIn: FieldSite["parentsIn"] = (data) => objectsAt(data, keys);
      if (inner.args.length > 0 && !sites.has(name))
        sites.set(name, { operation, parentType: type, field: inner, selection: one, wrap, parentsIn });
      goInto(getNamedType(inner.type).name, one, level);
    }
  }
  return [...sites.values()].slice(0, mostNested);
}

/** Returns the objects at the end of a path of keys, through lists. */
function objectsAt(
  data: Readonly<Record<string, unknown>>,
  keys: readonly string[],
): readonly Readonly<Record<string, unknown>>[] {
  let objects = [data];
  for (const key of keys) objects = objects.flatMap((one) => [one[key]].flat(deepest).filter(isRecord));
  return objects;
}
