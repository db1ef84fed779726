import type { PatternMatcher } from "../pattern.ts";
import type { Place } from "../type-node.ts";

/** What of a value is not of its type. */
export interface TypeViolation {
  /** JSON Pointer into the value. */
  readonly pointer: string;
  /** The same with `*` for positions in lists and for names that the type does not have: no value of a response is in it. */
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

export interface CheckOptions {
  readonly matchesPattern: PatternMatcher;
  /**
   * Where values are going. Absent: exactly what JSON Schema says. A server may respond with more than that: with a value of several
   * alternatives of a `oneOf`, as an empty list is of every list.
   */
  readonly direction?: Direction;
}
