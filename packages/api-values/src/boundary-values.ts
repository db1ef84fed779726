import {
  isRecord,
  type ListNode,
  type NumberNode,
  type RecordNode,
  type StringNode,
  type UnionNode,
  type TypeNode,
} from "@nodewright/api-model";
import type { NamedTypes } from "./named-types.ts";
import { interleave } from "./interleave.ts";
import { flatTypeOf } from "./flat-type.ts";
import { neighbour, plainNumber } from "./number-values.ts";
import type { RandomSource } from "./random.ts";
import { sampleOf, shownValues } from "./sample-value.ts";
import { maximumTextLength, patternTexts, allowsAnyString, textOfLength } from "./text-values.ts";
import { distinctValues, type NamedValue } from "./value-contract.ts";
import { isValueOf } from "./violations.ts";

const maximumValues = 60;
const maximumListed = 8;
const maximumItems = 200;
const maximumMembers = 30;
const maximumDepth = 2;
/** Maximum length in characters of a string of unbounded length: a server need not accept everything. */
const unboundedTextLength = 64;

/**
 * Returns values at the bounds of a type, each valid in a request: lowest and highest, shortest and longest, each listed one, each
 * alternative, each optional member absent and present. Strings have at most 4,096 characters, lists at most 200 items. `good`: a value
 * that was accepted, of which parts are kept: the items that they name exist.
 */
export function boundaryValuesOf(
  type: TypeNode,
  types: NamedTypes,
  random: RandomSource,
  good?: unknown,
): readonly NamedValue[] {
  const candidates = new Boundaries(types, random).valuesOf(type, 0, good);
  return distinctValues(candidates, maximumValues, (value) =>
    value !== undefined && isValueOf(type, value, types, "request") ? {} : undefined,
  );
}

class Boundaries {
  readonly #types: NamedTypes;
  readonly #random: RandomSource;

  constructor(types: NamedTypes, random: RandomSource) {
    this.#types = types;
    this.#random = random;
  }

