import { isObjectType } from "graphql";
import { listOf } from "../../compare/list-of.ts";
import type { PlannedCase } from "../../contract/planned-case.ts";
import type { Property } from "../../properties/property.ts";
import { type FieldSite, nestedSites } from "./field-site.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { BaseResult, GraphqlRun } from "./graphql-run.ts";
import { fieldOperation } from "./input-cases.ts";
import { planBoundaries, planCases } from "../../properties/plan-operation.ts";
import { elementsOf, listShapeOf } from "./list-shape.ts";
import { planDefaults, planListRelations, planOfValue } from "./property-cases.ts";

/** Maximum number of fields below the root whose arguments are checked in a run. */
const mostSites = 12;

/** Plans the checks of arguments for fields below the root: the same as for those at the root. */
export function planNestedArguments(run: GraphqlRun): readonly PlannedCase[] {
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
  return planCases(operations, [planBoundaries, planOfValue(nullProperty), planDefaults, planListRelations]);
}

/** Property that null as the value of a nullable argument without a default has the effect of leaving it out. */
const nullProperty: Property = {
  name: "null-arguments",
  rule: graphqlRules.nullArgument,
  *checks({ operation, base, defaultOf, differencesOf }) {
    for (const parameter of operation.parameters) {
      const { name, property, required } = parameter;
      if (required || base[property] !== undefined || defaultOf(parameter) !== undefined) continue;
      const withNull = { ...base, [property]: null };
      yield {
        name: `${property}-null`,
        expected: "the same where arguments are null as where they are left out",
        parameter,
        inputs: [base, withNull],
        isWhole: true,
        verify: async (call) => {
          const [plain, other] = await call(base, withNull);
          const message = `the value is another where ${name} is null than where it is left out`;
          return differencesOf(plain.value, other.value).length === 0 ? [] : [{ message }];
        },
      };
    }
  },
};

/** Returns the interface that declares a field, or its own type: a field of an interface is checked in only one of its types. */
function declaringType(run: GraphqlRun, { parentType, field }: FieldSite): string {
  const type = run.schema.getType(parentType);
  const interfaces = isObjectType(type) ? type.getInterfaces() : [];
  return interfaces.find((one) => one.getFields()[field.name] !== undefined)?.name ?? parentType;
}

/** Returns how suitable a place in a response is: an empty list is useless, and the fewer objects there, the better. */
function weightOf(site: FieldSite, { value, selection }: BaseResult): number {
  const parents = site.parentsIn({ [selection.alias ?? selection.name]: value });
  const key = site.selection.alias ?? site.selection.name;
  const shape = listShapeOf(site.field.type);
  const sizes = parents.slice(0, 20).map((parent) => {
    const items = elementsOf(shape, parent[key]) ?? listOf(parent[key])?.items;
    return items?.length ?? (parent[key] == null ? 0 : 1);
  });
  return Math.min(Math.max(0, ...sizes), 3) * 100 - Math.min(parents.length, 50);
}
