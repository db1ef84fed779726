import {
  canonicalText,
  isRecord,
  kindOf,
  type EnumerationNode,
  type ListNode,
  type NumberNode,
  type RecordNode,
  type StringNode,
  type UnionNode,
} from "@nodewright/api-model";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { withPlace } from "../suite/with-place.ts";
import { type FlatType, flatTypeOf } from "./flat-type.ts";
import { UniqueNames } from "./kebab-case.ts";
import { neighbours, plainInteger } from "./number-values.ts";
import { createRandom } from "./random.ts";
import type { RandomSource } from "./random-source.ts";
import { sampleOf } from "./sample-value.ts";
import type { WrongValue } from "./value-contract.ts";
import { isValueOf, violationsOf } from "./violations.ts";

const maximumWrong = 120;

/**
 * Returns values that a type refuses in a request: for every constraint some that break it, derived from `base` where it is a value of the
 * type. Those that a careless server overlooks come first: bounds, patterns, missing members; then other kinds of values.
 */
export function wrongValuesOf(type: SuiteType, types: SuiteTypes, base: unknown): readonly WrongValue[] {
  const random = createRandom("wrong values");
  const start = isValueOf(type, base, types, "request") ? base : sampleOf(type, types, random);
  const candidates = new Mistakes(types, random).of(type, start, 0);
  const names = new UniqueNames();
  const seen = new Set<string>();
  const wrong: WrongValue[] = [];
  for (const { name, value } of candidates.toSorted((left, right) => left.worth - right.worth)) {
    const text = canonicalText(value);
    const [violation] = seen.has(text) ? [] : violationsOf(type, value, types, "request");
    seen.add(text);
    if (violation === undefined || wrong.length >= maximumWrong) continue;
    const { keyword, place } = violation;
    wrong.push({ name: names.take(name), value, keyword, ...withPlace(place) });
  }
  return wrong;
}

/** A value that is probably refused. */
interface Mistake {
  readonly name: string;
  readonly value: unknown;
  /** Lower is played earlier. */
  readonly worth: number;
}

/** How soon a mistake is tried: what servers check least comes first. */
const worths = { constraint: 0, missing: 1, variant: 2, nearKind: 3, null: 4, kind: 5, farKind: 6 } as const;

function mistake(kind: keyof typeof worths, name: string, value: unknown): Mistake {
  return { name, value, worth: worths[kind] };
}

/** What is inside comes after what is outside, by this for each level. */
const worthOfLevel = 0.5;
const maximumDepth = 3;
const maximumItems = 1000;
const maximumLength = 4096;
const maximumMembers = 40;
/** Of one part of a value. */
const maximumInside = 8;

/** Values that break constraints; each has still to be checked against the type. */
class Mistakes {
  readonly #types: SuiteTypes;
  readonly #random: RandomSource;

  constructor(types: SuiteTypes, random: RandomSource) {
    this.#types = types;
    this.#random = random;
  }

