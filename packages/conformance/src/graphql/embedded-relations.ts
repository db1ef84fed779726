import { withPlace } from "../suite/with-place.ts";
import {
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  isRequiredArgument,
} from "graphql";
import type { Finding } from "../contract/finding.ts";
import type { CasePlay, PlannedCase } from "../contract/planned-case.ts";
import { differences } from "../compare/differences.ts";
import { isRecord } from "../types/is-record.ts";
import { isMovingName, isVolatileName } from "../compare/volatile-names.ts";
import { isUnfitValue, keyArguments, queryFields } from "./field-cases.ts";
import { isSingle } from "./field-names.ts";
import { graphqlCase } from "./graphql-case.ts";
import type { GraphqlQuestion } from "./graphql-request.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { BaseAnswer, GraphqlRun, HeldAnswer } from "./graphql-run.ts";
import { placeOf } from "./place-of.ts";
import { uniqueFindings } from "./read-response.ts";
import { refusalOf } from "./refusal.ts";
import { identityOf } from "./select-fields.ts";
import { type FieldSelection, type GivenArgument, type Selection, trimmed, writeQuestion } from "./selection.ts";
import { type Suspect, steadyDifferences } from "./steady-differences.ts";
import type { MetField } from "./walk-answer.ts";

type Objects = Readonly<Record<string, unknown>>;

/** Types of objects within one answer that are looked up, and objects of each. */
const mostTypes = 4;
const mostObjects = 4;
/** Objects of all types together, where types are fewer: one has what another lacks. */
const allObjects = 14;
/** Further objects of a field that answers one by its key. */
const mostSiblings = 5;

/** Fields that answer what is not settled: what would become of an object there need not be what it says by itself. */
const unsettledName = /^(?:pending|draft|preview|mempool)/i;

/** How objects of a type are asked for one by one. */
interface Lookup {
  readonly type: GraphQLObjectType;
  readonly field: GraphQLField<unknown, unknown>;
  /** Argument, and the member that it is. */
  readonly key: string;
}

/** Objects within an answer, asked for by their own keys beside it: they have the same values in both places. */
export function planEmbedded(run: GraphqlRun, base: BaseAnswer): readonly PlannedCase[] {
  const lookups = unsettledName.test(base.field.name) ? [] : lookupsFor(run, base);
  if (lookups.length === 0) return [];
  return [
    graphqlCase({
      operation: base.operation,
      group: "relation",
      name: "objects-alone",
      rule: graphqlRules.alone,
      expected: "the same values in an object asked for by its key as where it stands in another",
      requests: 3,
      play: (play) => playEmbedded(run, base, lookups, play),
    }),
  ];
}

function lookupsFor(run: GraphqlRun, base: BaseAnswer): readonly Lookup[] {
  const lookups: Lookup[] = [];
  for (const type of new Set(base.met.map(({ parentType }) => parentType))) {
    const lookup = lookupOf(run, base, type);
    if (lookup !== undefined) lookups.push(lookup);
  }
  return lookups.slice(0, mostTypes);
}

/** Another field than the base's own, else `node(id:)`; the own one is asked again with another selection. */
function lookupOf(run: GraphqlRun, base: BaseAnswer, type: GraphQLObjectType): Lookup | undefined {
  const found: Lookup[] = [];
  for (const field of queryFields(run)) {
    const answered = getNamedType(field.type);
    const isOfType = answered === type || (isInterfaceType(answered) && run.schema.isSubType(answered, type));
    if (!isSingle(field) || !isOfType || run.avoided.has(`${run.schema.getQueryType()?.name}.${field.name}`)) continue;
    for (const argument of field.args) {
      const member = type.getFields()[argument.name];
      const isOnly = field.args.every((one) => one === argument || !isRequiredArgument(one));
      if (member === undefined || !isOnly || isCompositeType(getNamedType(member.type)) || member.args.length > 0)
        continue;
      if (getNamedType(member.type) === getNamedType(argument.type)) found.push({ type, field, key: argument.name });
    }
  }
  return found.find(({ field }) => field !== base.field) ?? found[0];
}

