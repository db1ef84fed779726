import type { ConditionalNode, IntersectionNode, NotNode, ReferenceNode, UnevaluatedNode } from "../model/type-node.ts";
import { type Check, type Checker, Evaluated, kindOf, type Walk } from "./checker.ts";

/** Checker of values that match all of some types. */
export class IntersectionChecker implements Checker {
  readonly type: IntersectionNode;
  readonly #members: readonly Checker[];

  constructor(type: IntersectionNode, members: readonly Checker[]) {
    this.type = type;
    this.#members = members;
  }

  matches(value: unknown, check: Check): boolean {
    if (!check.enter()) return true;
    const isMatch = this.#members.every((member) => check.isOf(value, member));
    check.leave();
    return isMatch;
  }

  explain(value: unknown, walk: Walk): void {
    if (!walk.check.enter()) return;
    for (const member of this.#members) if (!walk.check.isOf(value, member)) member.explain(value, walk);
    walk.check.leave();
  }

  addEvaluated(value: unknown, check: Check, evaluated: Evaluated): void {
    if (!check.enter()) return;
    for (const member of this.#members) member.addEvaluated(value, check, evaluated);
    check.leave();
  }
}

/** Checker of values that do not match a type. */
export class NotChecker implements Checker {
  readonly type: NotNode;
  readonly #inner: Checker;

  constructor(type: NotNode, inner: Checker) {
    this.type = type;
    this.#inner = inner;
  }

  matches(value: unknown, check: Check): boolean {
    const cuts = check.cuts;
    return !check.isOf(value, this.#inner) || check.cuts > cuts;
  }

  explain(value: unknown, walk: Walk): void {
    if (!this.matches(value, walk.check)) walk.report("not", "must not be what is forbidden here", this.type.place);
  }

  addEvaluated(): void {}
}

export interface ConditionalParts {
  readonly condition: Checker;
  readonly consequence: Checker;
  readonly alternative: Checker;
}

/** Checker of values that match one type or another, depending on a condition. */
export class ConditionalChecker implements Checker {
  readonly type: ConditionalNode;
  readonly #parts: ConditionalParts;

  constructor(type: ConditionalNode, parts: ConditionalParts) {
    this.type = type;
    this.#parts = parts;
  }

  matches(value: unknown, check: Check): boolean {
    const cuts = check.cuts;
    const branch = this.#branch(value, check);
    return check.isOf(value, branch) || check.cuts > cuts;
  }

  #branch(value: unknown, check: Check): Checker {
    const { condition, consequence, alternative } = this.#parts;
    return check.isOf(value, condition) ? consequence : alternative;
  }

  explain(value: unknown, walk: Walk): void {
    if (!this.matches(value, walk.check)) this.#branch(value, walk.check).explain(value, walk);
  }

  addEvaluated(value: unknown, check: Check, evaluated: Evaluated): void {
    const { condition, consequence, alternative } = this.#parts;
    if (!check.enter()) return;
    const branches = check.isOf(value, condition) ? [condition, consequence] : [alternative];
    for (const branch of branches) branch.addEvaluated(value, check, evaluated);
    check.leave();
  }
}

export interface UnevaluatedParts {
  readonly base: Checker;
  readonly members: Checker | undefined;
  readonly elements: Checker | undefined;
}

/** Checker of values whose unevaluated parts match another type. */
export class UnevaluatedChecker implements Checker {
  readonly type: UnevaluatedNode;
  readonly #parts: UnevaluatedParts;

  constructor(type: UnevaluatedNode, parts: UnevaluatedParts) {
    this.type = type;
    this.#parts = parts;
  }

  matches(value: unknown, check: Check): boolean {
    if (!check.enter()) return true;
    const isMatch =
      check.isOf(value, this.#parts.base) && this.#rest(value, check).every((part) => part.matches(check));
    check.leave();
    return isMatch;
  }

  /** Returns the parts that the base did not evaluate. The value matches the base. */
  #rest(value: unknown, check: Check): readonly RestPart[] {
    const { members, elements, base } = this.#parts;
    const isList = Array.isArray(value);
    const checker = isList ? elements : kindOf(value) === "record" ? members : undefined;
    if (checker === undefined) return [];
    const evaluated = new Evaluated();
    base.addEvaluated(value, check, evaluated);
    if (evaluated.everything) return [];
    const entries: readonly (readonly [string | number, unknown])[] = isList
      ? [...value.entries()]
      : Object.entries(value as object);
    return entries
      .filter(([key, part]) => part !== undefined && !evaluated.has(key))
      .map(([key, part]) => ({ key, part, checker, matches: (within: Check) => within.isOf(part, checker) }));
  }

  explain(value: unknown, walk: Walk): void {
    const { check } = walk;
    if (!check.enter()) return;
    if (!check.isOf(value, this.#parts.base)) this.#parts.base.explain(value, walk);
    else for (const rest of this.#rest(value, check)) this.#explainPart(rest, walk);
    check.leave();
  }

  #explainPart({ key, part, checker }: RestPart, walk: Walk): void {
    if (checker.type.kind !== "never") {
      walk.inside(key, false, part, checker);
      return;
    }
    if (typeof key === "string") {
      walk.report("unevaluatedProperties", "must not be there: the object has no such member", this.type.place, key);
      return;
    }
    walk.report("unevaluatedItems", "must not have further items", this.type.place);
  }

  addEvaluated(value: unknown, check: Check, evaluated: Evaluated): void {
    const { members, elements, base } = this.#parts;
    if ((Array.isArray(value) ? elements : members) !== undefined) evaluated.everything = true;
    else base.addEvaluated(value, check, evaluated);
  }
}

interface RestPart {
  readonly key: string | number;
  readonly part: unknown;
  readonly checker: Checker;
  matches(check: Check): boolean;
}

/** Checker of a named type. */
export class ReferenceChecker implements Checker {
  readonly type: ReferenceNode;
  readonly #resolve: (target: string) => Checker;
  #target: Checker | undefined;
  #visit: Visit = { check: undefined, level: 0 };

  constructor(type: ReferenceNode, resolve: (target: string) => Checker) {
    this.type = type;
    this.#resolve = resolve;
  }

  get #checker(): Checker {
    this.#target ??= this.#resolve(this.type.target);
    return this.#target;
  }

  matches(value: unknown, check: Check): boolean {
    const outer = this.#enter(check);
    if (outer === undefined) return true;
    const isMatch = check.remember(value, this.#checker);
    this.#leave(check, outer);
    return isMatch;
  }

  explain(value: unknown, walk: Walk): void {
    const outer = this.#enter(walk.check);
    if (outer === undefined) return;
    this.#checker.explain(value, walk);
    this.#leave(walk.check, outer);
  }

  addEvaluated(value: unknown, check: Check, evaluated: Evaluated): void {
    const outer = this.#enter(check);
    if (outer === undefined) return;
    this.#checker.addEvaluated(value, check, evaluated);
    this.#leave(check, outer);
  }

  /** Enters the reference and returns the state for `#leave`; undefined where a recursive type has returned to the same value. */
  #enter(check: Check): Visit | undefined {
    const outer = this.#visit;
    if (outer.check === check && outer.level === check.level) {
      check.cuts += 1;
      return undefined;
    }
    if (!check.enter()) return undefined;
    this.#visit = { check, level: check.level };
    return outer;
  }

  #leave(check: Check, outer: Visit): void {
    this.#visit = outer;
    check.leave();
  }
}

/** The current use of a reference. */
interface Visit {
  readonly check: Check | undefined;
  readonly level: number;
}
