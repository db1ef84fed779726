import { withPlace } from "../suite/with-place.ts";
import { type GraphQLArgument, type GraphQLOutputType, getNamedType, getNullableType, isListType } from "graphql";
import type { Finding } from "../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../contract/planned-case.ts";
import type { Rule } from "../contract/rule.ts";
import { differences } from "../compare/differences.ts";
import { isMovingName } from "../compare/volatile-names.ts";
import { trimmed } from "./equal-cases.ts";
import { connectionNodeOf, isLimitName, isOffsetName } from "./field-names.ts";
import { planConnection } from "./connection-pages.ts";
import type { FieldSite } from "./field-site.ts";
import { planFilters } from "./filter-relations.ts";
import { graphqlCase, kebab } from "./graphql-case.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { GraphqlRun } from "./graphql-run.ts";
import { listShapeOf } from "./list-shape.ts";
import { planOrders } from "./order-relations.ts";
import { planPages } from "./page-relations.ts";
import { placeOf } from "./place-of.ts";
import { uniqueFindings } from "./read-response.ts";
import type { FieldSelection, GivenArgument, Selection } from "./selection.ts";
import { writeQuestion } from "./selection.ts";

type Elements = readonly unknown[];

/** Tells what is wrong between the elements of a plain field and those of the other one, of the same object. */
type Compare = (plain: Elements, other: Elements) => readonly Omit<Finding, "place">[];

/** What arguments of a list, a connection or an element by its position promise by their names and types. */
export function planListRelations(run: GraphqlRun, site: FieldSite): readonly PlannedCase[] {
  const { field } = site;
  const filters = [...planFilters(run, site), ...planOrders(run, site)];
  if (connectionNodeOf(getNamedType(field.type)) !== undefined) return [...planConnection(run, site), ...filters];
  if (elementsOf(field.type) === undefined) return filters;
  const pages = planPages(run, site);
  const ofLength = field.args.flatMap((argument) => {
    if (isLimitName(argument.name) && isWhole(argument)) return [planLimit(run, site, argument)];
    if (isOffsetName(argument.name) && isWhole(argument)) return [planOffset(run, site, argument)];
    return [];
  });
  return [...filters, ...(pages.length > 0 ? pages : ofLength)];
}

/** How the elements of a list or a page are come by; undefined for what is neither. */
function elementsOf(type: GraphQLOutputType): ((value: unknown) => Elements | undefined) | undefined {
  if (!isListType(getNullableType(type))) return listShapeOf(type)?.elementsOf;
  return (value) => (Array.isArray(value) ? value : undefined);
}

function isWhole({ type }: GraphQLArgument): boolean {
  return getNamedType(type).name === "Int";
}

function nameOf({ parentType, field }: FieldSite, run: GraphqlRun): string {
  return parentType === run.schema.getQueryType()?.name ? "" : `${kebab(parentType)}-${kebab(field.name)}-`;
}

function planLimit(run: GraphqlRun, site: FieldSite, argument: GraphQLArgument): PlannedCase {
  const { name, type } = argument;
  const isFromEnd = name === "last";
  return besideCase(
    run,
    site,
    `${kebab(name)}-limits`,
    graphqlRules.limit,
    `at most as many elements as ${name} says`,
    [
      {
        alias: "one",
        given: [{ name, type, value: 1 }],
        compare: (plain, other) => limitFindings(site, name, 1, isFromEnd, plain, other),
      },
      {
        alias: "two",
        given: [{ name, type, value: 2 }],
        compare: (plain, other) => limitFindings(site, name, 2, isFromEnd, plain, other),
      },
    ],
  );
}

function limitFindings(
  { field }: FieldSite,
  name: string,
  limit: number,
  isFromEnd: boolean,
  plain: Elements,
  other: Elements,
): ReturnType<Compare> {
  if (other.length > limit) {
    const message = `${field.name} has more elements than ${name} says`;
    return [{ rule: graphqlRules.limit, message, detail: `${other.length} for ${limit}` }];
  }
  if (other.length < Math.min(limit, plain.length)) {
    const message = `${field.name} has fewer elements than ${name} says and there are`;
    return [{ rule: graphqlRules.limitPrefix, message, detail: `${other.length} of ${plain.length} for ${limit}` }];
  }
  if (isFromEnd || isSame(plain.slice(0, other.length), other)) return [];
  return [
    { rule: graphqlRules.limitPrefix, message: `${field.name} limited by ${name} begins otherwise than without` },
  ];
}

function planOffset(run: GraphqlRun, site: FieldSite, argument: GraphQLArgument): PlannedCase {
  const { name, type } = argument;
  const { field } = site;
  return besideCase(run, site, `${kebab(name)}-skips`, graphqlRules.offset, `the elements after the first ${name}`, [
    {
      alias: "skipped",
      given: [{ name, type, value: 1 }],
      compare: (plain, other) => {
        if (plain.length < 2 || isSame(plain[0], plain[1])) return [];
        if (isSame(plain[0], other[0])) {
          return [{ rule: graphqlRules.offset, message: `${field.name} begins with the element that ${name} skips` }];
        }
        if (isSame(plain[1], other[0])) return [];
        return [
          { rule: graphqlRules.limitPrefix, message: `${field.name} after ${name} is not what follows without it` },
        ];
      },
    },
  ]);
}

interface Other {
  readonly alias: string;
  readonly given: readonly GivenArgument[];
  readonly compare: Compare;
}

/** A field plainly and with further arguments, in one request, of the same objects. */
function besideCase(
  run: GraphqlRun,
  site: FieldSite,
  name: string,
  rule: Rule,
  expected: string,
  others: readonly Other[],
): PlannedCase {
  return graphqlCase({
    operation: site.operation,
    group: "relation",
    name: `${nameOf(site, run)}${name}`,
    rule,
    expected,
    play: (play) => playBeside(run, site, others, play),
  });
}

async function playBeside(
  run: GraphqlRun,
  site: FieldSite,
  others: readonly Other[],
  play: CasePlay,
): Promise<readonly Finding[]> {
  const plain: FieldSelection = { ...site.selection, alias: "plain", selections: trimmed(site.selection.selections) };
  const asked: readonly Selection[] = [
    plain,
    ...others.map(({ alias, given }): FieldSelection => {
      const rest = (plain.arguments ?? []).filter((one) => !given.some(({ name }) => name === one.name));
      return { ...plain, alias, arguments: [...rest, ...given] };
    }),
  ];
  const held = await run.ask(play, writeQuestion(site.wrap(asked)));
  if (held.data === undefined || held.response.errors.length > 0) return play.skip("The target does not answer this");
  const place = withPlace(placeOf(site.field.astNode));
  const findings: Finding[] = [...held.findings];
  const elements = elementsOf(site.field.type);
  for (const parent of site.parentsIn(held.data)) {
    const whole = elements?.(parent["plain"]);
    for (const { alias, compare } of others) {
      const other = elements?.(parent[alias]);
      if (whole === undefined || other === undefined) continue;
      for (const finding of compare(whole, other)) findings.push({ ...finding, ...place });
    }
  }
  return uniqueFindings(findings);
}

/** The same but for what changes by itself. */
function isSame(left: unknown, right: unknown): boolean {
  return differences(undefined, left, right, {}).every(({ name }) => isMovingName(name));
}
