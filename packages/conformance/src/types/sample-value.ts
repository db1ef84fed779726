import { canonicalText } from "@nodewright/api-model";
import type { ListType, RecordMember, RecordType, SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { flatTypeOf } from "./flat-type.ts";
import { plausibleNumbers } from "./number-values.ts";
import { patternMatches } from "./pattern.ts";
import type { RandomSource } from "./random-source.ts";
import { plausibleTexts, textOfLength } from "./text-values.ts";
import { isValueOf } from "./violations.ts";

/**
 * A value of a type that a request may hold: one that the description shows, else one made from the type, small and plain, with the
 * members that are required. Undefined where none was found.
 */
export function sampleOf(type: SuiteType, types: SuiteTypes, random: RandomSource): unknown {
  return new Sampler(types, random).sample(type, 0);
}

/** Structures inside each other from which on everything that may be left out is. */
const frugalDepth = 5;
const maximumDepth = 30;
const maximumShown = 4000;
const maximumItems = 200;

/** Kinds of values where a type says nothing. */
const plainValues: readonly unknown[] = [
  "text",
  1,
  true,
  {},
  [],
  null,
  0,
  -1,
  "",
  false,
  1.5,
  ["text"],
  { name: "text" },
];

class Sampler {
  readonly #types: SuiteTypes;
  readonly #random: RandomSource;
  /** How many values were made: alternatives within alternatives have no end otherwise. */
  #made = 0;

  constructor(types: SuiteTypes, random: RandomSource) {
    this.#types = types;
    this.#random = random;
  }

  sample(type: SuiteType, depth: number): unknown {
    if (depth > maximumDepth) return undefined;
    for (const value of this.#candidates(type, depth)) {
      this.#made += 1;
      if (value !== undefined && isValueOf(type, value, this.#types, "request")) return value;
      if (this.#made > 5000) return undefined;
    }
    return undefined;
  }

  *#candidates(type: SuiteType, depth: number): Iterable<unknown> {
    const flat = flatTypeOf(type, this.#types);
    for (const value of [...shownValues(type), ...shownValues(flat)]) {
      if (canonicalText(value).length < maximumShown) yield value;
    }
    yield* this.#valuesOf(flat, depth);
    // What is negated says nothing of what would do.
    if (flat.kind === "any" || isCombined(type)) yield* plainValues;
  }

  *#valuesOf(flat: SuiteType, depth: number): Iterable<unknown> {
    switch (flat.kind) {
      case "any":
        yield* plainValues;
        return;
      case "null":
        yield null;
        return;
      case "boolean":
        yield* [true, false];
        return;
      case "bytes":
        yield "dGV4dA==";
        return;
      case "string":
        yield* plausibleTexts(flat, this.#random);
        return;
      case "number":
        yield* plausibleNumbers(flat);
        return;
      case "enumeration":
        yield* flat.values;
        return;
      case "list":
        yield* this.#lists(flat, depth);
        return;
      case "record":
        yield* this.#records(flat, depth);
        return;
      case "union":
        for (const member of plainFirst(flat.members)) yield this.sample(member, depth + 1);
        // A plain value may be of several alternatives, of which only one may match: a full one hardly is.
        if (flat.mode === "one-of" && depth < frugalDepth)
          for (const member of flat.members) yield this.#fullSample(member, depth + 1);
        return;
      default:
        return;
    }
  }

  #fullSample(type: SuiteType, depth: number): unknown {
    const flat = flatTypeOf(type, this.#types);
    if (flat.kind === "list") return this.sample({ ...flat, minItems: Math.max(1, flat.minItems ?? 1) }, depth);
    if (flat.kind !== "record") return undefined;
    return this.sample({ ...flat, members: flat.members.map((member) => ({ ...member, required: true })) }, depth);
  }

  *#lists(type: ListType, depth: number): Iterable<unknown> {
    const least = Math.min(type.minItems ?? 0, maximumItems);
    const wanted = depth >= frugalDepth ? least : Math.max(least, Math.min(1, type.maxItems ?? 1));
    const contained =
      type.contains === undefined ? [] : this.#items(type, type.contains.minimum, depth, type.contains.type);
    for (const count of new Set([wanted, least, contained.length, least + contained.length])) {
      const items = this.#items(type, Math.max(count, contained.length) - contained.length, depth);
      yield [...contained, ...items];
      yield [...items, ...contained];
    }
  }

  #items(type: ListType, count: number, depth: number, of?: SuiteType): readonly unknown[] {
    const items: unknown[] = [];
    const texts = new Set<string>();
    for (let attempt = 0; items.length < count && attempt < 4 * count + 8; attempt += 1) {
      const element = of ?? type.prefix?.[items.length] ?? type.element;
      const item =
        attempt < 1 || type.uniqueItems !== true ? this.sample(element, depth + 1) : this.#other(element, attempt);
      if (item === undefined) break;
      if (type.uniqueItems === true && texts.has(canonicalText(item))) continue;
      texts.add(canonicalText(item));
      items.push(item);
    }
    return items;
  }

  /** A value that is unlike those before. */
  #other(type: SuiteType, attempt: number): unknown {
    const flat = flatTypeOf(type, this.#types);
    const candidates = [...this.#valuesOf(flat, frugalDepth), attempt, `${attempt}`];
    const value = candidates[attempt % candidates.length];
    return isValueOf(type, value, this.#types, "request")
      ? value
      : candidates.find((one) => isValueOf(type, one, this.#types, "request"));
  }

  *#records(type: RecordType, depth: number): Iterable<unknown> {
    const wanted = type.members.filter(({ access }) => access !== "read-only");
    const entries: (readonly [string, unknown])[] = [];
    for (const member of wanted.filter(({ required }) => required)) {
      const value = this.#member(member, type, depth);
      if (value === undefined) return;
      entries.push([member.name, value]);
    }
    yield* this.#grown(type, entries, depth);
    if (depth < frugalDepth) yield* this.#withOptional(type, wanted, entries, depth);
  }

  #member(member: RecordMember, type: RecordType, depth: number): unknown {
    const ofPattern = (type.patterns ?? []).filter(({ pattern }) => patternMatches(pattern, member.name));
    if (ofPattern.length === 0) return this.sample(member.type, depth + 1);
    return this.sample(
      { kind: "intersection", members: [member.type, ...ofPattern.map((one) => one.type)] },
      depth + 1,
    );
  }

  /** With what the members that are there ask for, and as many as there have to be. */
  *#grown(type: RecordType, entries: readonly (readonly [string, unknown])[], depth: number): Iterable<unknown> {
    const record = Object.fromEntries(entries);
    const asked = (type.dependencies ?? []).filter(({ property }) => Object.hasOwn(record, property));
    if (asked.length > 0 && depth < frugalDepth) {
      const members = [{ ...type, dependencies: [] }, ...asked.map((one) => one.type)];
      yield this.sample({ kind: "intersection", members }, depth + 1);
    }
    const least = Math.min(type.minProperties ?? 0, maximumItems);
    if (entries.length >= least) {
      yield record;
      return;
    }
    const grown = [...entries];
    for (const member of type.members) {
      if (grown.length >= least || member.access === "read-only" || Object.hasOwn(record, member.name)) continue;
      const value = this.#member(member, type, depth);
      if (value !== undefined) grown.push([member.name, value]);
    }
    for (let attempt = 0; grown.length < least && attempt < 2 * least + 8; attempt += 1) {
      const entry = this.#furtherMember(type, depth);
      if (entry !== undefined && !grown.some(([name]) => name === entry[0])) grown.push(entry);
    }
    yield Object.fromEntries(grown);
  }

  /** A member that the type does not name. */
  #furtherMember(type: RecordType, depth: number): readonly [string, unknown] | undefined {
    const [pattern] = type.patterns ?? [];
    const named = pattern && type.additional?.kind === "never" ? pattern : undefined;
    const names: SuiteType =
      named === undefined ? (type.names ?? { kind: "string" }) : { kind: "string", pattern: named.pattern };
    const shown = shownValues(flatTypeOf(names, this.#types)).length > 0;
    const name =
      type.names === undefined && named === undefined
        ? textOfLength(6, this.#random)
        : this.sample(shown ? { ...names, examples: [] } : names, depth + 1);
    const value = this.sample(named?.type ?? type.additional ?? { kind: "any" }, depth + 1);
    return typeof name === "string" && value !== undefined ? [name, value] : undefined;
  }

  /** Where the required members alone would not do: all the others, then each alone. */
  *#withOptional(
    type: RecordType,
    members: readonly RecordMember[],
    entries: readonly (readonly [string, unknown])[],
    depth: number,
  ): Iterable<unknown> {
    const optional = members.filter(({ required }) => !required).slice(0, 30);
    const values = optional
      .map((member) => [member.name, this.#member(member, type, Math.max(depth, frugalDepth - 2))] as const)
      .filter(([, value]) => value !== undefined);
    if (values.length === 0) return;
    yield Object.fromEntries([...entries, ...values]);
    for (const entry of values) yield* this.#grown(type, [...entries, entry], depth);
    yield { ...Object.fromEntries(entries), [textOfLength(6, this.#random)]: "text" };
  }
}

/** Values that a description shows for a type. */
export function shownValues(type: SuiteType): readonly unknown[] {
  return [...(type.examples ?? []), ...(type.default === undefined ? [] : [type.default])];
}

function isCombined({ kind }: SuiteType): boolean {
  return (
    kind === "intersection" || kind === "not" || kind === "conditional" || kind === "union" || kind === "reference"
  );
}

/** Null says least. */
function plainFirst(members: readonly SuiteType[]): readonly SuiteType[] {
  const isNull = (member: SuiteType): boolean =>
    member.kind === "null" || (member.kind === "enumeration" && member.values.every((value) => value === null));
  return [...members.filter((member) => !isNull(member)), ...members.filter(isNull)];
}
