import { isRecord } from "@nodewright/api-model";
import { type GraphQLField, getNamedType, isInterfaceType, isObjectType } from "graphql";
import type { Input } from "../../properties/operation.ts";
import type { BaseAnswer, GraphqlRun } from "./graphql-run.ts";
import type { FieldSelection, Selection } from "./selection.ts";

/** A field at a place that can be asked for: at the root, or below fields that were answered. */
export interface FieldSite {
  readonly operation: string;
  /** Of the objects that have the field. */
  readonly parentType: string;
  readonly field: GraphQLField<unknown, unknown>;
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
  const given = field.args.filter(({ name }) => input[name] !== undefined);
  return { ...selection, arguments: given.map(({ name, type }) => ({ name, type, value: input[name] })), ...change };
}

type Step = (selections: readonly Selection[]) => readonly Selection[];

/** Fields below a root field that are looked at. */
const mostNested = 8;

/** The root field itself. */
export function rootSite(run: GraphqlRun, { operation, field, selection }: BaseAnswer): FieldSite {
  return {
    operation,
    parentType: run.schema.getQueryType()?.name ?? "Query",
    field,
    selection,
    wrap: (selections) => selections,
    parentsIn: (data) => [data],
  };
}

/** Fields with arguments below a root field, the nearest first; `seen` holds those that were looked at elsewhere. */
export function nestedSites(run: GraphqlRun, base: BaseAnswer, seen: Set<string>): readonly FieldSite[] {
  const sites: FieldSite[] = [];
  interface Level {
    readonly type: string;
    readonly selection: FieldSelection;
    readonly steps: readonly Step[];
    readonly keys: readonly string[];
  }
  const root = getNamedType(base.field.type).name;
  const waiting: Level[] = [{ type: root, selection: base.selection, steps: [], keys: [] }];
  for (const { type, selection, steps, keys } of waiting) {
    if (sites.length >= mostNested || keys.length > 5) break;
    const wrapField: Step = (selections) => [{ ...selection, selections }];
    const inner = [...steps, wrapField];
    const path = [...keys, selection.alias ?? selection.name];
    for (const { one, parentType, wrapArm } of fieldsIn(type, selection.selections)) {
      const named = run.schema.getType(parentType);
      const field = isObjectType(named) || isInterfaceType(named) ? named.getFields()[one.name] : undefined;
      if (field === undefined) continue;
      const all = wrapArm === undefined ? inner : [...inner, wrapArm];
      const name = `${parentType}.${field.name}`;
      if (field.args.length > 0 && !seen.has(name)) {
        seen.add(name);
        sites.push({
          operation: base.operation,
          parentType,
          field,
          selection: one,
          wrap: (selections) => all.reduceRight<readonly Selection[]>((wrapped, step) => step(wrapped), selections),
          parentsIn: (data) => objectsAt(data, path),
        });
      }
      if (one.selections.length > 0) {
        waiting.push({ type: getNamedType(field.type).name, selection: one, steps: all, keys: path });
      }
    }
  }
  return sites.slice(0, mostNested);
}

interface InnerField {
  readonly one: FieldSelection;
  readonly parentType: string;
  readonly wrapArm?: Step;
}

function fieldsIn(type: string, selections: readonly Selection[]): readonly InnerField[] {
  return selections.flatMap((one): readonly InnerField[] => {
    if (one.kind === "field") return [{ one, parentType: type }];
    const arm = one.type ?? type;
    const wrapArm: Step = (inner) => [{ kind: "fragment", type: arm, selections: inner }];
    return one.selections.flatMap((inner) =>
      inner.kind === "field" ? [{ one: inner, parentType: arm, wrapArm }] : [],
    );
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
