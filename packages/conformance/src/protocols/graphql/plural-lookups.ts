import { isRecord } from "@nodewright/api-model";
import { propertyRules } from "../../properties/property-rules.ts";
import { inTurns } from "../../basics/in-turns.ts";
import {
  type GraphQLArgument,
  type GraphQLNamedType,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isUnionType,
} from "graphql";
import { type Finding, uniqueFindings } from "../../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../../contract/planned-case.ts";
import { showValue } from "../../compare/show-value.ts";
import { withPlace } from "../../suite/with-place.ts";
import { graphqlCase, kebab } from "./graphql-case.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { BaseAnswer, GraphqlRun, HeldAnswer } from "./graphql-run.ts";
import { inventedFor } from "./object-relations.ts";
import { placeOf } from "./place-of.ts";
import { refusalOf } from "./refusal.ts";
import { singularOf } from "../../inference/singular.ts";
import { type FieldSelection, type Selection, writeQuestion } from "./selection.ts";
import type { PooledValue } from "./value-pool.ts";

/** A field that answers objects by a list of their keys. */
interface Plural {
  readonly argument: GraphQLArgument;
  /** The member of the objects that the keys are. */
  readonly member: string;
  readonly element: GraphQLNamedType;
}

/** Objects by several keys at once: all of them, no others, and where nulls stand for what is not there, in the order of the keys. */
export function planPlural(run: GraphqlRun, base: BaseAnswer): readonly PlannedCase[] {
  const plural = pluralOf(run, base);
  if (plural === undefined) return [];
  const keys = keysFor(run, plural);
  if (keys.length < 2) return [];
  return [
    graphqlCase({
      operation: base.operation,
      group: "relation",
      name: `several-by-${kebab(plural.argument.name)}`,
      rule: graphqlRules.several,
      expected: `the objects that have these ${plural.argument.name}`,
      requests: 2,
      play: (play) => playPlural(run, base, plural, keys, play),
    }),
  ];
}

function pluralOf(run: GraphqlRun, { field }: BaseAnswer): Plural | undefined {
  const element = run.schema.getType(getNamedType(field.type).name);
  if (element === undefined || !isListType(getNullableType(field.type))) return undefined;
  const required = field.args.filter(isRequiredArgument);
  const lists = (required.length > 0 ? required : field.args).filter(({ type }) => {
    const nullable = getNullableType(type);
    return isListType(nullable) && isLeafType(getNullableType(nullable.ofType));
  });
  const [argument] = lists;
  if (argument === undefined || lists.length > 1 || required.length > 1) return undefined;
  const member = keyMember(run, element, argument);
  return member === undefined ? undefined : { argument, member, element };
}

function keyMember(run: GraphqlRun, element: GraphQLNamedType, { name, type }: GraphQLArgument): string | undefined {
  const leaf = getNamedType(type).name;
  const types = typesOf(run, element);
  const singular = singularOf(name);
  return [name, singular, singular.charAt(0).toLowerCase() + singular.slice(1)].find((member) =>
    types.every((one) => {
      const field = isObjectType(one) || isInterfaceType(one) ? one.getFields()[member] : undefined;
      return field !== undefined && field.args.length === 0 && getNamedType(field.type).name === leaf && isKey(member);
    }),
  );
}

/** Names of members that one object has alone. */
function isKey(member: string): boolean {
  return /(?:^|[a-z])(?:id|uuid|guid|hash|code|slug|key|isbn|sku|number|login|txid|address|handle|ref)$/i.test(member);
}

function typesOf(run: GraphqlRun, element: GraphQLNamedType): readonly GraphQLNamedType[] {
  return isInterfaceType(element) || isUnionType(element) ? run.schema.getPossibleTypes(element) : [element];
}

/** Keys that objects were answered with: of different types first, and of those that stood nearest to the root. */
function keysFor(run: GraphqlRun, { element, member }: Plural): readonly PooledValue[] {
  const byType = typesOf(run, element).map(({ name }) =>
    run.pool.valuesOf(name, member).toSorted((left, right) => left.depth - right.depth),
  );
  return inTurns(byType).slice(0, Math.max(3, Math.min(byType.length, 8)));
}

