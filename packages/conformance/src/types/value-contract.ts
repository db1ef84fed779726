import type { Place, SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import type { RandomSource } from "./random-source.ts";

/** What of a value is not of its type. */
export interface TypeViolation {
  /** JSON Pointer into the value. */
  readonly pointer: string;
  /** The same with `*` for positions in lists and for names that the type does not have: it is no value of an answer. */
  readonly generalPointer: string;
  /** JSON Schema keyword that is broken. */
  readonly keyword: string;
  /** "must be an integer": without the value. */
  readonly message: string;
  /** Of the type that is broken. */
  readonly place?: Place;
}

/** `answer`: write-only members are not wanted; `request`: read-only ones are not. */
export type Direction = "answer" | "request";

export interface NamedValue {
  /** kebab-case, unique among those of one type: part of the names of cases. */
  readonly name: string;
  readonly value: unknown;
}

/** A value that its type refuses. */
export interface WrongValue extends NamedValue {
  /** JSON Schema keyword that it breaks. */
  readonly keyword: string;
  readonly place?: Place;
}

/** Everything that is done with types and values; a function each in this folder. */
export interface ValueTools {
  /** At most 100, the first by depth; empty when the value is of its type. Bounded in time on hostile values. */
  violationsOf(type: SuiteType, value: unknown, types: SuiteTypes, direction: Direction): readonly TypeViolation[];
  /** A value of the type, small and plain rather than strange; undefined where none could be found. */
  sampleOf(type: SuiteType, types: SuiteTypes, random: RandomSource): unknown;
  /** Values at the bounds of a type, each of its type: shortest, longest, lowest, highest, each enumeration value and union arm. */
  boundaryValuesOf(type: SuiteType, types: SuiteTypes, random: RandomSource): readonly NamedValue[];
  /** For every constraint of the type, values that break it and nothing else, `base` (a value of it) made worse where it can be. */
  wrongValuesOf(type: SuiteType, types: SuiteTypes, base: unknown): readonly WrongValue[];
}
