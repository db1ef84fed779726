import { canonicalText, type StringNode } from "@nodewright/api-model";
import type { ConformanceSuite, SuiteHttpOperation, SuiteParameter, SuiteRpcMethod } from "../suite/suite.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { flatTypeOf, isValueOf } from "@nodewright/api-values";
import {
  isGenericName,
  isIdentifyingName,
  joined,
  plainName,
  subjectOf,
  thingBeforeHole,
  thingsOfPath,
} from "./names.ts";

/** An operation that has inputs: an HTTP operation, a method, or a field with arguments. */
export type LinkedOperation = (Pick<SuiteHttpOperation, LinkedFacts | "path"> | Pick<SuiteRpcMethod, LinkedFacts>) & {
  /** Plain name of the thing that it returns, where a schema names it. */
  readonly thing?: string;
};

type LinkedFacts = "name" | "method" | "parameters" | "links" | "examples";

/** Inputs that are called the same and are of one type: what fits one fits all. */
export interface SlotGroup {
  /** Plain, and with the thing where it would say nothing alone: `petid` of `GET /pets/{id}`. */
  readonly name: string;
  /** Plain, as the parameters are called. */
  readonly bareName: string;
  /** Of one value: of a list, that of its elements. */
  readonly type: SuiteType;
  readonly wholeType: SuiteType;
  readonly isList: boolean;
  /** False where its name and type would do for things of several kinds: an `address` that is any text. */
  readonly isTelling: boolean;
  /** Plain name of the thing that the operation returns, where a schema names it. */
  readonly thing?: string | undefined;
}

/** One input of one operation, as something that values are looked for. */
export interface Slot {
  readonly parameter: SuiteParameter;
  readonly group: SlotGroup;
}

/** A member of an answer, by its name and the things that it may be of. */
export interface LeafName {
  /** Plain. */
  readonly name: string;
  /** Plain names of the things that it surely belongs to: the member or type that holds it, what the operation answers. */
  readonly things: readonly string[];
  /** Further things that it may belong to. */
  readonly remoteThings: readonly string[];
  /** True for what was an input that was answered well. */
  readonly isFromInput?: boolean;
  /** True where `things` are the object's own type and its interfaces. */
  readonly isOfSchema?: boolean;
}

/** How surely a value is one for a slot: lower is surer. */
export const ranks = { declared: 0, name: 1, identifier: 2, similar: 3, generic: 4, pattern: 5 } as const;

export type Rank = (typeof ranks)[keyof typeof ranks];

/** The inputs that a name is for, the surest first. */
export type SlotMatches = ReadonlyMap<SlotGroup, Rank>;

/** How much is answered and how, which no answer tells. */
const shapingNames: ReadonlySet<string> = new Set([
  ...["limit", "offset", "page", "pagesize", "perpage", "count", "size", "skip", "sort", "order", "orderby", "sortby"],
  ...["format", "verbose", "verbosity", "version", "fields", "field", "expand", "embed", "lang", "language", "locale"],
]);

/** The operations of a suite that have inputs; those of GraphQL stand in its schema. */
export function linkedOperations(suite: ConformanceSuite): readonly LinkedOperation[] {
  return suite.protocol === "graphql" ? [] : suite.operations;
}

/** All inputs of a suite's operations, found by the names of what fits them. */
export class SlotTable {
  readonly #types: SuiteTypes;
  readonly #groups = new Map<string, SlotGroup>();
  readonly #ofOperations = new Map<string, readonly Slot[]>();
  readonly #matches = new Map<string, SlotMatches>();
  /** Groups whose types alone say what they are for, those of equal types together. */
  readonly #telling: readonly (readonly SlotGroup[])[];

