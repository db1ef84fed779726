import type { Place, TypeNode } from "../type-node.ts";

/** What JSON calls a value; `bytes` and `undefined` are none of JSON's. */
export type ValueKind = "null" | "boolean" | "number" | "string" | "list" | "record" | "bytes" | "undefined";

/** Which kind a value is of. */
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

/** Containers, references and combinations that are looked into inside each other; what is deeper is not judged. */
const maximumDepth = 900;

/** How many containers and references one check looks at; what comes after is not judged. */
const maximumSteps = 10_000_000;

/** The state of one check of one value. */
export class Check {
  /** How often something was left unjudged: such a value counts as matching, and nothing is concluded from that. */
  cuts = 0;
  /** Above 0: within alternatives, where the same value is held against the same type many times. */
  alternatives = 0;
  /** How many alternatives were looked into for what they lack. */
  trials = 0;
  /** Lists and objects that the check is inside of. */
  level = 0;
  #depth = 0;
  #steps = 0;
  readonly #answers = new Map<object, Map<Checker, boolean>>();

  /** False: nothing more is looked at below this place. After true, `leave` has to follow. */
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

  /** As `enter` and `leave`, for parts of a value. */
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
   * Whether `value` matches, asked once for each structure: alternatives that refer to each other would ask twice as often with each
   * level.
   */
  remember(value: unknown, checker: Checker): boolean {
    if (this.alternatives === 0 || typeof value !== "object" || value === null) return checker.matches(value, this);
    let answers = this.#answers.get(value);
    const known = answers?.get(checker);
    if (known !== undefined) return known;
    const cuts = this.cuts;
    const answer = checker.matches(value, this);
    if (this.cuts > cuts) return answer;
    if (answers === undefined) {
      answers = new Map();
      this.#answers.set(value, answers);
    }
    answers.set(checker, answer);
    return answer;
  }

  /** Whether a value matches one of several types that it is held against. */
  isOf(value: unknown, checker: Checker): boolean {
    this.alternatives += 1;
    const answer = this.remember(value, checker);
    this.alternatives -= 1;
    return answer;
  }
}

/** Names and positions that a type looked at (JSON Schema 2020-12, section 11). */
export class Evaluated {
  everything = false;
  readonly parts: Set<string | number> = new Set<string | number>();

  has(part: string | number): boolean {
    return this.everything || this.parts.has(part);
  }
}

/** What takes reports of what is wrong, and knows where in the value a check is. */
export interface Walk {
  readonly check: Check;
  /** Reports for the place where the walk is; `name` is that of a member there. */
  report(keyword: string, message: string, place: Place | undefined, name?: string): void;
  /** Looks into a part; `isNamed` is false for positions and for names that the type does not have. */
  inside(part: string | number, isNamed: boolean, value: unknown, checker: Checker): void;
  /** What a checker would report about the value here. */
  trial(value: unknown, checker: Checker): Trial;
  /** Reports all of a trial. */
  accept(trial: Trial): void;
}

/** What was found of one alternative, relative to the place of the alternatives. */
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

/** A type that is ready to be held against values. */
export interface Checker {
  readonly type: TypeNode;
  matches(value: unknown, check: Check): boolean;
  /** Reports what is wrong with a value; nothing when it matches. */
  explain(value: unknown, walk: Walk): void;
  /** Adds what of a value, which matches, this looks at. */
  addEvaluated(value: unknown, check: Check, evaluated: Evaluated): void;
}
