import type { Bound, NumberNode } from "../model/type-node.ts";
import { isMultipleOf } from "../basics/decimal.ts";
import type { Check, Checker, Walk } from "./checker.ts";

/** Checker of numbers: doubles, and bigints for integers that a double cannot represent. */
export class NumberChecker implements Checker {
  readonly type: NumberNode;
  readonly #minimum: Bound | undefined;
  readonly #maximum: Bound | undefined;
  readonly #above: Bound | undefined;
  readonly #below: Bound | undefined;

  constructor(type: NumberNode) {
    this.type = type;
    this.#minimum = type.minimum;
    this.#maximum = type.maximum;
    this.#above = type.exclusiveMinimum;
    this.#below = type.exclusiveMaximum;
  }

  matches(value: unknown, _check: Check): boolean {
    if (typeof value !== "number" && typeof value !== "bigint")
      return this.type.isKindImplied === true && value !== undefined;
    if (this.type.integer && !isInteger(value)) return false;
    if (this.#minimum !== undefined && value < this.#minimum) return false;
    if (this.#maximum !== undefined && value > this.#maximum) return false;
    if (this.#above !== undefined && value <= this.#above) return false;
    if (this.#below !== undefined && value >= this.#below) return false;
    return this.type.multipleOf === undefined || isMultipleOf(value, this.type.multipleOf);
  }

  explain(value: unknown, walk: Walk): void {
    const { type } = this;
    if (this.matches(value, walk.check)) return;
    const report = (keyword: string, message: string): void => walk.report(keyword, message, type.place);
    const kind = type.integer ? "must be an integer" : "must be a number";
    if (typeof value !== "number" && typeof value !== "bigint") {
      report("type", kind);
      return;
    }
    if (type.integer && !isInteger(value)) report("type", kind);
    if (this.#minimum !== undefined && value < this.#minimum) report("minimum", `must be at least ${this.#minimum}`);
    if (this.#maximum !== undefined && value > this.#maximum) report("maximum", `must be at most ${this.#maximum}`);
    if (this.#above !== undefined && value <= this.#above)
      report("exclusiveMinimum", `must be greater than ${this.#above}`);
    if (this.#below !== undefined && value >= this.#below)
      report("exclusiveMaximum", `must be less than ${this.#below}`);
    if (type.multipleOf !== undefined && !isMultipleOf(value, type.multipleOf))
      report("multipleOf", `must be a multiple of ${type.multipleOf}`);
  }

  addEvaluated(): void {}
}

/**
 * Returns whether a number is an integer. One that is too large for a double was parsed as infinity; in JSON it was an integer, or close to
 * one.
 */
function isInteger(value: number | bigint): boolean {
  return typeof value === "bigint" || Number.isInteger(value) || value === Infinity || value === -Infinity;
}
