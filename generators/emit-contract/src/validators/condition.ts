import { type Code, group, indent, join, line } from "@nodewright/output";

/** A boolean expression that can be negated without a leading `!` around all of it. */
export type Condition =
  | { readonly kind: "test"; readonly yes: Code; readonly no: Code }
  | { readonly kind: "all" | "any"; readonly conditions: readonly Condition[] };

/** Comparison operators, each with its negation. */
const opposites = { "===": "!==", "!==": "===", "<": ">=", ">=": "<", ">": "<=", "<=": ">" } as const;

/** Returns a comparison of two expressions. */
export function compare(left: Code, operator: keyof typeof opposites, right: Code | number): Condition {
  const value = typeof right === "number" ? String(right) : right;
  return { kind: "test", yes: [left, ` ${operator} `, value], no: [left, ` ${opposites[operator]} `, value] };
}

/** Returns a condition that is negated by parentheses and `!`. */
export function fact(code: Code): Condition {
  return { kind: "test", yes: code, no: ["!(", code, ")"] };
}

/** Returns a condition for a call that returns a boolean. */
export function callTest(call: Code): Condition {
  return { kind: "test", yes: call, no: ["!", call] };
}

/** Returns a condition on the `typeof` of a value. */
export function typeofTest(value: string, name: string): Condition {
  return compare(`typeof ${value}`, "===", `"${name}"`);
}

export function bytesTest(value: string): Condition {
  return fact(`${value} instanceof Uint8Array`);
}

/** Returns a condition that is true when all are; without any, always. */
export function all(conditions: readonly Condition[]): Condition {
  return simplified("all", conditions);
}

/** Returns a condition that is true when one is; without any, never. */
export function any(conditions: readonly Condition[]): Condition {
  return simplified("any", conditions);
}

export function negated(condition: Condition): Condition {
  if (condition.kind === "test") return { kind: "test", yes: condition.no, no: condition.yes };
  return { kind: condition.kind === "all" ? "any" : "all", conditions: condition.conditions.map(negated) };
}

/** Returns whether a condition holds for every value. */
export function isAlways(condition: Condition): boolean {
  return condition.kind === "all" && condition.conditions.length === 0;
}

/** Returns whether a condition holds for no value. */
export function isNever(condition: Condition): boolean {
  return condition.kind === "any" && condition.conditions.length === 0;
}

/** Returns the operator that joins the operands of a condition, and the operands; a single one without an operator. */
export function operandsOf(condition: Condition): {
  readonly operator: "||" | "&&";
  readonly operands: readonly Code[];
} {
  if (condition.kind === "test") return { operator: "&&", operands: [condition.yes] };
  return {
    operator: condition.kind === "all" ? "&&" : "||",
    operands: condition.conditions.map((operand) => {
      const nested = operandsOf(operand);
      const [first = "", ...others] = nested.operands;
      if (others.length === 0) return first;
      const tail = others.map((other): Code => [` ${nested.operator}`, line, other]);
      return group("(", first, indent(...tail), ")");
    }),
  };
}

/** Returns the expression that is true where the condition holds. */
export function conditionCode(condition: Condition): Code {
  const { operator, operands } = operandsOf(condition);
  return join([` ${operator}`, line], operands);
}

/** Flattens nested conditions of the same kind; a single one is returned itself. */
function simplified(kind: "all" | "any", conditions: readonly Condition[]): Condition {
  const opposite = kind === "all" ? isNever : isAlways;
  const decisive = conditions.find(opposite);
  if (decisive !== undefined) return decisive;
  const flat = conditions.flatMap((condition) => (condition.kind === kind ? condition.conditions : [condition]));
  const [only] = flat;
  return only !== undefined && flat.length === 1 ? only : { kind, conditions: flat };
}
