import type { Place } from "../suite/suite-type.ts";

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
