import {
  isRecord,
  kindOf,
  type EnumerationNode,
  type ListNode,
  type NumberNode,
  type RecordNode,
  type StringNode,
  type UnionNode,
  type TypeNode,
} from "@nodewright/api-model";
import type { NamedTypes } from "./named-types.ts";
import { type FlatType, flatTypeOf } from "./flat-type.ts";
import { neighbour } from "./number-values.ts";
import { createRandom, type RandomSource } from "./random.ts";
import { sampleOf } from "./sample-value.ts";
import { distinctValues, type InvalidValue } from "./value-contract.ts";
import { isValueOf, violationsOf } from "./violations.ts";

const maximumInvalid = 120;

/**
 * Returns values that are invalid against a type in a request: several for each constraint, derived from `base` if it is a value of the
 * type. Those that a careless server overlooks come first: bounds, patterns, missing members; then other kinds of values.
 */
export function invalidValuesOf(type: TypeNode, types: NamedTypes, base: unknown): readonly InvalidValue[] {
  const random = createRandom("wrong values");
  const start = isValueOf(type, base, types, "request") ? base : sampleOf(type, types, random);
  const candidates = byWorth(new Mistakes(types, random).of(type, start, 0));
  return distinctValues(candidates, maximumInvalid, (value) => {
    const [violation] = violationsOf(type, value, types, "request");
    return violation && { keyword: violation.keyword, place: violation.place };
  });
}

/** A value that is probably invalid. */
interface Mistake {
  readonly name: string;
  readonly value: unknown;
  /** Priority: lower values are sent earlier. */
  readonly worth: number;
}

/** Priorities of mistakes: those that servers check least come first. */
const worths = { constraint: 0, missing: 1, variant: 2, nearKind: 3, null: 4, kind: 5, farKind: 6 } as const;

function mistake(kind: keyof typeof worths, name: string, value: unknown): Mistake {
  return { name, value, worth: worths[kind] };
}

/** Addition to the priority for each nested level: outer mistakes come before inner ones. */
const worthOfLevel = 0.5;
const maximumDepth = 3;
const maximumItems = 1000;
const maximumLength = 4096;
const maximumMembers = 40;
/** Maximum number of mistakes in one part of a value. */
const maximumInside = 8;

/** Generates values that violate constraints; each must still be checked against the type. */
class Mistakes {
  readonly #types: NamedTypes;
  readonly #random: RandomSource;

  constructor(types: NamedTypes, random: RandomSource) {
    this.#types = types;
    this.#random = random;
  }

  /** Yields mistakes. `base` is a value of the type, or undefined if none is known. */
  *of(type: TypeNode, base: unknown, depth: number): Iterable<Mistake> {
    const flat = flatTypeOf(type, this.#types);
    yield* this.#ofConstraints(flat, base, depth);
    yield* otherKinds(flat, base);
  }

  *#ofConstraints(flat: FlatType, base: unknown, depth: number): Iterable<Mistake> {
    if (flat.kind === "string") yield* wrongTexts(flat, typeof base === "string" ? base : "text");
    if (flat.kind === "number") yield* wrongNumbers(flat, base);
    if (flat.kind === "enumeration") yield* unlisted(flat, base);
    if (flat.kind === "list") yield* this.#ofList(flat, Array.isArray(base) ? base : [], depth);
    if (flat.kind === "record") yield* this.#ofRecord(flat, isRecord(base) ? base : {}, depth);
    if (flat.kind === "union") yield* this.#ofUnion(flat, base, depth);
  }

  #sample(type: TypeNode): unknown {
    return sampleOf(type, this.#types, this.#random);
  }

