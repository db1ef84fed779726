import { type Code, group, hardline, indent, join, line, softline, trailingComma } from "./code.ts";

// Statements as the formatter lays them out.

/** Returns `target = value`, as in `const name = value;`. */
export function assignment(target: string, value: Code): Code {
  return [`${target} =`, { kind: "assigned", content: value }];
}

/** Returns `name(first, second)`, one argument on each line where they do not fit. */
export function call(name: string, parameters: readonly Code[]): Code {
  if (parameters.length === 0) return `${name}()`;
  return group(`${name}(`, indent(softline, join([",", line], parameters), trailingComma), softline, ")");
}

/** Returns `first || second`, for a condition or an indentation of its own. */
export function chain(operator: "||" | "&&" | "+", operands: readonly Code[]): Code {
  return join([` ${operator}`, line], operands);
}

/** Returns `(first || second)`. */
export function parenthesised(code: Code): Code {
  return group("(", indent(softline, code), softline, ")");
}

/** Returns `if (condition) statement` on one line, or as near to it as fits. */
export function ifStatement(condition: Code, statement: Code): Code {
  return group("if ", parenthesised(condition), indent(line, statement));
}

/** Returns `head { … }` with a statement on each line. */
export function block(head: Code, statements: readonly Code[]): Code {
  return [head, " {", indent(hardline, join(hardline, statements)), hardline, "}"];
}

/** Returns `return value;`, in parentheses where a chain does not fit. */
export function returnChain(operator: "||" | "&&" | "+", operands: readonly Code[]): Code {
  if (operands.length === 1) return ["return ", ...operands, ";"];
  return [
    group(
      { kind: "when-broken", broken: "return (", flat: "return " },
      indent(softline, group(chain(operator, operands))),
      softline,
      { kind: "when-broken", broken: ")", flat: "" },
    ),
    ";",
  ];
}