async function playEmbedded(
  run: GraphqlRun,
  base: BaseAnswer,
  lookups: readonly Lookup[],
  play: CasePlay,
): Promise<readonly Finding[]> {
  const met = await metAround(run, base, play);
  const choose = (most: number) =>
    lookups.flatMap((lookup) => objectsOf(met, lookup, most).map((object) => ({ lookup, object })));
  const write = (some: ReturnType<typeof choose>): GraphqlQuestion =>
    writeQuestion(some.map(({ lookup, object }, index) => lookupSelection(run, lookup, object, `object${index}`)));
  let objects = choose(Math.max(mostObjects, Math.floor(allObjects / lookups.length)));
  if (objects.length === 0) return play.skip("No object with a key was answered");
  let question = write(objects);
  let beside = await run.ask(play, question);
  if (beside.data === undefined && refusalOf(beside.response) === "size") {
    objects = choose(1);
    question = write(objects);
    beside = await run.ask(play, question);
  }
  const unfit = unfitMembers(objects, beside);
  if (unfit.length > 0) {
    const again = new Set(unfitMembers(objects, await run.ask(play, question)).map(({ message }) => message));
    return uniqueFindings([...beside.findings, ...unfit.filter(({ message }) => again.has(message))]);
  }
  if (beside.data === undefined || beside.response.errors.length > 0)
    return play.skip("The target does not answer this");
  // What stands deep within others may be there for those alone.
  const near = new Set(met.filter(({ depth }) => depth <= 2).map(({ parent }) => parent));
  const suspectsIn = (
    around: readonly (Objects | undefined)[],
    data: Readonly<Record<string, unknown>>,
  ): readonly Suspect<Finding>[] =>
    objects.flatMap(({ lookup, object }, index) => {
      const [embedded, alone] = [around[index], data[`object${index}`]];
      if (embedded === undefined) return [];
      if (alone === null) return [lostObject(base, lookup, object, index, near.has(object))];
      if (!isRecord(alone)) return [];
      return memberDifferences(run, lookup.type, embedded, alone).map(({ name, detail }) => ({
        key: `${index} ${name}`,
        here: embedded[name],
        there: alone[name],
        finding: {
          rule: graphqlRules.alone,
          message: `${lookup.type.name}.${name} is another in ${base.field.name} than by ${lookup.field.name}`,
          detail,
          ...withPlace(placeOf(lookup.type.getFields()[name]?.astNode)),
        },
      }));
    });
  const found = objects.map(({ object }) => object);
  const steady = await steadyDifferences(
    suspectsIn(found, beside.data),
    async () => {
      const around = await metAround(run, base, play);
      const again = await run.ask(play, question);
      const now = objects.map(({ lookup, object }) => fullest(around, lookup).get(object[lookup.key]));
      return again.data === undefined ? undefined : suspectsIn(now, again.data);
    },
    isEqual,
  );
  return uniqueFindings([...beside.findings, ...steady.map(({ finding }) => finding)]);
}

/** An object that is not there by its own key. */
function lostObject(
  { field }: BaseAnswer,
  { type, field: lookup, key }: Lookup,
  object: Objects,
  index: number,
  isNear: boolean,
): Suspect<Finding> {
  const message = `${lookup.name} does not find by ${key} a ${type.name} that ${field.name} answers`;
  const rule = isNear ? graphqlRules.found : graphqlRules.resolvedLikely;
  const finding = { rule, message, detail: String(object[key]), ...withPlace(placeOf(lookup.astNode)) };
  return { key: `${index} null`, here: object[key], there: null, finding };
}

/** Members that fail in an object asked for by its key, since the server's own value is not of its type. */
function unfitMembers(objects: readonly { readonly lookup: Lookup }[], { response }: HeldAnswer): readonly Finding[] {
  return response.errors.filter(isUnfitValue).map(({ path = [], message: detail }) => {
    const member = path.slice(1).filter((step) => typeof step === "string");
    const lookup = objects[Number(String(path[0]).replace("object", ""))]?.lookup.field.name ?? "";
    const message = `${member.join(".")} of ${lookup} by its key fails, since the server's own value is not of its type`;
    return { rule: graphqlRules.resolved, message, detail };
  });
}

/** What is answered by a field, and by the same field of other objects. */
async function metAround(run: GraphqlRun, base: BaseAnswer, play: CasePlay): Promise<readonly MetField[]> {
  const held = await run.ask(play, base.question);
  return [...held.met, ...(await siblingsOf(run, base, play))];
}

function isEqual(left: unknown, right: unknown): boolean {
  return differences(undefined, left, right, {}).length === 0;
}

