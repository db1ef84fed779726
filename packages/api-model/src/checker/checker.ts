import type { Place, TypeNode } from "../model/type-node.ts";

/** Kind of a value; `bytes` and `undefined` are not JSON kinds. */
export type ValueKind = "null" | "boolean" | "number" | "string" | "list" | "record" | "bytes" | "undefined";

/** Returns the kind of a value. */
export function kindOf(value: unknown): ValueKind {
  switch (typeof value) {
    case "string":
      return "string";
    case "number":
    case "bigint":
      return "number";
    case "boolean":
      return "boolean";
    case "object":
      if (value === null) return "null";
      if (Array.isArray(value)) return "list";
      return value instanceof Uint8Array ? "bytes" : "record";
    default:
      return "undefined";
  }
}

/** Maximum nesting of containers, references and combinations; deeper values are not checked. */
const maximumDepth = 900;

/** Maximum number of containers and references in one check; the rest is not checked. */
const maximumSteps = 10_000_000;

/** The state of one check of one value. */
export class Check {
  /** Number of parts that were not checked: such a part counts as matching, and nothing is concluded from that. */
  cuts = 0;
  /** Nesting depth of alternatives; above 0, the same value is checked against the same type many times. */
  alternatives = 0;
  /** Number of alternatives whose violations were collected. */
  trials = 0;
  /** Number of lists and objects around the current value. */
  level = 0;
  #depth = 0;
  #steps = 0;
  readonly #results = new Map<object, Map<Checker, boolean>>();

  /** Enters a nested check; returns false when nothing below this point may be checked. After true, `leave` must follow. */
  enter(): boolean {
    this.#steps += 1;
    if (this.#depth >= maximumDepth || this.#steps > maximumSteps) {
      this.cuts += 1;
      return false;
    }
    this.#depth += 1;
    return true;
  }

  leave(): void {
    this.#depth -= 1;
  }

  /** Like `enter`, for parts of a value; `leaveParts` must follow. */
  enterParts(): boolean {
    if (!this.enter()) return false;
    this.level += 1;
    return true;
  }

  leaveParts(): void {
    this.level -= 1;
    this.leave();
  }

  /**
   * Returns whether `value` matches. Within alternatives, the result is cached for each list or object and checker: alternatives that refer
   * to each other would double the checks with each level.
   */
  remember(value: unknown, checker: Checker): boolean {
    if (this.alternatives === 0 || typeof value !== "object" || value === null) return checker.matches(value, this);
    let results = this.#results.get(value);
    const known = results?.get(checker);
    if (known !== undefined) return known;
    const cuts = this.cuts;
    const result = checker.matches(value, this);
    if (this.cuts > cuts) return result;
    if (results === undefined) {
      results = new Map();
      this.#results.set(value, results);
    }
    results.set(checker, result);
    return result;
  }

  /** Returns whether a value matches one of several types that it is checked against. */
  isOf(value: unknown, checker: Checker): boolean {
    this.alternatives += 1;
    const result = this.remember(value, checker);
    this.alternatives -= 1;
    return result;
  }
}

/** Evaluated names and positions of a value (JSON Schema 2020-12, section 11). */
export class Evaluated {
  everything = false;
  readonly parts: Set<string | number> = new Set<string | number>();

  has(part: string | number): boolean {
    return this.everything || this.parts.has(part);
  }
}

/** A collector of violations that knows the current location in the value. */
export interface Walk {
  readonly check: Check;
  /** Reports a violation at the current location; `name` is that of a member there. */
  report(keyword: string, message: string, place: Place | undefined, name?: string): void;
  /** Checks a part; `isNamed` is false for positions and for names that the type does not have. */
  inside(part: string | number, isNamed: boolean, value: unknown, checker: Checker): void;
  /** Returns the violations that a checker would report about the value here. */
  trial(value: unknown, checker: Checker): Trial;
  /** Reports all violations of a trial. */
  accept(trial: Trial): void;
}

/** The violations of one alternative, relative to the location of the alternatives. */
export interface Trial {
  readonly found: readonly FoundViolation[];
}

export interface FoundViolation {
  readonly path: readonly (string | number)[];
  readonly generalPath: readonly (string | number)[];
  readonly keyword: string;
  readonly message: string;
  readonly place: Place | undefined;
}

/** A type prepared for checking values. */
export interface Checker {
  readonly type: TypeNode;
  matches(value: unknown, check: Check): boolean;
  /** Reports the violations of a value; none when it matches. */
  explain(value: unknown, walk: Walk): void;
  /** Adds the parts of a matching value that this type evaluates. */
  addEvaluated(value: unknown, check: Check, evaluated: Evaluated): void;
}