async function playPlural(
  run: GraphqlRun,
  base: BaseAnswer,
  plural: Plural,
  keys: readonly PooledValue[],
  play: CasePlay,
): Promise<readonly Finding[]> {
  const { argument, member } = plural;
  const values = keys.map(({ value }) => value);
  const [first, second] = values;
  const invented = inventedFor({ name: argument.name, type: argument.type, value: first });
  const ways = new Map<string, readonly unknown[]>([
    ["all", values],
    ["reversed", values.toReversed()],
    ["one", [second]],
    ["none", []],
  ]);
  const ask = async (some: ReadonlyMap<string, readonly unknown[]>): Promise<HeldAnswer> => {
    const asked = [...some].map(([alias, value]): FieldSelection => {
      const rest = (base.selection.arguments ?? []).filter(({ name }) => name !== argument.name);
      const given = [...rest, { name: argument.name, type: argument.type, value }];
      const selections = keySelection(plural);
      return { kind: "field", name: base.field.name, alias, arguments: given, selections };
    });
    return await run.ask(play, writeQuestion(asked));
  };
  const held = await ask(ways);
  if (held.data === undefined || held.response.errors.length > 0) {
    return uniqueFindings([...held.findings, ...failureFindings(base, plural, ways, held)]);
  }
  const findings = [...held.findings];
  for (const [alias, wanted] of ways) findings.push(...answerFindings(base, plural, keys, wanted, held.data[alias]));
  // Who leaves a place for what is not there says which place is whose.
  const isNullable = !isNonNullType(elementOf(base));
  if (invented === undefined || !isNullable || uniqueFindings(findings).length > 0) return uniqueFindings(findings);
  const mixed = [first, invented, second];
  const gap = await ask(new Map([["mixed", mixed]]));
  const answered = gap.data?.["mixed"];
  if (!Array.isArray(answered)) return findings;
  const isOfNodes = base.field.name === "nodes" && argument.name === "ids";
  const isPlaced = answered.length === mixed.length && answered[1] === null;
  if (isOfNodes && !isPlaced && answered.length < mixed.length) {
    const message = "nodes has no null in the place of an id that nothing has";
    findings.push({ rule: graphqlRules.severalOrder, message, ...placeIn(plural) });
  }
  const isInOrder = [...ways].every(([alias, wanted]) => isOrdered(held.data?.[alias], wanted, member));
  if (!isInOrder) {
    const rule = isOfNodes ? graphqlRules.severalOrder : graphqlRules.severalOrderLikely;
    const message = `${base.field.name} has the objects in another order than ${argument.name}`;
    findings.push({ rule, message, ...placeIn(plural) });
  }
  return uniqueFindings(findings);
}

function elementOf({ field }: BaseAnswer): BaseAnswer["field"]["type"] {
  const list = getNullableType(field.type);
  return isListType(list) ? list.ofType : list;
}

function keySelection({ element, member }: Plural): readonly Selection[] {
  const leaf = (name: string): FieldSelection => ({ kind: "field", name, selections: [] });
  const isOwn = (isObjectType(element) || isInterfaceType(element)) && element.getFields()[member] !== undefined;
  if (isOwn) return [leaf("__typename"), leaf(member)];
  const types = isUnionType(element) ? element.getTypes() : [];
  return [
    leaf("__typename"),
    ...types.map(({ name }): Selection => ({ kind: "fragment", type: name, selections: [leaf(member)] })),
  ];
}

/** What is refused although every key was answered, or there is none. */
function failureFindings(
  base: BaseAnswer,
  plural: Plural,
  ways: ReadonlyMap<string, readonly unknown[]>,
  { response }: HeldAnswer,
): readonly Finding[] {
  return [...ways.keys()].flatMap((alias): readonly Finding[] => {
    const errors = response.errors.filter(({ path }) => path?.length === 1 && path[0] === alias);
    if (errors.length === 0 || refusalOf({ ...response, errors }) !== "unknown") return [];
    const what = alias === "none" ? "an empty list" : "keys that were answered";
    const message = `${base.field.name} is answered with an error for ${what}`;
    return [{ rule: propertyRules.validInput, message, detail: errors[0]?.message ?? "", ...placeIn(plural) }];
  });
}

function answerFindings(
  base: BaseAnswer,
  plural: Plural,
  keys: readonly PooledValue[],
  wanted: readonly unknown[],
  answered: unknown,
): readonly Finding[] {
  if (!Array.isArray(answered)) return [];
  const { argument, member } = plural;
  const told = answered.flatMap((one) => (isRecord(one) ? [one[member]] : []));
  const findings: Finding[] = [];
  const stranger = told.find((value) => wanted.length > 0 && !wanted.includes(value));
  if (stranger !== undefined) {
    const message = `${base.field.name} answers objects with another ${member} than ${argument.name} has`;
    findings.push({ rule: graphqlRules.several, message, detail: showValue(stranger), ...placeIn(plural) });
  }
  if (new Set(told).size < told.length) {
    const message = `${base.field.name} answers an object more than once`;
    findings.push({ rule: graphqlRules.several, message, ...placeIn(plural) });
  }
  const missing = keys.find(({ value }) => wanted.includes(value) && !told.includes(value));
  if (missing !== undefined) {
    // What only something else leads to need not be open to everybody.
    const isRoot = keys.every(({ depth }) => depth <= 2) || told.length === 0;
    const rule = isRoot ? graphqlRules.several : graphqlRules.resolvedLikely;
    const message = `${base.field.name} does not find by ${argument.name} what was answered with it`;
    findings.push({ rule, message, detail: showValue(missing.value), ...placeIn(plural) });
  }
  return findings;
}

function isOrdered(answered: unknown, wanted: readonly unknown[], member: string): boolean {
  if (!Array.isArray(answered) || answered.length !== wanted.length) return true;
  return answered.every((one, index) => !isRecord(one) || one[member] === wanted[index]);
}

function placeIn({ argument }: Plural): ReturnType<typeof withPlace> {
  return withPlace(placeOf(argument.astNode));
}
