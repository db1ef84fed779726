import { isEqualJson } from "@nodewright/api-model";
import { getNamedType, getNullableType, isListType, isObjectType } from "graphql";
import { type Difference, differences } from "../../../compare/differences.ts";
import type { CaseDraft, PlannedCase } from "../../../contract/planned-case.ts";
import { defaultProperty } from "../../../properties/default.ts";
import { limitProperty } from "../../../properties/limit.ts";
import type { Input, Operation } from "../../../properties/operation.ts";
import { pagesProperty } from "../../../properties/pagination.ts";
import { planBetweenSeen, planCases, type Planner, planSeen } from "../../../properties/plan-operation.ts";
import { selectionProperties, listProperties } from "../../../properties/properties.ts";
import type { Property } from "../../../properties/property.ts";
import { steadyProperty } from "../../../properties/steady.ts";
import { connectionProperty } from "../response-rules/connection-pages.ts";
import { isPermanentKeyName } from "../schema/field-names.ts";
import { callAgain, fieldOperation, type FieldOperation, propertyOperation } from "./field-operation.ts";
import { isByChance } from "../schema/field-types.ts";
import { graphqlRules } from "../contract/graphql-rules.ts";
import { elementsOf, listShapeOf, plainShape } from "../selection/list-shape.ts";
import { listOf } from "../../../compare/list-of.ts";
import { type FieldSite, nestedSites } from "../run/field-site.ts";
import type { BaseResult, GraphqlRun } from "../run/graphql-run.ts";
import { keyOf } from "../selection/selection.ts";

/** Properties of connections, whose cursors are specified. */
const connectionProperties: readonly Property[] = [
  ...selectionProperties,
  limitProperty,
  { ...pagesProperty, rule: graphqlRules.cursor },
  connectionProperty,
];

/** Plans the properties of a list's arguments, inferred from their names and types, at the root or below it. */
export function planListRelations(operation: FieldOperation): readonly CaseDraft[] {
  const { run, site } = operation;
  const { type } = site.field;
  const shape = listShapeOf(type) ?? (isListType(getNullableType(type)) ? plainShape(getNamedType(type)) : undefined);
  if (shape === undefined) return [];
  const properties = shape.isConnection ? connectionProperties : listProperties;
  return planSeen(operation, propertyOperation(run, site, shape), properties);
}

/** Returns the planner of properties of a field's complete value. */
export function planOfValue(...properties: readonly Property[]): Planner<FieldOperation> {
  return (operation) => planSeen(operation, propertyOperation(operation.run, operation.site, undefined), properties);
}

/** Plans the checks of argument defaults, for any returned value. */
export const planDefaults: Planner<FieldOperation> = planOfValue(defaultProperty);

/** Plans the repetition of a root field's request. Members that differ are excluded from later comparisons. */
export function planSteady(run: GraphqlRun, base: BaseResult): readonly PlannedCase[] {
  let before = base.value;
  if (isByChance(base.field)) run.movingOf(base.operation).add("");
  const operation: Operation = {
    ...propertyOperation(run, base, undefined),
    known: [{ input: {}, value: base.value }],
    steadiness: () => "usual",
    call: async (play) => {
      const outcome = await callAgain(run, base, play);
      const [result] = outcome.results ?? [];
      if (result === undefined) return [outcome];
      learnMoving(run, base, differences(undefined, before, result.value, {}));
      before = result.value;
      return [outcome];
    },
  };
  return casesOf(run, base, operation, steadyProperty);
}

/** Records members that change by themselves. A different list, or an object with another identity, may just have moved on. */
function learnMoving(run: GraphqlRun, { operation, selection }: BaseResult, found: readonly Difference[]): void {
  const moving = run.movingOf(operation);
  for (const { name } of found) moving.add(name);
  const isNamed = (selection.arguments ?? []).some(({ name }) => isPermanentKeyName(name));
  const isOther = found.some(
    ({ name, kind }) => kind === "length" || isPermanentKeyName(name) || ["number", "height"].includes(name),
  );
  if (isOther && !isNamed) moving.add("");
  if (!isOther) for (const { name } of found) run.restless.add(name);
}

/** Returns the cases of a field's properties. */
export function casesOf(
  run: GraphqlRun,
  site: FieldSite,
  asSeen: Operation,
  property: Property,
): readonly PlannedCase[] {
  return planCases([fieldOperation(run, site)], [(operation) => planSeen(operation, asSeen, [property])]);
}

/** Returns the cases of relations between root fields, by the operation of the field that a case belongs to. */
export function relationCasesOf(run: GraphqlRun): ReadonlyMap<string, readonly PlannedCase[]> {
  const operations = [...run.bases.values()].map(
    (base) => [fieldOperation(run, base), relatedOperation(run, base)] as const,
  );
  return Map.groupBy(planBetweenSeen(operations), ({ operation }) => operation);
}

/** Returns a root field as an operation of relations, which reuses its response. */
function relatedOperation(run: GraphqlRun, base: BaseResult): Operation {
  const operation = propertyOperation(run, base, undefined);
  const [known] = operation.known;
  return {
    ...operation,
    call: async (play, inputs, options) => {
      const isKnown = (input: Input): boolean => isEqualJson(input, known?.input);
      const others = inputs.filter((input) => !isKnown(input));
      const outcomes = others.length === 0 ? [] : await operation.call(play, others, options);
      const earlier = { findings: [], results: [{ value: base.value }] };
      const again =
        options.allowsEarlier || others.length === inputs.length ? earlier : await callAgain(run, base, play);
      return inputs.map((input) => (isKnown(input) ? again : outcomes[others.indexOf(input)]) ?? { findings: [] });
    },
  };
}

/** Maximum number of fields below the root whose arguments are checked in a run. */
const mostSites = 12;

/** Plans the checks of arguments for fields below the root: the same as for those at the root. */
export function planNestedArguments(
  run: GraphqlRun,
  planners: readonly Planner<FieldOperation>[],
): readonly PlannedCase[] {
  const best = new Map<string, { readonly site: FieldSite; readonly weight: number }>();
  for (const base of run.bases.values()) {
    for (const site of nestedSites(run, base)) {
      const name = `${declaringType(run, site)}.${site.field.name}`;
      const weight = weightOf(site, base);
      const known = best.get(name);
      if (known === undefined || known.weight < weight) best.set(name, { site, weight });
    }
  }
  const operations = [...best.values()].slice(0, mostSites).map(({ site }) => fieldOperation(run, site));
  return planCases(operations, planners);
}

/** Returns the interface that declares a field, or its own type: a field of an interface is checked in only one of its types. */
function declaringType(run: GraphqlRun, { parentType, field }: FieldSite): string {
  const type = run.schema.getType(parentType);
  const interfaces = isObjectType(type) ? type.getInterfaces() : [];
  return interfaces.find((one) => one.getFields()[field.name] !== undefined)?.name ?? parentType;
}

/** Returns how suitable a place in a response is: an empty list is useless, and the fewer objects there, the better. */
function weightOf(site: FieldSite, { value, selection }: BaseResult): number {
  const parents = site.parentsIn({ [keyOf(selection)]: value });
  const key = keyOf(site.selection);
  const shape = listShapeOf(site.field.type);
  const sizes = parents.slice(0, 20).map((parent) => {
    const items = elementsOf(shape, parent[key]) ?? listOf(parent[key])?.items;
    return items?.length ?? (parent[key] == null ? 0 : 1);
  });
  return Math.min(Math.max(0, ...sizes), 3) * 100 - Math.min(parents.length, 50);
}
