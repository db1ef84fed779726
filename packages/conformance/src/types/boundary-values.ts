import { canonicalText } from "@nodewright/api-model";
import type {
  ListType,
  NumberType,
  RecordType,
  StringType,
  SuiteType,
  SuiteTypes,
  UnionType,
} from "../suite/suite-type.ts";
import { type FlatType, flatTypeOf } from "./flat-type.ts";
import { UniqueNames } from "./kebab-case.ts";
import { neighbours } from "./number-values.ts";
import { patternMatches } from "./pattern.ts";
import { countAlternatives, patternText } from "./pattern-text.ts";
import type { RandomSource } from "./random-source.ts";
import { sampleOf, shownValues } from "./sample-value.ts";
import { maximumTextLength, patternTexts, takesAnyText, textOfLength } from "./text-values.ts";
import type { NamedValue } from "./value-contract.ts";
import { isValueOf } from "./violations.ts";

const maximumValues = 60;
const maximumListed = 8;
const maximumItems = 200;
const maximumMembers = 30;
const maximumDepth = 2;
/** Of a text whose length is bounded by nothing: a server need not take everything. */
const unboundedTextLength = 64;

/**
 * Values at the bounds of a type, each a value of it in a request: lowest and highest, shortest and longest, each listed one, each
 * alternative, each optional member left out and present. Texts have at most 4,096 characters, lists at most 200 items.
 */
export function boundaryValuesOf(type: SuiteType, types: SuiteTypes, random: RandomSource): readonly NamedValue[] {
  const names = new UniqueNames();
  const seen = new Set<string>();
  const found: NamedValue[] = [];
  for (const { name, value } of new BoundaryMaker(types, random).valuesOf(type, 0)) {
    if (found.length >= maximumValues) break;
    const text = canonicalText(value);
    if (value === undefined || seen.has(text) || !isValueOf(type, value, types, "request")) continue;
    seen.add(text);
    found.push({ name: names.take(name), value });
  }
  return found;
}

class BoundaryMaker {
  readonly #types: SuiteTypes;
  readonly #random: RandomSource;

  constructor(types: SuiteTypes, random: RandomSource) {
    this.#types = types;
    this.#random = random;
  }

