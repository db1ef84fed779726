import {
  canonicalText,
  type ListNode,
  type RecordMember,
  type RecordNode,
  type UnionNode,
  type TypeNode,
} from "@nodewright/api-model";
import type { NamedTypes } from "./named-types.ts";
import { type FlatType, flatTypeOf } from "./flat-type.ts";
import { plausibleNumbers } from "./number-values.ts";
import type { RandomSource } from "./random.ts";
import { plausibleTexts } from "./text-values.ts";
import { isValueOf } from "./violations.ts";

/**
 * Returns a value of a type that is valid in a request: an example of the description, otherwise one that is generated from the type, small
 * and plain, with the required members. Returns undefined if none was found.
 */
export function sampleOf(type: TypeNode, types: NamedTypes, random: RandomSource): unknown {
  return new Sampler(types, random).valueOf(type, 0);
}

/** Nesting depth from which everything optional is left out. */
export const frugalDepth = 5;
const maximumDepth = 30;
const maximumShown = 4000;
const maximumItems = 200;
/** Maximum number of values that are generated for one sample: nested alternatives would not terminate otherwise. */
const maximumGenerated = 5000;

/** Values of all kinds, for types without constraints. */
export const plainValues: readonly unknown[] = ["text", 1, true, {}, [], null, 0, -1, "", false, 1.5, ["text"]];

export class Sampler {
  readonly types: NamedTypes;
  readonly random: RandomSource;
  #generated = 0;

  constructor(types: NamedTypes, random: RandomSource) {
    this.types = types;
    this.random = random;
  }

  /** Returns the first candidate that matches the type. */
  valueOf(type: TypeNode, depth: number): unknown {
    if (depth > maximumDepth) return undefined;
    for (const value of this.candidates(type, depth)) {
      this.#generated += 1;
      if (value !== undefined && isValueOf(type, value, this.types, "request")) return value;
      if (this.#generated > maximumGenerated) return undefined;
    }
    return undefined;
  }

  /** Yields values that may match a type, the best first. */
  *candidates(type: TypeNode, depth: number): Iterable<unknown> {
    const flat = flatTypeOf(type, this.types);
    for (const value of [...shownValues(type), ...shownValues(flat)]) {
      if (canonicalText(value).length < maximumShown) yield value;
    }
    yield* this.#generate(flat, depth);
    // Negations give no hint about valid values.
    if (["intersection", "not", "conditional"].includes(type.kind)) yield* plainValues;
  }

  #generate(flat: FlatType, depth: number): Iterable<unknown> {
    switch (flat.kind) {
      case "any":
        return plainValues;
      case "never":
        return [];
      case "null":
        return [null];
      case "boolean":
        return [true, false];
      case "bytes":
        return ["dGV4dA=="];
      case "string":
        return plausibleTexts(flat, this.random);
      case "number":
        return plausibleNumbers(flat);
      case "enumeration":
        return flat.values;
      default:
        return this.#composed(flat, depth);
    }
  }

  *#composed(flat: ListNode | RecordNode | UnionNode, depth: number): Iterable<unknown> {
    const isFrugal = depth >= frugalDepth;
    if (flat.kind === "list") {
      const least = Math.min(flat.minItems ?? 0, maximumItems);
      if (!isFrugal) yield this.list(flat, Math.max(least, Math.min(1, flat.maxItems ?? 1)), depth);
      yield this.list(flat, least, depth);
    } else if (flat.kind === "record") {
      yield this.record(flat, ({ required }) => required, depth);
      // For types that the required members alone do not satisfy.
      if (!isFrugal) yield this.record(flat, () => true, depth);
    } else if (depth < maximumDepth) {
      for (const member of nullLast(flat.members)) yield* this.candidates(member, depth + 1);
    }
  }

  /** Returns a list with `count` items, all different if they must be unique. */
  list({ prefix, element, uniqueItems = false }: ListNode, count: number, depth: number): readonly unknown[] {
    const items = new Map<string, unknown>();
    for (let attempt = 0; items.size < count && attempt < 4 * count + 8; attempt += 1) {
      const type = prefix?.[items.size] ?? element;
      const item = uniqueItems && attempt > 0 ? this.#other(type, attempt) : this.valueOf(type, depth + 1);
      if (item === undefined) break;
      items.set(uniqueItems ? canonicalText(item) : String(attempt), item);
    }
    return [...items.values()];
  }

  /** Returns a value that differs from the previous ones. */
  #other(type: TypeNode, attempt: number): unknown {
    const candidates = [...this.#generate(flatTypeOf(type, this.types), frugalDepth), attempt, `${attempt}`];
    const start = attempt % candidates.length;
    return [...candidates.slice(start), ...candidates.slice(0, start)].find((one) =>
      isValueOf(type, one, this.types, "request"),
    );
  }

  /** Returns a record with the wanted members, as far as there are values for them. */
  record({ members }: RecordNode, isWanted: (member: RecordMember) => boolean, depth: number): unknown {
    const entries = members
      .filter((member) => member.access !== "read-only" && isWanted(member))
      .map(({ name, type }) => [name, this.valueOf(type, depth + 1)] as const);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }
}

/** Returns the example values of a type in the description. */
export function shownValues(type: TypeNode): readonly unknown[] {
  return [...(type.examples ?? []), ...(type.default === undefined ? [] : [type.default])];
}

/** Orders members with null last: it is the least informative value. */
function nullLast(members: readonly TypeNode[]): readonly TypeNode[] {
  const isNull = (member: TypeNode): boolean =>
    member.kind === "null" || (member.kind === "enumeration" && member.values.every((value) => value === null));
  return [...members.filter((member) => !isNull(member)), ...members.filter(isNull)];
}