  /** Yields candidates, which must still be checked against the type. */
  *valuesOf(type: TypeNode, depth: number, good: unknown): Iterable<NamedValue> {
    const flat = flatTypeOf(type, this.#types);
    if (flat.kind === "null") yield { name: "null", value: null };
    if (flat.kind === "boolean") for (const value of [true, false]) yield { name: String(value), value };
    if (flat.kind === "enumeration")
      for (const value of flat.values.slice(0, maximumListed)) yield { name: `value-${String(value)}`, value };
    if (flat.kind === "number") yield* numbers(flat);
    // A string with a pattern may name an item: one that was accepted exists.
    const isKept = depth > 0 && flat.kind === "string" && flat.pattern !== undefined && typeof good === "string";
    if (flat.kind === "string" && !isKept) yield* texts(flat, this.#random);
    if (flat.kind === "list") yield* this.#lists(flat, depth, Array.isArray(good) ? good : []);
    if (flat.kind === "record") yield* this.#records(flat, depth, isRecord(good) ? good : undefined);
    if (flat.kind === "union") yield* this.#arms(flat, depth, good);
    for (const value of new Set([...shownValues(type), ...shownValues(flat)].slice(0, maximumListed)))
      yield { name: "documented", value };
  }

  #sample(type: TypeNode): unknown {
    return sampleOf({ ...type, examples: [] }, this.#types, this.#random);
  }

  *#arms(type: UnionNode, depth: number, good: unknown): Iterable<NamedValue> {
    const arms = type.members.map((member, index) => ({ member, name: `arm-${index + 1}` }));
    const valued = arms.filter(({ member }) => flatTypeOf(member, this.#types).kind !== "null");
    const [only] = valued;
    if (only !== undefined && valued.length === 1) yield* this.valuesOf(only.member, depth, good);
    else for (const { member, name } of valued) yield { name, value: sampleOf(member, this.#types, this.#random) };
    if (valued.length < arms.length) yield { name: "null", value: null };
    if (valued.length < 2 || depth >= maximumDepth) return;
    for (const { member, name } of valued) {
      for (const one of this.valuesOf(member, depth + 1, good)) yield { name: `${name}-${one.name}`, value: one.value };
    }
  }

  *#lists(type: ListNode, depth: number, good: readonly unknown[]): Iterable<NamedValue> {
    const { minItems = 0, maxItems } = type;
    const isRepeatable = good.length > 0 && type.uniqueItems !== true;
    const sized = (count: number): unknown =>
      isRepeatable
        ? Array.from({ length: count }, (_none, index) => good[index % good.length])
        : this.#sample({ ...type, minItems: count, maxItems: count });
    yield { name: minItems === 0 ? "empty" : "fewest-items", value: sized(minItems) };
    if (maxItems !== undefined && maxItems <= maximumItems) yield { name: "most-items", value: sized(maxItems) };
    yield { name: "one-item", value: sized(1) };
    yield { name: "two-items", value: sized(2) };
    const base = sized(Math.max(1, minItems));
    if (depth >= maximumDepth || !Array.isArray(base)) return;
    for (const one of this.valuesOf(type.prefix?.[0] ?? type.element, depth + 1, base[0]))
      yield { name: `item-${one.name}`, value: base.with(0, one.value) };
  }

  *#records(
    type: RecordNode,
    depth: number,
    good: Readonly<Record<string, unknown>> | undefined,
  ): Iterable<NamedValue> {
    const members = type.members.filter(({ access }) => access !== "read-only").slice(0, maximumMembers);
    const optional = members.filter(({ required }) => !required);
    const isOptional = (name: string): boolean => optional.some((one) => one.name === name);
    const record =
      good === undefined
        ? this.#sample(type)
        : Object.fromEntries(Object.entries(good).filter(([name]) => !isOptional(name)));
    const all = this.#sample({ ...type, members: type.members.map((member) => ({ ...member, required: true })) });
    if (!isRecord(record)) return;
    if (optional.length > 0 && isRecord(all)) {
      const full: Readonly<Record<string, unknown>> = { ...all, ...good };
      yield { name: "fewest-members", value: record };
      yield { name: "all-members", value: full };
      for (const { name } of optional) {
        const { [name]: value, ...others } = full;
        yield { name: `without-${name}`, value: others };
        yield { name: `with-${name}`, value: { ...record, [name]: value } };
      }
    }
    if (depth >= maximumDepth) return;
    const inside = members.map(({ name, type: member }) =>
      [...this.valuesOf(member, depth + 1, good?.[name])]
        .slice(0, maximumListed)
        .map((one) => ({ name: `${name}-${one.name}`, value: { ...record, [name]: one.value } })),
    );
    yield* interleave(inside);
  }
}

function* numbers(type: NumberNode): Iterable<NamedValue> {
  const { minimum: low, maximum: high, exclusiveMinimum: above, exclusiveMaximum: below } = type;
  if (low !== undefined) yield { name: "minimum", value: plainNumber(low) };
  if (high !== undefined) yield { name: "maximum", value: plainNumber(high) };
  if (above !== undefined) yield { name: "above-exclusive-minimum", value: neighbour(above, type, 1) };
  if (below !== undefined) yield { name: "below-exclusive-maximum", value: neighbour(below, type, -1) };
  yield { name: "zero", value: 0 };
  if (low !== undefined) yield { name: "above-minimum", value: neighbour(low, type, 1) };
  if (high !== undefined) yield { name: "below-maximum", value: neighbour(high, type, -1) };
  if (!type.integer) yield { name: "fraction", value: Number(low ?? above ?? 0) + 0.5 };
}

function* texts(type: StringNode, random: RandomSource): Iterable<NamedValue> {
  const { minLength = 0, maxLength, pattern } = type;
  if (pattern !== undefined) {
    const most = Math.min(maxLength ?? Math.max(minLength, unboundedTextLength), maximumTextLength);
    const found = [...patternTexts(pattern, minLength, most, random)]
      .filter((text) => text.length <= most && isValueOf(type, text, {}, "request"))
      .toSorted((left, right) => left.length - right.length);
    yield { name: "shortest", value: found[0] };
    yield { name: "longest", value: found.at(-1) };
    return;
  }
  if (!allowsAnyString(type)) return;
  if (minLength <= maximumTextLength)
    yield { name: minLength === 0 ? "empty" : "shortest", value: textOfLength(minLength, random) };
  if (maxLength === undefined) return;
  const name = maxLength <= maximumTextLength ? "longest" : "long";
  yield { name, value: textOfLength(Math.min(maxLength, maximumTextLength), random) };
}
