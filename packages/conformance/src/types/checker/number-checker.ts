import type { Bound, NumberType } from "../../suite/suite-type.ts";
import { isMultipleOf } from "../decimal.ts";
import type { Check, Checker, Walk } from "./checker.ts";

/** A bound that compares exactly with numbers and bigints. */
export function boundOf(bound: Bound | undefined): number | bigint | undefined {
  if (typeof bound !== "string") return bound;
  return /^-?[0-9]+$/.test(bound) ? BigInt(bound) : Number(bound);
}

/** Of numbers: doubles, and bigints for integers that no double holds. */
export class NumberChecker implements Checker {
  readonly type: NumberType;
  readonly #minimum: number | bigint | undefined;
  readonly #maximum: number | bigint | undefined;
  readonly #above: number | bigint | undefined;
  readonly #below: number | bigint | undefined;

  constructor(type: NumberType) {
    this.type = type;
    this.#minimum = boundOf(type.minimum);
    this.#maximum = boundOf(type.maximum);
    this.#above = boundOf(type.exclusiveMinimum);
    this.#below = boundOf(type.exclusiveMaximum);
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

/** A number too large for a double has become infinite when it was read; written as JSON it was an integer, or close to one. */
function isInteger(value: number | bigint): boolean {
  return typeof value === "bigint" || Number.isInteger(value) || value === Infinity || value === -Infinity;
}
