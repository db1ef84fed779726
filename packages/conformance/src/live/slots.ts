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
  typeNameBeforeParameter,
  typeNamesOfPath,
} from "./names.ts";

/** An operation with inputs: an HTTP operation, a method, or a field with arguments. */
export type LinkedOperation = (Pick<SuiteHttpOperation, LinkedFacts | "path"> | Pick<SuiteRpcMethod, LinkedFacts>) & {
  /** Normalized name of the returned object, where a schema names it. */
  readonly typeName?: string;
};

type LinkedFacts = "name" | "method" | "parameters" | "links" | "examples";

/** Inputs with the same name and type: a value that matches one matches all. */
export interface SlotGroup {
  /** Normalized name, with that of the object where it is meaningless alone: `petid` of `GET /pets/{id}`. */
  readonly name: string;
  /** Normalized name of the parameters. */
  readonly bareName: string;
  /** Type of one value: for a list, that of its elements. */
  readonly type: SuiteType;
  readonly fullType: SuiteType;
  readonly isList: boolean;
  /** Whether its name or type is distinctive; false for an `address` that is any string. */
  readonly isDistinctive: boolean;
  /** Normalized name of the object that the operation returns, where a schema names it. */
  readonly typeName?: string | undefined;
}

/** One input of one operation, for which values are searched. */
export interface Slot {
  readonly parameter: SuiteParameter;
  readonly group: SlotGroup;
}

/** A member of a response, with its name and the objects that it may belong to. */
export interface LeafName {
  /** Normalized name. */
  readonly name: string;
  /** Normalized names of the objects that it certainly belongs to: the member or type that contains it, the operation's result. */
  readonly typeNames: readonly string[];
  /** Further objects that it may belong to. */
  readonly remoteTypeNames: readonly string[];
  /** Whether it was an input of a successful call. */
  readonly isFromInput?: boolean;
  /** Whether `things` are the object's own type and its interfaces. */
  readonly isOfSchema?: boolean;
}

/** Certainty of a value for a slot: lower is more certain. */
export const ranks = { declared: 0, name: 1, identifier: 2, similar: 3, generic: 4, pattern: 5 } as const;

export type Rank = (typeof ranks)[keyof typeof ranks];

/** Inputs that a name matches, the most certain first. */
export type SlotMatches = ReadonlyMap<SlotGroup, Rank>;

/** Names of parameters that control the size and form of a result, for which no response has values. */
const shapingNames: ReadonlySet<string> = new Set([
  ...["limit", "offset", "page", "pagesize", "perpage", "count", "size", "skip", "sort", "order", "orderby", "sortby"],
  ...["format", "verbose", "verbosity", "version", "fields", "field", "expand", "embed", "lang", "language", "locale"],
]);

/** Returns the operations of a suite that have inputs; none for GraphQL, where they are in the schema. */
export function linkedOperations(suite: ConformanceSuite): readonly LinkedOperation[] {
  return suite.protocol === "graphql" ? [] : suite.operations;
}

/** All inputs of a suite's operations, indexed by the names of matching values. */
export class SlotTable {
  readonly #types: SuiteTypes;
  readonly #groups = new Map<string, SlotGroup>();
  readonly #ofOperations = new Map<string, readonly Slot[]>();
  readonly #matches = new Map<string, SlotMatches>();
  /** Groups with distinctive types, those of equal types together. */
  readonly #distinctive: readonly (readonly SlotGroup[])[];