  *#ofUnion(type: UnionNode, base: unknown, depth: number): Iterable<Mistake> {
    for (const [index, member] of type.members.entries()) {
      const arm = flatTypeOf(member, this.#types);
      if (isValueOf(arm, base, this.#types, "request")) yield* this.#ofConstraints(arm, base, depth);
      else {
        const found = [...this.#ofConstraints(arm, this.#sample(arm), depth + 1)].slice(0, maximumInside);
        yield* found.map((one) => inside(`arm-${index + 1}`, one, one.value));
      }
    }
  }

  *#ofList(type: ListNode, items: readonly unknown[], depth: number): Iterable<Mistake> {
    const { minItems = 0, maxItems, uniqueItems = false } = type;
    const filler = items[0] ?? this.#sample(type.element);
    const filled = items.length > 0 || filler === undefined ? items : [filler];
    if (minItems > 0) yield mistake("constraint", "too-few-items", items.slice(0, minItems - 1));
    if (maxItems !== undefined && maxItems < maximumItems) {
      const count = maxItems + 1;
      const more = [...items, ...Array.from({ length: count - items.length }, () => filler)];
      const distinct = { ...type, minItems: count, maxItems: count, examples: [] };
      yield mistake("constraint", "too-many-items", uniqueItems ? this.#sample(distinct) : more);
    }
    if (uniqueItems) {
      // Replaces the last item when the list is full.
      const kept = filled.length > 1 && filled.length === maxItems ? filled.slice(0, -1) : filled;
      yield mistake("constraint", "equal-items", [...kept, filler]);
    }
    if (depth >= maximumDepth || filled.length === 0) return;
    for (const one of this.#inside(type.prefix?.[0] ?? type.element, filled[0], depth))
      yield inside("item", one, filled.with(0, one.value));
  }

  *#ofRecord(type: RecordNode, record: Readonly<Record<string, unknown>>, depth: number): Iterable<Mistake> {
    const members = type.members.filter(({ access }) => access !== "read-only").slice(0, maximumMembers);
    for (const { name, required } of members) {
      const { [name]: left, ...others } = record;
      if (left !== undefined) yield mistake(required ? "missing" : "variant", `without-${name}`, others);
    }
    yield mistake("variant", "unexpected-member", { ...record, unexpectedMember: "text" });
    for (const { name, type: member } of depth < maximumDepth ? members : []) {
      for (const one of this.#inside(member, record[name] ?? this.#sample(member), depth))
        yield inside(name, one, { ...record, [name]: one.value });
    }
  }

  /** Returns the mistakes in a part of a value that have the highest priority. */
  #inside(type: TypeNode, base: unknown, depth: number): readonly Mistake[] {
    const wrong = [...this.of(type, base, depth + 1)].filter(
      ({ value }) => !isValueOf(type, value, this.#types, "request"),
    );
    return byWorth(wrong).slice(0, maximumInside);
  }
}

function byWorth(mistakes: Iterable<Mistake>): readonly Mistake[] {
  return [...mistakes].sort((left, right) => left.worth - right.worth);
}

function inside(part: string, { name, worth }: Mistake, value: unknown): Mistake {
  return { name: `${part}-${name}`, value, worth: worth + worthOfLevel };
}

/** Yields values of every other kind. The caller leaves out those that are valid. */
function* otherKinds(flat: FlatType, base: unknown): Iterable<Mistake> {
  const kind = flat.kind === "enumeration" ? kindOf(flat.values[0]) : flat.kind === "union" ? kindOf(base) : flat.kind;
  if (kind === "number" && base !== undefined && base !== null)
    yield mistake("nearKind", "number-as-text", String(base));
  if (kind === "boolean") {
    yield mistake("nearKind", "boolean-as-text", "true");
    yield mistake("nearKind", "boolean-as-number", 1);
  }
  if (Array.isArray(base) && base.length > 0) yield mistake("nearKind", "item-alone", base[0]);
  if (kind === "record") yield mistake("nearKind", "object-in-list", [base ?? {}]);
  yield mistake("null", "null", null);
  yield mistake(kind === "string" ? "nearKind" : "kind", "number", 5);
  yield mistake("kind", "text", "text");
  yield mistake("kind", "boolean", true);
  yield mistake("farKind", "list", kind === "record" ? [] : ["text"]);
  yield mistake("farKind", "object", { unexpected: "text" });
}

function* wrongNumbers(type: NumberNode, base: unknown): Iterable<Mistake> {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below, multipleOf } = type;
  const number = typeof base === "number" && Math.abs(base) < 2 ** 50 ? base : 1;
  if (minimum !== undefined) yield mistake("constraint", "below-minimum", neighbour(minimum, type, -1));
  if (maximum !== undefined) yield mistake("constraint", "above-maximum", neighbour(maximum, type, 1));
  if (above !== undefined) yield mistake("constraint", "at-exclusive-minimum", above);
  if (below !== undefined) yield mistake("constraint", "at-exclusive-maximum", below);
  if (type.integer) yield mistake("constraint", "fraction", number + (number + 0.5 > Number(maximum) ? -0.5 : 0.5));
  if (multipleOf !== undefined) {
    const half = multipleOf / 2;
    yield mistake("constraint", "not-a-multiple", number + (type.integer && half % 1 !== 0 ? 1 : half));
  }
  if (minimum !== undefined || above !== undefined) yield mistake("variant", "far-below-minimum", -(2 ** 53));
  if (maximum === undefined && below === undefined) return;
  yield mistake("variant", "beyond-64-bits", 2n ** 64n);
  yield mistake("kind", "far-above-maximum", Number.MAX_VALUE);
}

function* unlisted({ values }: EnumerationNode, base: unknown): Iterable<Mistake> {
  const start = base ?? values[0];
  if (typeof start === "string") {
    yield mistake("constraint", "not-listed", `${start}x`);
    yield mistake("variant", "other-case", start === start.toUpperCase() ? start.toLowerCase() : start.toUpperCase());
    yield mistake("variant", "empty", "");
    yield mistake("variant", "trailing-space", `${start} `);
  }
  const numbers = values.filter((value) => typeof value === "number");
  const [first] = numbers;
  if (first !== undefined) {
    yield mistake("constraint", "not-listed", Math.max(...numbers) + 1);
    yield mistake("variant", "fraction", first + 0.5);
  }
  if (typeof start === "boolean") yield mistake("constraint", "not-listed", !start);
}

function* wrongTexts({ minLength = 0, maxLength, pattern }: StringNode, text: string): Iterable<Mistake> {
  const characters = [...text];
  const name = minLength === 1 ? "empty" : "too-short";
  if (minLength > 0) yield mistake("constraint", name, characters.slice(0, minLength - 1).join(""));
  const last = text.at(-1) ?? "x";
  if (maxLength !== undefined && maxLength < maximumLength)
    yield mistake("constraint", "too-long", text + last.repeat(Math.max(0, maxLength + 1 - characters.length)));
  if (pattern === undefined) return;
  const start = text.slice(0, -1);
  const middle = Math.floor(text.length / 2);
  yield mistake("constraint", "foreign-character", `${start}!`);
  yield mistake("constraint", "cut", start);
  yield mistake("constraint", "lengthened", text + last);
  yield mistake("variant", "other-letter", `${text.slice(0, middle)}z${text.slice(middle + 1)}`);
  yield mistake("variant", "other-case", text.toUpperCase());
  yield mistake("variant", "other-case", text.toLowerCase());
  yield mistake("variant", "empty", "");
  yield mistake("variant", "space-inside", `${text.slice(0, middle)} ${text.slice(middle)}`);
  yield mistake("variant", "other-prefix", text.startsWith("0x") ? text.slice(2) : `0x${text}`);
  yield mistake("nearKind", "doubled", text + text);
  yield mistake("nearKind", "unlike", "not of the pattern");
  yield mistake("kind", "trailing-line-break", `${text}\n`);
}
