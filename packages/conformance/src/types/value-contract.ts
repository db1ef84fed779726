import type { Place } from "../suite/suite-type.ts";

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