  constructor(operations: readonly LinkedOperation[], types: SuiteTypes) {
    this.#types = types;
    for (const operation of operations) {
      const slots = operation.parameters
        .filter(({ name }) => !shapingNames.has(plainName(name)))
        .map((parameter) => ({ parameter, group: this.#groupOf(operation, parameter) }));
      this.#ofOperations.set(operation.name, slots);
    }
    this.#distinctive = distinctiveGroups([...this.#groups.values()], types);
  }

  #groupOf(operation: LinkedOperation, parameter: SuiteParameter): SlotGroup {
    const bareName = plainName(parameter.name);
    const name = isGenericName(bareName) ? joined([typeNameOf(operation, parameter), bareName]) : bareName;
    const { typeName } = operation;
    const key = `${name}|${bareName}|${typeName}|${canonicalText(parameter.type)}`;
    const known = this.#groups.get(key);
    if (known !== undefined) return known;
    const flat = flatTypeOf(parameter.type, this.#types);
    const isList = flat.kind === "list";
    const type = isList ? flat.element : parameter.type;
    const isDistinctive = isDistinctiveName(bareName) || isDistinctiveType(type, this.#types);
    const group = { name, bareName, type, fullType: parameter.type, isList, isDistinctive, typeName };
    this.#groups.set(key, group);
    return group;
  }

  slotsOf(operation: string): readonly Slot[] {
    return this.#ofOperations.get(operation) ?? [];
  }

  /** Returns the inputs that a name matches, the most certain first. Does not check types. */
  matchesOf(leaf: LeafName): SlotMatches {
    const isOfTypeNames = isGenericName(leaf.name) || leaf.isOfSchema === true;
    const ofTypeNames = isOfTypeNames ? `${leaf.typeNames.join()}|${leaf.remoteTypeNames.join()}` : "";
    const key = `${leaf.isFromInput === true}|${leaf.name}|${ofTypeNames}`;
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

  /** Returns the inputs with a type so narrow that any value of it matches. */
  distinctiveGroups(value: unknown): readonly SlotGroup[] {
    const isFor = ([first]: readonly SlotGroup[]): boolean =>
      first !== undefined && isValueOf(first.type, value, this.#types, "request");
    return this.#distinctive.filter(isFor).flat();
  }

  /**
   * Converts a value to the form that an input takes: a number to its digits where it takes a string, and back. Undefined where it does not
   * match.
   */
  fitting({ type, fullType, isList }: SlotGroup, value: unknown): unknown {
    const isOf = (one: unknown): boolean => isValueOf(type, one, this.#types, "request");
    const fitting = isOf(value) ? value : spelledOtherwise(value).find(isOf);
    if (fitting === undefined || !isList) return fitting;
    return isValueOf(fullType, [fitting], this.#types, "request") ? [fitting] : undefined;
  }

  /** Converts a value that may already be a list. */
  fittingWhole(group: SlotGroup, value: unknown): unknown {
    if (isValueOf(group.fullType, value, this.#types, "request")) return value;
    return this.fitting(group, Array.isArray(value) ? value[0] : value);
  }
}

/** Returns a number as its digits, and digits as their number. */
function spelledOtherwise(value: unknown): readonly unknown[] {
  if (typeof value === "number" || typeof value === "bigint") return [String(value)];
  return typeof value === "string" && /^-?(?:0|[1-9][0-9]{0,14})$/.test(value) ? [Number(value)] : [];
}

function typeNameOf(operation: LinkedOperation, parameter: SuiteParameter): string {
  const ofPath = "path" in operation ? typeNameBeforeParameter(operation.path, parameter.name) : undefined;
  return operation.typeName ?? ofPath ?? pathTypeNames(operation)[0] ?? joined(subjectWords(operation));
}

function pathTypeNames(operation: LinkedOperation): readonly string[] {
  return "path" in operation ? typeNamesOfPath(operation.path) : [];
}

function subjectWords(operation: LinkedOperation): readonly string[] {
  return subjectOf("path" in operation ? operation.name : operation.method);
}

/** Returns the objects that an operation returns, and those that its name also mentions. */
export function returnedTypes(operation: LinkedOperation): {
  readonly typeNames: readonly string[];
  readonly remote: readonly string[];
} {
  const [words, ofPath] = [subjectWords(operation), pathTypeNames(operation)];
  const typeNames = [joined(words), ...words.slice(-1), ...ofPath.slice(0, 1)];
  return { typeNames: [...new Set(typeNames)], remote: [...new Set([...words, ...ofPath])] };
}

/** Whether the operation returns objects that have the member, and takes its name: `id` for `thingId` of a `Thing`. */
function isKeyOf({ name, typeNames, isOfSchema = false }: LeafName, { typeName, bareName }: SlotGroup): boolean {
  if (!isOfSchema || typeName === undefined || !typeNames.includes(typeName)) return false;
  return name === bareName || joined([typeName, name]) === bareName;
}

/** Suffixes of object names in parameters: `tx` and `txid` are equivalent. */
const identifiers = ["id", "hash", "key", "number"] as const;

/** Returns the certainty of a value for an input; undefined where the names do not match. */
type RankOf = (group: Pick<SlotGroup, "name" | "bareName" | "isDistinctive">) => Rank | undefined;

function rankNamed({ name, isFromInput = false }: LeafName): RankOf {
  const identified = identifiers.map((one) => joined([name, one]));
  return ({ name: wanted, isDistinctive }) => {
    if (name === wanted) return isDistinctive || isFromInput ? ranks.name : ranks.similar;
    if (identified.includes(wanted)) return ranks.identifier;
    // `previousblockhash` for `blockhash`, `height` for `startheight`.
    const isPart = endsWithName(name, wanted) || endsWithName(wanted, name);
    return isPart || identifiers.some((one) => joined([wanted, one]) === name) ? ranks.similar : undefined;
  };
}

function endsWithName(longer: string, name: string): boolean {
  return name.length >= 4 && longer.endsWith(name);
}

/** Returns the ranking of a name that needs an object. */
function rankGeneric({ name, typeNames, remoteTypeNames }: LeafName): RankOf {
  const all = [...typeNames, ...remoteTypeNames];
  const [own, any] = [typeNames, all].map((some) => some.map((typeName) => joined([typeName, name])));
  return ({ name: wanted, bareName }) => {
    if (own?.includes(wanted) === true) return ranks.name;
    if (isIdentifyingName(name) && typeNames.includes(wanted)) return ranks.identifier;
    // `hash` of a `blockheader` for `blockhash`.
    const rest = wanted.endsWith(name) ? wanted.slice(0, -name.length) : "";
    const isPart = rest.length >= 2 && all.some((typeName) => typeName.startsWith(rest) || typeName.endsWith(rest));
    if (isPart || any?.includes(wanted) === true) return ranks.similar;
    return name === bareName ? ranks.generic : undefined;
  };
}

/** Whether a name is unique, whatever object it belongs to. */
function isDistinctiveName(name: string): boolean {
  return /(?:id|hash|height|key|slug|number|code|vout)$/.test(name) && !isGenericName(name);
}

/** Whether a type is so narrow that hardly any unrelated string is valid. */
function isDistinctiveType(type: SuiteType, types: SuiteTypes): boolean {
  const flat = flatTypeOf(type, types);
  if (flat.kind === "enumeration") return true;
  if (flat.kind === "union") return flat.members.some((member) => isDistinctiveType(member, types));
  return flat.kind === "string" && !anyTexts.some((text) => isValueOf(type, text, types, "request"));
}

/** Strings that a distinctive type does not allow. */
const anyTexts = ["a", "1", "abc", "some text", "x".repeat(64)];

/** Returns the groups with a narrow string type, grouped by that type. */
function distinctiveGroups(groups: readonly SlotGroup[], types: SuiteTypes): readonly (readonly SlotGroup[])[] {
  const distinctive = groups.flatMap((group) => {
    const flat = flatTypeOf(group.type, types);
    return flat.kind === "string" && isDistinctiveType(flat, types) ? [{ group, flat }] : [];
  });
  const keyOf = ({ pattern, minLength, maxLength }: StringNode): string =>
    JSON.stringify([pattern, minLength, maxLength]);
  const alike = Map.groupBy(distinctive, ({ flat }) => keyOf(flat));
  return [...alike.values()].map((some) => some.map(({ group }) => group));
}