  constructor(operations: readonly LinkedOperation[], types: SuiteTypes) {
    this.#types = types;
    for (const operation of operations) {
      const slots = operation.parameters
        .filter(({ name }) => !shapingNames.has(plainName(name)))
        .map((parameter) => ({ parameter, group: this.#groupOf(operation, parameter) }));
      this.#ofOperations.set(operation.name, slots);
    }
    this.#telling = tellingGroups([...this.#groups.values()], types);
  }

  #groupOf(operation: LinkedOperation, parameter: SuiteParameter): SlotGroup {
    const bareName = plainName(parameter.name);
    const name = isGenericName(bareName) ? joined([thingOf(operation, parameter), bareName]) : bareName;
    const { thing } = operation;
    const key = `${name}|${bareName}|${thing}|${canonicalText(parameter.type)}`;
    const known = this.#groups.get(key);
    if (known !== undefined) return known;
    const flat = flatTypeOf(parameter.type, this.#types);
    const isList = flat.kind === "list";
    const type = isList ? flat.element : parameter.type;
    const isTelling = isTellingName(bareName) || isTellingType(type, this.#types);
    const group = { name, bareName, type, wholeType: parameter.type, isList, isTelling, thing };
    this.#groups.set(key, group);
    return group;
  }

  slotsOf(operation: string): readonly Slot[] {
    return this.#ofOperations.get(operation) ?? [];
  }

  /** The inputs that something of a name is for, the surest first. Types are not looked at. */
  matchesOf(leaf: LeafName): SlotMatches {
    const isOfThings = isGenericName(leaf.name) || leaf.isOfSchema === true;
    const ofThings = isOfThings ? `${leaf.things.join()}|${leaf.remoteThings.join()}` : "";
    const key = `${leaf.isFromInput === true}|${leaf.name}|${ofThings}`;
    const known = this.#matches.get(key);
    if (known !== undefined) return known;
    const rankOf = isGenericName(leaf.name) ? rankGeneric(leaf) : rankNamed(leaf);
    const found = [...this.#groups.values()].flatMap((group): [SlotGroup, Rank][] => {
      const rank = isKeyOf(leaf, group) ? ranks.declared : rankOf(group);
      return rank === undefined ? [] : [[group, rank]];
    });
    const matches = new Map(found.sort(([, left], [, right]) => left - right));
    if (this.#matches.size < 20_000) this.#matches.set(key, matches);
    return matches;
  }

  /** The inputs whose type is so narrow that a value of it is one for them. */
  tellingGroups(value: unknown): readonly SlotGroup[] {
    const isFor = ([first]: readonly SlotGroup[]): boolean =>
      first !== undefined && isValueOf(first.type, value, this.#types, "request");
    return this.#telling.filter(isFor).flat();
  }

  /** A value as an input takes it: a number as its digits where a text is wanted, and back. Undefined where it does not fit. */
  fitting({ type, wholeType, isList }: SlotGroup, value: unknown): unknown {
    const isOf = (one: unknown): boolean => isValueOf(type, one, this.#types, "request");
    const fitting = isOf(value) ? value : spelledOtherwise(value).find(isOf);
    if (fitting === undefined || !isList) return fitting;
    return isValueOf(wholeType, [fitting], this.#types, "request") ? [fitting] : undefined;
  }

  /** The same of what may be a list already. */
  fittingWhole(group: SlotGroup, value: unknown): unknown {
    if (isValueOf(group.wholeType, value, this.#types, "request")) return value;
    return this.fitting(group, Array.isArray(value) ? value[0] : value);
  }
}

/** A number as its digits, and digits as their number. */
function spelledOtherwise(value: unknown): readonly unknown[] {
  if (typeof value === "number" || typeof value === "bigint") return [String(value)];
  return typeof value === "string" && /^-?(?:0|[1-9][0-9]{0,14})$/.test(value) ? [Number(value)] : [];
}

function thingOf(operation: LinkedOperation, parameter: SuiteParameter): string {
  const ofPath = "path" in operation ? thingBeforeHole(operation.path, parameter.name) : undefined;
  return operation.thing ?? ofPath ?? pathThings(operation)[0] ?? joined(subjectWords(operation));
}

function pathThings(operation: LinkedOperation): readonly string[] {
  return "path" in operation ? thingsOfPath(operation.path) : [];
}

function subjectWords(operation: LinkedOperation): readonly string[] {
  return subjectOf("path" in operation ? operation.name : operation.method);
}

/** The things that an operation answers, and those that its name mentions besides. */
export function thingsAnswered(operation: LinkedOperation): {
  readonly things: readonly string[];
  readonly remote: readonly string[];
} {
  const [words, ofPath] = [subjectWords(operation), pathThings(operation)];
  const things = [joined(words), ...words.slice(-1), ...ofPath.slice(0, 1)];
  return { things: [...new Set(things)], remote: [...new Set([...words, ...ofPath])] };
}

/** Whether the operation returns objects that have the member, and takes what it is called: `id` for `thingId` of a `Thing`. */
function isKeyOf({ name, things, isOfSchema = false }: LeafName, { thing, bareName }: SlotGroup): boolean {
  if (!isOfSchema || thing === undefined || !things.includes(thing)) return false;
  return name === bareName || joined([thing, name]) === bareName;
}

/** What names of things are followed by where they are asked for: `tx` and `txid` are one. */
const identifiers = ["id", "hash", "key", "number"] as const;

/** How surely something is for an input; undefined where nothing says so. */
type RankOf = (group: Pick<SlotGroup, "name" | "bareName" | "isTelling">) => Rank | undefined;

function rankNamed({ name, isFromInput = false }: LeafName): RankOf {
  const identified = identifiers.map((one) => joined([name, one]));
  return ({ name: wanted, isTelling }) => {
    if (name === wanted) return isTelling || isFromInput ? ranks.name : ranks.similar;
    if (identified.includes(wanted)) return ranks.identifier;
    // `previousblockhash` for `blockhash`, `height` for `startheight`.
    const isPart = endsWithName(name, wanted) || endsWithName(wanted, name);
    return isPart || identifiers.some((one) => joined([wanted, one]) === name) ? ranks.similar : undefined;
  };
}

function endsWithName(longer: string, name: string): boolean {
  return name.length >= 4 && longer.endsWith(name);
}

/** Of what needs a thing. */
function rankGeneric({ name, things, remoteThings }: LeafName): RankOf {
  const all = [...things, ...remoteThings];
  const [own, any] = [things, all].map((some) => some.map((thing) => joined([thing, name])));
  return ({ name: wanted, bareName }) => {
    if (own?.includes(wanted) === true) return ranks.name;
    if (isIdentifyingName(name) && things.includes(wanted)) return ranks.identifier;
    // `hash` of a `blockheader` for `blockhash`.
    const rest = wanted.endsWith(name) ? wanted.slice(0, -name.length) : "";
    const isPart = rest.length >= 2 && all.some((thing) => thing.startsWith(rest) || thing.endsWith(rest));
    if (isPart || any?.includes(wanted) === true) return ranks.similar;
    return name === bareName ? ranks.generic : undefined;
  };
}

/** Names of what there is one of only, whatever it is of. */
function isTellingName(name: string): boolean {
  return /(?:id|hash|height|key|slug|number|code|vout)$/.test(name) && !isGenericName(name);
}

/** Whether a type is so narrow that hardly anything else is a value of it. */
function isTellingType(type: SuiteType, types: SuiteTypes): boolean {
  const flat = flatTypeOf(type, types);
  if (flat.kind === "enumeration") return true;
  if (flat.kind === "union") return flat.members.some((member) => isTellingType(member, types));
  return flat.kind === "string" && !anyTexts.some((text) => isValueOf(type, text, types, "request"));
}

/** Texts that a type which tells something refuses. */
const anyTexts = ["a", "1", "abc", "some text", "x".repeat(64)];

/** Those whose texts are of a narrow type, all of one such type together. */
function tellingGroups(groups: readonly SlotGroup[], types: SuiteTypes): readonly (readonly SlotGroup[])[] {
  const telling = groups.flatMap((group) => {
    const flat = flatTypeOf(group.type, types);
    return flat.kind === "string" && isTellingType(flat, types) ? [{ group, flat }] : [];
  });
  const keyOf = ({ pattern, minLength, maxLength }: StringNode): string =>
    JSON.stringify([pattern, minLength, maxLength]);
  const alike = Map.groupBy(telling, ({ flat }) => keyOf(flat));
  return [...alike.values()].map((some) => some.map(({ group }) => group));
}
