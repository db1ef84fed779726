import { escapeSegment, isRecord, kindOf } from "@nodewright/api-model";
import { withPlace } from "../suite/with-place.ts";
import type { Place, SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { additionalOf, armsOf, elementOf, memberOf } from "./member-facts.ts";
import { showValue } from "./show-value.ts";
import { isVolatileName, marksVolatileMembers } from "./volatile-names.ts";

/** A difference between two values. */
export interface Difference {
  /** JSON Pointer into the values. */
  readonly pointer: string;
  /** The same pointer with `*` in place of list indices and of names that are data. */
  readonly steady: string;
  /** Whether the place is an element of the outermost list on the way to it, or within one; absent where there is no such list. */
  readonly element?: "whole" | "part";
  /** `kind`: another JSON type. `length`: of a list. */
  readonly kind: "value" | "kind" | "missing" | "extra" | "length";
  /** Clause about the place, without values: "is another value". */
  readonly message: string;
  /** The same clause with the values. */
  readonly detail: string;
  /** Last name in the pointer that is not an index; empty for the complete value. */
  readonly name: string;
  readonly expected: unknown;
  readonly actual: unknown;
  /** Whether the place has an enumeration type. */
  readonly isChoice?: boolean;
  readonly place?: Place;
}

export interface DifferenceOptions {
  /** Whether members that only the actual value has are differences too. */
  readonly namesExtra?: boolean;
  /** Whether undescribed members are ignored where the description names others. */
  readonly skipsUnnamed?: boolean;
}

/** Maximum number of returned differences. */
const maximumDifferences = 100;
/** Maximum depth of compared values. */
const deepest = 500;

interface Spot {
  readonly pointer: string;
  readonly steady: string;
  readonly element: Difference["element"] | undefined;
  readonly name: string;
  readonly type: SuiteType | undefined;
  readonly place: Place | undefined;
  readonly depth: number;
}

/**
 * Returns the differences of two JSON values. A double and a bigint are equal when they are the same number; the order of members is
 * irrelevant. Ignores volatile members: those that the description marks, or those with volatile names where it marks none.
 */
export function differences(
  type: SuiteType | undefined,
  expected: unknown,
  actual: unknown,
  types: SuiteTypes,
  options: DifferenceOptions = {},
): readonly Difference[] {
  return [...new Comparison(types, options).of(type, expected, actual).take(maximumDifferences)];
}

/** Whether two values are equal by the rules of `differences`, in both directions. */
export function isSameValue(
  type: SuiteType | undefined,
  left: unknown,
  right: unknown,
  types: SuiteTypes,
  options: DifferenceOptions = {},
): boolean {
  return new Comparison(types, { ...options, namesExtra: true }).of(type, left, right).next().done === true;
}

class Comparison {
  readonly #types: SuiteTypes;
  readonly #options: DifferenceOptions;
  readonly #byName: boolean;

  constructor(types: SuiteTypes, options: DifferenceOptions) {
    this.#types = types;
    this.#options = options;
    this.#byName = !marksVolatileMembers(types);
  }

  of(type: SuiteType | undefined, expected: unknown, actual: unknown): Generator<Difference, void, undefined> {
    const place = type?.place;
    const spot: Spot = { pointer: "", steady: "", element: undefined, name: "", type, place, depth: 0 };
    return this.#compare(expected, actual, spot);
  }

  *#compare(expected: unknown, actual: unknown, spot: Spot): Generator<Difference, void, undefined> {
    if (spot.depth > deepest) return;
    if (kindOf(expected) !== kindOf(actual)) yield this.#difference(spot, "kind", expected, actual);
    else if (Array.isArray(expected) && Array.isArray(actual)) yield* this.#compareLists(expected, actual, spot);
    else if (isRecord(expected) && isRecord(actual)) yield* this.#compareRecords(expected, actual, spot);
    else if (!isSamePlain(expected, actual)) yield this.#difference(spot, "value", expected, actual);
  }

  *#compareLists(expected: readonly unknown[], actual: readonly unknown[], spot: Spot): Iterable<Difference> {
    if (expected.length !== actual.length) yield this.#difference(spot, "length", expected, actual);
    for (const [index, item] of expected.slice(0, actual.length).entries()) {
      const type = elementOf(spot.type, index, this.#types);
      yield* this.#compare(item, actual[index], {
        pointer: `${spot.pointer}/${index}`,
        steady: `${spot.steady}/*`,
        element: spot.element === undefined ? "whole" : "part",
        name: spot.name,
        type,
        place: type?.place ?? spot.place,
        depth: spot.depth + 1,
      });
    }
  }

  *#compareRecords(
    expected: Readonly<Record<string, unknown>>,
    actual: Readonly<Record<string, unknown>>,
    spot: Spot,
  ): Iterable<Difference> {
    const further = this.#options.namesExtra === true ? Object.keys(actual) : [];
    for (const name of new Set([...Object.keys(expected), ...further])) {
      const inner = this.#memberSpot(name, spot);
      if (inner === undefined) continue;
      const [left, right] = [expected[name], actual[name]];
      if (!Object.hasOwn(actual, name)) yield this.#difference(inner, "missing", left, undefined);
      else if (!Object.hasOwn(expected, name)) yield this.#difference(inner, "extra", undefined, right);
      else yield* this.#compare(left, right, inner);
    }
  }

  /** Returns the place of a member; undefined where it is not compared. */
  #memberSpot(name: string, spot: Spot): Spot | undefined {
    const member = memberOf(spot.type, name, this.#types);
    const isVolatile = member?.isVolatile === true || (this.#byName && isVolatileName(name));
    const isUnnamed = member === undefined && this.#options.skipsUnnamed === true;
    if (isVolatile || (isUnnamed && hasOnlyNamedMembers(spot.type, this.#types))) return undefined;
    const additional = additionalOf(spot.type, this.#types);
    const type = member?.type ?? additional;
    const isOfData = member === undefined && (/^\d+$/.test(name) || (additional?.kind ?? "never") !== "never");
    return {
      pointer: `${spot.pointer}/${escapeSegment(name)}`,
      steady: `${spot.steady}/${isOfData ? "*" : escapeSegment(name)}`,
      element: spot.element && "part",
      name,
      type,
      place: member?.place ?? type?.place ?? spot.place,
      depth: spot.depth + 1,
    };
  }

  #difference(spot: Spot, kind: Difference["kind"], expected: unknown, actual: unknown): Difference {
    const { pointer, steady, element, name, type, place } = spot;
    const arms = armsOf(type, this.#types).filter((arm) => arm.kind !== "null");
    const isChoice = arms.length > 0 && arms.every((arm) => arm.kind === "enumeration");
    return {
      pointer,
      steady,
      ...(element === undefined ? {} : { element }),
      kind,
      ...textsOf(kind, expected, actual),
      name,
      expected,
      actual,
      ...(isChoice ? { isChoice } : {}),
      ...withPlace(place),
    };
  }
}

/** Maximum relative difference of equal doubles: servers serialize fractions with 15 or 17 digits. */
const roundedDigits = 1e-14;

function isFraction(value: number): boolean {
  return Number.isFinite(value) && !Number.isInteger(value);
}

function isSamePlain(expected: unknown, actual: unknown): boolean {
  if (expected instanceof Uint8Array && actual instanceof Uint8Array) {
    return Buffer.compare(Buffer.from(expected), Buffer.from(actual)) === 0;
  }
  if (typeof expected === "number" && typeof actual === "number" && isFraction(expected) && isFraction(actual)) {
    return Math.abs(expected - actual) <= roundedDigits * Math.abs(expected);
  }
  // Compares loosely, because 1 and 1n are the same JSON number; the JSON types are equal at this point.
  // biome-ignore lint/suspicious/noDoubleEquals: want a double and a bigint compared by value
  return expected == actual;
}

/** Whether the description names members of a value, and has no type for others. */
function hasOnlyNamedMembers(type: SuiteType | undefined, types: SuiteTypes): boolean {
  const records = armsOf(type, types).filter((arm) => arm.kind === "record");
  return (
    records.some(({ members }) => members.length > 0) &&
    records.every(({ additional, patterns }) => additional === undefined && patterns === undefined)
  );
}

function textsOf(kind: Difference["kind"], expected: unknown, actual: unknown): Pick<Difference, "message" | "detail"> {
  const instead = `is ${showValue(actual)} instead of ${showValue(expected)}`;
  switch (kind) {
    case "missing":
      return { message: "is missing", detail: `is missing instead of ${showValue(expected)}` };
    case "extra":
      return { message: "should not be there", detail: `is ${showValue(actual)} and should not be there` };
    case "length": {
      const [left = 0, right = 0] = [expected, actual].map((list) => (Array.isArray(list) ? list.length : 0));
      const message = right < left ? "has fewer elements" : "has more elements";
      return { message, detail: `has ${right} elements instead of ${left}` };
    }
    case "kind":
      return { message: "is another kind of value", detail: instead };
    case "value":
      return { message: "is another value", detail: instead };
  }
}
