import type { UnionNode } from "../model/type-node.ts";
import {
  type Check,
  type Checker,
  type Evaluated,
  type FoundViolation,
  kindOf,
  type Trial,
  type Walk,
} from "./checker.ts";
import { type KindName, kindsOf, kindsText } from "./kinds.ts";
import type { CheckOptions, Direction } from "./violation.ts";

/** Checker of alternatives. */
export class UnionChecker implements Checker {
  readonly type: UnionNode;
  readonly #members: readonly Checker[];
  /** Returns the checker of a named type of the model. */
  readonly #resolve: (target: string) => Checker;
  readonly #direction: Direction | undefined;

  constructor(
    type: UnionNode,
    members: readonly Checker[],
    resolve: (target: string) => Checker,
    { direction }: CheckOptions,
  ) {
    this.#direction = direction;
    this.type = type;
    this.#members = members;
    this.#resolve = resolve;
  }

  matches(value: unknown, check: Check): boolean {
    if (!check.enter()) return true;
    const named = this.#direction === "response" ? this.#namedBy(value) : undefined;
    if (named !== undefined) {
      const isNamed = named !== "none" && check.isOf(value, named);
      check.leave();
      return isNamed;
    }
    // An empty list matches every list type among the alternatives: a server can't avoid that, a client can.
    const isAny = this.type.mode === "any-of" || this.#direction === "response";
    const isMatch = isAny ? this.#matchesAny(value, check) : this.#matchesOne(value, check);
    check.leave();
    return isMatch;
  }

  /**
   * Returns the alternative that the discriminator of a response names; `none` where the mapping covers all alternatives and the name is
   * not in it: then the alternative is unknown, and the value is invalid (OpenAPI 3.1.1, section 4.8.25.4).
   */
  #namedBy(value: unknown): Checker | "none" | undefined {
    const { discriminator } = this.type;
    if (discriminator === undefined || kindOf(value) !== "record") return undefined;
    const { property, mapping = {} } = discriminator;
    const selected = this.#selected(value, property, mapping);
    if (selected !== undefined) return selected;
    const targets = new Set(Object.values(mapping));
    const isWhole = this.#members.every(({ type }) => type.kind === "reference" && targets.has(type.target));
    const name = (value as Readonly<Record<string, unknown>>)[property];
    return isWhole && typeof name === "string" ? "none" : undefined;
  }

  #matchesAny(value: unknown, check: Check): boolean {
    for (const member of this.#members) if (check.isOf(value, member)) return true;
    return false;
  }

  #matchesOne(value: unknown, check: Check): boolean {
    const cuts = check.cuts;
    let matching = 0;
    for (const member of this.#members) {
      if (check.isOf(value, member)) matching += 1;
      if (matching > 1) break;
    }
    return matching === 1 || (matching > 1 && check.cuts > cuts);
  }

  explain(value: unknown, walk: Walk): void {
    if (walk.check.isOf(value, this)) return;
    const { mode, place, discriminator } = this.type;
    const isNameless = this.#direction === "response" && this.#namedBy(value) === "none";
    if (isNameless && discriminator !== undefined) {
      walk.report("discriminator", "must name one of the alternatives", place, discriminator.property);
      return;
    }
    if (this.#direction !== "response" && mode === "one-of" && this.#matchesAny(value, walk.check)) {
      walk.report("oneOf", "must match exactly one of the alternatives", place);
      return;
    }
    const selected = discriminator && this.#selected(value, discriminator.property, discriminator.mapping ?? {});
    const lacks = selected && walk.trial(value, selected);
    if (lacks !== undefined && lacks.found.length > 0) walk.accept(lacks);
    else this.#explainNearest(value, walk);
  }

  /** Returns the alternative that the value itself names. */
  #selected(value: unknown, property: string, mapping: Readonly<Record<string, string>>): Checker | undefined {
    if (kindOf(value) !== "record") return undefined;
    const name = (value as Readonly<Record<string, unknown>>)[property];
    if (typeof name !== "string") return undefined;
    const target = Object.hasOwn(mapping, name) ? mapping[name] : name;
    const member = this.#members.find((one) => one.type.kind === "reference" && one.type.target === target);
    return member ?? (Object.hasOwn(mapping, name) && target !== undefined ? this.#resolve(target) : undefined);
  }

  #explainNearest(value: unknown, walk: Walk): void {
    const { mode, place } = this.type;
    const kinds = this.#members.map((member) => kindsOf(member.type, (target) => this.#resolve(target).type));
    const kind = kindOf(value);
    const fitting = this.#members.filter((_member, index) => kinds[index]?.has(kind as KindName) !== false);
    if (fitting.length === 0) {
      const all = new Set(kinds.flatMap((one) => [...(one ?? [])]));
      walk.report("type", kindsText(all), place);
      return;
    }
    walk.check.trials += fitting.length;
    if (walk.check.trials > maximumTrials) {
      walk.report(keywords[mode], "must match one of the alternatives", place);
      return;
    }
    const trials = fitting.map((member) => walk.trial(value, member));
    const [first, ...others] = trials.filter(({ found }) => found.length > 0);
    if (first === undefined) {
      walk.report(keywords[mode], "must match one of the alternatives", place);
      return;
    }
    const nearest = others.reduce((best, one) => (distanceOf(one) < distanceOf(best) ? one : best), first);
    walk.accept(nearest);
  }

  addEvaluated(value: unknown, check: Check, evaluated: Evaluated): void {
    if (!check.enter()) return;
    for (const member of this.#members) {
      if (check.isOf(value, member)) member.addEvaluated(value, check, evaluated);
    }
    check.leave();
  }
}

/**
 * Maximum number of alternatives of one value whose violations are collected; with mutually recursive types, checking all of them could
 * take too long.
 */
const maximumTrials = 500;

const keywords = { "any-of": "anyOf", "one-of": "oneOf" } as const;

/**
 * Returns the distance of a value from an alternative: a mismatched constant indicates another alternative, a deeply nested violation
 * indicates this one.
 */
function distanceOf({ found }: Trial): number {
  return found.reduce((sum, violation) => sum + weightOf(violation), 0);
}

function weightOf({ keyword, path }: FoundViolation): number {
  const depth = path.length;
  // A list of strings is never meant as a list of objects, however few violations those have.
  if (keyword === "type" && path.every((step) => typeof step === "number")) return 1_000;
  if (depth === 0) return keyword === "required" ? 8 : 20;
  const isConstant = keyword === "const" || keyword === "enum";
  if (depth === 1) return isConstant ? 40 : keyword === "type" ? 5 : 4;
  return 1 + 1 / depth;
}