/** Other objects that the same field answers, where it answers one by its key: one object may have too little to differ in. */
async function siblingsOf(run: GraphqlRun, base: BaseAnswer, play: CasePlay): Promise<readonly MetField[]> {
  const [key] = isSingle(base.field) ? keyArguments(run, base.field) : [];
  const argument = base.field.args.find(({ name }) => name === key?.name);
  if (key === undefined || argument === undefined) return [];
  const asked = key.candidates.slice(0, mostSiblings).map(({ value }, index): FieldSelection => {
    const given = [{ name: argument.name, type: argument.type, value }];
    return {
      ...base.selection,
      alias: `other${index}`,
      arguments: given,
      selections: trimmed(base.selection.selections),
    };
  });
  return (await run.ask(play, writeQuestion(asked))).met;
}

/** The objects of which most is known, those with the longest lists first, each once. */
function objectsOf(met: readonly MetField[], lookup: Lookup, most: number): readonly Objects[] {
  const all = [...fullest(met, lookup).values()].toSorted((left, right) => weightOf(right) - weightOf(left));
  const last = all.length > most ? all.slice(-1) : [];
  return [...all.slice(0, most), ...last];
}

/** By its key, what was answered of each object where most of it was. */
function fullest(met: readonly MetField[], { type, key }: Lookup): ReadonlyMap<unknown, Objects> {
  const objects = new Map<unknown, Objects>();
  for (const { parentType, parent } of met) {
    const value = parent[key];
    if (parentType !== type || value === undefined || value === null) continue;
    const known = objects.get(value);
    if (known === undefined || Object.keys(known).length < Object.keys(parent).length) objects.set(value, parent);
  }
  return objects;
}

function weightOf(object: Objects): number {
  const values = Object.values(object);
  return values.reduce<number>((sum, one) => sum + (Array.isArray(one) ? Math.min(one.length, 3) : 1), 0);
}

function lookupSelection(run: GraphqlRun, lookup: Lookup, object: Objects, alias: string): FieldSelection {
  const { field, key, type } = lookup;
  const argument = field.args.find(({ name }) => name === key);
  if (argument === undefined) throw new Error(`The field ${field.name} has no argument ${key}`);
  const given: GivenArgument = { name: key, type: argument.type, value: object[key] };
  const members = Object.values(type.getFields())
    .filter((member) => Object.hasOwn(object, member.name) && member.args.length === 0)
    .filter((member) => !run.avoided.has(`${type.name}.${member.name}`))
    .flatMap((member) => memberSelection(member));
  const typename: FieldSelection = { kind: "field", name: "__typename", selections: [] };
  const selections: readonly Selection[] = [typename, ...members];
  const isAbstract = getNamedType(field.type) !== type;
  const arm: readonly Selection[] = isAbstract
    ? [typename, { kind: "fragment", type: type.name, selections: members.length > 0 ? members : [typename] }]
    : selections;
  return { kind: "field", name: field.name, alias, arguments: [given], selections: arm };
}

function memberSelection(member: GraphQLField<unknown, unknown>): readonly FieldSelection[] {
  const named = getNamedType(member.type);
  if (!isCompositeType(named)) return [{ kind: "field", name: member.name, selections: [] }];
  if (!isObjectType(named)) return [];
  const keys = identityOf(named).map(({ name }): FieldSelection => ({ kind: "field", name, selections: [] }));
  return keys.length === 0 ? [] : [{ kind: "field", name: member.name, selections: keys }];
}

/** Of objects that a member leads to, their keys alone. */
function memberDifferences(
  run: GraphqlRun,
  type: GraphQLObjectType,
  embedded: Objects,
  alone: Objects,
): readonly { readonly name: string; readonly detail: string }[] {
  return Object.keys(alone).flatMap((name) => {
    const member = type.getFields()[name];
    if (member === undefined || !Object.hasOwn(embedded, name) || isMoving(name, embedded[name])) return [];
    const isList = isListType(getNullableType(member.type));
    const found = differences(undefined, embedded[name], alone[name], {}).filter(({ name: inner, kind, steady }) => {
      // What changed when it was asked for again has nothing to be held to.
      if (run.restless.has(inner === "" ? name : inner)) return false;
      // What one of them did not select is no difference.
      const isInner = steady.split("/").length > (isList ? 2 : 1);
      return kind !== "missing" || !isInner;
    });
    const [first] = found.filter((one) => !isMoving(one.name, one.expected));
    return first === undefined ? [] : [{ name, detail: first.detail }];
  });
}

/** Only what counts or tells a time goes on by itself. */
function isMoving(name: string, value: unknown): boolean {
  if (isVolatileName(name)) return true;
  return isMovingName(name) && (typeof value === "number" || typeof value === "string");
}