  /** `base` is a value of the type, or undefined where none is known. */
  of(type: SuiteType, base: unknown, depth: number): readonly Mistake[] {
    const flat = flatTypeOf(type, this.#types);
    return [...this.#ofConstraints(flat, base, depth), ...otherKinds(flat, base)];
  }

  #ofConstraints(flat: FlatType, base: unknown, depth: number): readonly Mistake[] {
    switch (flat.kind) {
      case "string":
        return wrongTexts(flat, base);
      case "number":
        return wrongNumbers(flat, base);
      case "enumeration":
        return unlisted(flat, base);
      case "list":
        return this.#ofList(flat, base, depth);
      case "record":
        return this.#ofRecord(flat, base, depth);
      case "union":
        return this.#ofUnion(flat, base, depth);
      default:
        return [];
    }
  }

  #sample(type: SuiteType): unknown {
    return sampleOf(type, this.#types, this.#random);
  }

  #ofUnion(type: UnionNode, base: unknown, depth: number): readonly Mistake[] {
    const arms = type.members.map((member) => flatTypeOf(member, this.#types));
    const isOwn = (arm: FlatType): boolean => isValueOf(arm, base, this.#types, "request");
    return arms.flatMap((arm, index) => {
      if (isOwn(arm)) return this.#ofConstraints(arm, base, depth);
      const found = this.#ofConstraints(arm, this.#sample(arm), depth + 1).slice(0, maximumInside);
      return found.map((one) => inside(`arm-${index + 1}`, one, one.value));
    });
  }

  #ofList(type: ListNode, base: unknown, depth: number): readonly Mistake[] {
    const { minItems = 0, maxItems, uniqueItems } = type;
    const items: readonly unknown[] = Array.isArray(base) ? base : [];
    const filler = items[0] ?? this.#sample(type.element);
    const filled = items.length > 0 || filler === undefined ? items : [filler];
    const found: Mistake[] = [];
    if (minItems > 0) found.push(mistake("constraint", "too-few-items", items.slice(0, minItems - 1)));
    if (maxItems !== undefined && maxItems < maximumItems) {
      const count = maxItems + 1;
      const distinct = { ...type, minItems: count, maxItems: count, examples: [] };
      const more = [...items, ...Array.from({ length: count - items.length }, () => filler)];
      found.push(mistake("constraint", "too-many-items", uniqueItems === true ? this.#sample(distinct) : more));
    }
    if (uniqueItems === true) {
      // In place of the last item where there is no room for one more.
      const kept = filled.length > 1 && filled.length === maxItems ? filled.slice(0, -1) : filled;
      found.push(mistake("constraint", "equal-items", [...kept, filler]));
    }
    if (depth >= maximumDepth || filled.length === 0) return found;
    const wrongItems = this.#inside(type.prefix?.[0] ?? type.element, filled[0], depth);
    return [...found, ...wrongItems.map((one) => inside("item", one, filled.with(0, one.value)))];
  }

  /** What is wrong in a part, the best of it. */
  #inside(type: SuiteType, base: unknown, depth: number): readonly Mistake[] {
    return this.of(type, base, depth + 1)
      .filter(({ value }) => !isValueOf(type, value, this.#types, "request"))
      .toSorted((left, right) => left.worth - right.worth)
      .slice(0, maximumInside);
  }

  #ofRecord(type: RecordNode, base: unknown, depth: number): readonly Mistake[] {
    const record = isRecord(base) ? base : {};
    const members = type.members.filter(({ access }) => access !== "read-only").slice(0, maximumMembers);
    const missing = members.flatMap(({ name, required }) => {
      const { [name]: left, ...others } = record;
      return left === undefined ? [] : [mistake(required ? "missing" : "variant", `without-${name}`, others)];
    });
    const surplus = mistake("variant", "unexpected-member", { ...record, unexpectedMember: "text" });
    if (depth >= maximumDepth) return [...missing, surplus];
    const wrongMembers = members.flatMap(({ name, type: member }) =>
      this.#inside(member, record[name] ?? this.#sample(member), depth).map((one) =>
        inside(name, one, { ...record, [name]: one.value }),
      ),
    );
    return [...missing, surplus, ...wrongMembers];
  }
}

function inside(part: string, { name, worth }: Mistake, value: unknown): Mistake {
  return { name: `${part}-${name}`, value, worth: worth + worthOfLevel };
}

/** Values of every other kind. The caller leaves out what is allowed. */
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

function wrongNumbers(type: NumberNode, base: unknown): readonly Mistake[] {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below, multipleOf } = type;
  const number = typeof base === "number" && Math.abs(base) < 2 ** 50 ? base : 1;
  const found: Mistake[] = [];
  if (minimum !== undefined) found.push(mistake("constraint", "below-minimum", beside(minimum, type, -1)));
  if (maximum !== undefined) found.push(mistake("constraint", "above-maximum", beside(maximum, type, 1)));
  if (above !== undefined) found.push(mistake("constraint", "at-exclusive-minimum", above));
  if (below !== undefined) found.push(mistake("constraint", "at-exclusive-maximum", below));
  if (type.integer)
    found.push(mistake("constraint", "fraction", number + (number + 0.5 > Number(maximum) ? -0.5 : 0.5)));
  if (multipleOf !== undefined) {
    const half = multipleOf / 2;
    found.push(mistake("constraint", "not-a-multiple", number + (type.integer && half % 1 !== 0 ? 1 : half)));
  }
  if (minimum !== undefined || above !== undefined) found.push(mistake("variant", "far-below-minimum", -(2 ** 53)));
  if (maximum !== undefined || below !== undefined) {
    found.push(mistake("variant", "beyond-64-bits", 2n ** 64n));
    found.push(mistake("kind", "far-above-maximum", Number.MAX_VALUE));
  }
  return found;
}

function beside(bound: number | bigint, type: NumberNode, way: 1 | -1): number | bigint {
  if (typeof bound === "bigint") return plainInteger(bound + BigInt(way));
  if (Math.abs(bound) === Number.MAX_SAFE_INTEGER) return BigInt(bound) + BigInt(way);
  const numbers = neighbours(bound, type).map(Number);
  return way === 1 ? Math.max(...numbers) : Math.min(...numbers);
}

function unlisted({ values }: EnumerationNode, base: unknown): readonly Mistake[] {
  const start = base ?? values[0];
  const found: Mistake[] = [];
  if (typeof start === "string") {
    const otherCase = start === start.toUpperCase() ? start.toLowerCase() : start.toUpperCase();
    found.push(mistake("constraint", "not-listed", `${start}x`), mistake("variant", "other-case", otherCase));
    found.push(mistake("variant", "empty", ""), mistake("variant", "trailing-space", `${start} `));
  }
  const numbers = values.filter((value) => typeof value === "number");
  const [first] = numbers;
  if (first !== undefined) {
    found.push(mistake("constraint", "not-listed", Math.max(...numbers) + 1));
    found.push(mistake("variant", "fraction", first + 0.5));
  }
  if (typeof start === "boolean") found.push(mistake("constraint", "not-listed", !start));
  return found;
}

function wrongTexts(type: StringNode, base: unknown): readonly Mistake[] {
  const text = typeof base === "string" ? base : "text";
  const { minLength = 0, maxLength, pattern } = type;
  const found: Mistake[] = [];
  if (minLength > 0) {
    const name = minLength === 1 ? "empty" : "too-short";
    found.push(mistake("constraint", name, [...text].slice(0, minLength - 1).join("")));
  }
  const last = text.at(-1) ?? "x";
  if (maxLength !== undefined && maxLength < maximumLength)
    found.push(mistake("constraint", "too-long", text + last.repeat(Math.max(0, maxLength + 1 - [...text].length))));
  if (pattern === undefined) return found;
  const start = text.slice(0, -1);
  const middle = Math.floor(text.length / 2);
  return [
    ...found,
    mistake("constraint", "foreign-character", `${start}!`),
    mistake("constraint", "cut", start),
    mistake("constraint", "lengthened", text + last),
    mistake("variant", "other-letter", `${text.slice(0, middle)}z${text.slice(middle + 1)}`),
    mistake("variant", "other-case", text.toUpperCase()),
    mistake("variant", "other-case", text.toLowerCase()),
    mistake("variant", "empty", ""),
    mistake("variant", "space-inside", `${text.slice(0, middle)} ${text.slice(middle)}`),
    mistake("variant", "other-prefix", text.startsWith("0x") ? text.slice(2) : `0x${text}`),
    mistake("nearKind", "doubled", text + text),
    mistake("nearKind", "unlike", "not of the pattern"),
    mistake("kind", "trailing-line-break", `${text}\n`),
  ];
}