  /** Each has still to be held against the type. */
  *valuesOf(type: SuiteType, depth: number): Iterable<NamedValue> {
    const flat = flatTypeOf(type, this.#types);
    yield* this.#valuesOfFlat(flat, depth);
    for (const value of new Set([...shownValues(type), ...shownValues(flat)].slice(0, maximumListed)))
      yield { name: "documented", value };
  }

  *#valuesOfFlat(flat: FlatType, depth: number): Iterable<NamedValue> {
    switch (flat.kind) {
      case "null":
        yield { name: "null", value: null };
        return;
      case "boolean":
        yield* [
          { name: "true", value: true },
          { name: "false", value: false },
        ];
        return;
      case "enumeration":
        for (const value of spread(flat.values, maximumListed)) yield { name: `value-${String(value)}`, value };
        return;
      case "number":
        yield* boundaryNumbers(flat);
        return;
      case "string":
        yield* boundaryTexts(flat, this.#random);
        return;
      case "list":
        yield* this.#lists(flat, depth);
        return;
      case "record":
        yield* this.#records(flat, depth);
        return;
      case "union":
        yield* this.#arms(flat, depth);
        return;
      case "any":
      case "never":
      case "bytes":
        return;
    }
  }

  #sample(type: SuiteType): unknown {
    return sampleOf(type, this.#types, this.#random);
  }

  *#arms(type: UnionType, depth: number): Iterable<NamedValue> {
    const arms = type.members.map((member, index) => ({
      member,
      name: `arm-${index + 1}`,
      isNull: flatTypeOf(member, this.#types).kind === "null",
    }));
    const valued = arms.filter(({ isNull }) => !isNull);
    const isNullable = valued.length < arms.length;
    const [only] = valued;
    if (only !== undefined && valued.length === 1) yield* this.valuesOf(only.member, depth);
    else for (const { member, name } of valued) yield { name, value: this.#sample(member) };
    if (isNullable) yield { name: "null", value: null };
    if (valued.length < 2 || depth >= maximumDepth) return;
    for (const { member, name } of valued) {
      for (const one of this.valuesOf(member, depth + 1)) yield { name: `${name}-${one.name}`, value: one.value };
    }
  }

  *#lists(type: ListType, depth: number): Iterable<NamedValue> {
    const { minItems = 0, maxItems } = type;
    if (minItems === 0) yield { name: "empty", value: [] };
    else yield { name: "fewest-items", value: this.#sample({ ...type, maxItems: minItems, examples: [] }) };
    if (maxItems !== undefined && maxItems > minItems && maxItems <= maximumItems)
      yield { name: "most-items", value: this.#sample({ ...type, minItems: maxItems, examples: [] }) };
    if (minItems <= 1 && maxItems !== 1)
      yield { name: "one-item", value: this.#sample({ ...type, minItems: 1, maxItems: 1, examples: [] }) };
    if (minItems <= 2 && (maxItems ?? 3) > 2)
      yield { name: "two-items", value: this.#sample({ ...type, minItems: 2, maxItems: 2, examples: [] }) };
    if (depth >= maximumDepth || (type.prefix ?? []).length > 0) return;
    const count = Math.max(1, minItems);
    const base = this.#sample({ ...type, minItems: count, maxItems: count, examples: [] });
    if (!Array.isArray(base)) return;
    for (const one of this.valuesOf(type.element, depth + 1))
      yield { name: `item-${one.name}`, value: base.with(0, one.value) };
  }

  *#records(type: RecordType, depth: number): Iterable<NamedValue> {
    const members = type.members.filter(({ access }) => access !== "read-only").slice(0, maximumMembers);
    const optional = members.filter(({ required }) => !required);
    const base = this.#sample({ ...type, examples: [] });
    if (typeof base !== "object" || base === null) return;
    const record = base as Readonly<Record<string, unknown>>;
    const samples = Object.fromEntries(
      members
        .map(
          ({ name, type: member }) =>
            [name, Object.hasOwn(record, name) ? record[name] : this.#sample(member)] as const,
        )
        .filter(([, value]) => value !== undefined),
    );
    const full = { ...record, ...samples };
    if (optional.length > 0) {
      yield { name: "fewest-members", value: record };
      yield { name: "all-members", value: full };
    }
    for (const { name } of optional) {
      yield { name: `without-${name}`, value: withoutMember(full, name) };
      yield { name: `with-${name}`, value: { ...record, [name]: samples[name] } };
    }
    if (depth >= maximumDepth) return;
    const inside = members.map((member) => [...this.valuesOf(member.type, depth + 1)].slice(0, maximumListed));
    for (let index = 0; index < maximumListed; index += 1) {
      for (const [position, { name }] of members.entries()) {
        const one = inside[position]?.[index];
        if (one !== undefined) yield { name: `${name}-${one.name}`, value: { ...record, [name]: one.value } };
      }
    }
  }
}

function withoutMember(record: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.fromEntries(Object.entries(record).filter(([one]) => one !== name));
}

function* boundaryNumbers(type: NumberType): Iterable<NamedValue> {
  const { minimum: low, maximum: high, exclusiveMinimum: above, exclusiveMaximum: below } = type;
  if (low !== undefined) yield { name: "minimum", value: plain(low) };
  if (high !== undefined) yield { name: "maximum", value: plain(high) };
  if (above !== undefined) yield { name: "above-exclusive-minimum", value: highest(neighbours(above, type)) };
  if (below !== undefined) yield { name: "below-exclusive-maximum", value: lowest(neighbours(below, type)) };
  yield { name: "zero", value: 0 };
  if (low !== undefined) yield { name: "above-minimum", value: highest(neighbours(low, type)) };
  if (high !== undefined) yield { name: "below-maximum", value: lowest(neighbours(high, type)) };
  if (!type.integer) yield { name: "fraction", value: middleOf(low ?? above, high ?? below) };
}

function plain(bound: number | bigint): number | bigint {
  return typeof bound === "bigint" && Number.isSafeInteger(Number(bound)) ? Number(bound) : bound;
}

function highest(values: readonly (number | bigint)[]): number | bigint | undefined {
  return ascending(values).at(-1);
}

function lowest(values: readonly (number | bigint)[]): number | bigint | undefined {
  return ascending(values)[0];
}

function ascending(values: readonly (number | bigint)[]): readonly (number | bigint)[] {
  return values.toSorted((left, right) => (left < right ? -1 : left > right ? 1 : 0));
}

function middleOf(low: number | bigint | undefined, high: number | bigint | undefined): number {
  if (low === undefined || high === undefined) return Number(low ?? 0) + 0.5;
  return (Number(low) + Number(high)) / 2 + (Number(high) - Number(low) > 2 ? 0.5 : 0);
}

function* boundaryTexts(type: StringType, random: RandomSource): Iterable<NamedValue> {
  const { minLength = 0, maxLength, pattern } = type;
  if (pattern !== undefined) {
    const most = Math.min(maxLength ?? Math.max(minLength, unboundedTextLength), maximumTextLength);
    yield* patternBoundaries(pattern, minLength, most, random);
    return;
  }
  if (!takesAnyText(type)) return;
  if (minLength <= maximumTextLength)
    yield { name: minLength === 0 ? "empty" : "shortest", value: textOfLength(minLength, random) };
  if (maxLength === undefined) return;
  if (maxLength <= maximumTextLength) yield { name: "longest", value: textOfLength(maxLength, random) };
  else yield { name: "long", value: textOfLength(maximumTextLength, random) };
}

/** Texts of a pattern: its shortest and longest, and one for each of its alternatives. */
function* patternBoundaries(pattern: string, least: number, most: number, random: RandomSource): Iterable<NamedValue> {
  const texts = [...patternTexts(pattern, least, most, random)]
    .filter((text) => text.length >= least && text.length <= most && patternMatches(pattern, text))
    .toSorted((left, right) => left.length - right.length);
  yield { name: "shortest", value: texts[0] };
  yield { name: "longest", value: texts.at(-1) };
  const count = Math.min(countAlternatives(pattern), maximumListed);
  for (let alternative = 0; count > 1 && alternative < count; alternative += 1) {
    const value = patternText(pattern, { random, stretch: 0.5, most: 8, alternative });
    if (value !== undefined) yield { name: `alternative-${alternative + 1}`, value };
  }
}

/** Of a list the first ones, the last and some between. */
function spread<Value>(values: readonly Value[], most: number): readonly Value[] {
  if (values.length <= most) return values;
  const step = (values.length - 1) / (most - 1);
  return Array.from({ length: most }, (_none, index) => values[Math.round(index * step)] as Value);
}
