import type { PatternMatcher } from "../basics/pattern.ts";
import type { Place } from "../model/type-node.ts";

/** A violation of a type by a value. */
export interface TypeViolation {
  /** JSON Pointer into the value. */
  readonly pointer: string;
  /** The same with `*` for positions in lists and for names that the type does not have: it contains no data of a response. */
  readonly generalPointer: string;
  /** JSON Schema keyword that is violated. */
  readonly keyword: string;
  /** Message such as "must be an integer", without the value. */
  readonly message: string;
  /** Location of the type that is violated. */
  readonly place?: Place;
}

/** Direction of a value. `response`: write-only members are not required; `request`: read-only ones are not. */
export type Direction = "response" | "request";

/** Options of a check of a value against a type. */
export interface CheckOptions {
  readonly matchesPattern: PatternMatcher;
  /**
   * Direction of the values. Absent: strictly JSON Schema. Responses are checked less strictly: a value may match several alternatives of a
   * `oneOf`, as an empty list matches every list type.
   */
  readonly direction?: Direction;
}
