import {
  type Code,
  group,
  hardline,
  ifStatement as ifStatementCode,
  indent,
  join,
  line,
  parenthesised,
} from "@nodewright/output";
import { type Condition, conditionCode } from "./condition.ts";

/** A statement of a function's body. */
export type Statement =
  | { readonly kind: "code"; readonly code: Code }
  | { readonly kind: "fail"; readonly condition: Condition }
  | {
      readonly kind: "if";
      readonly condition: Condition;
      readonly then: readonly Statement[];
      readonly otherwise: readonly Statement[];
    }
  | { readonly kind: "for"; readonly head: Code; readonly body: readonly Statement[] }
  | { readonly kind: "switch"; readonly value: Code; readonly cases: readonly Case[] };

/** A clause of a `switch`; without labels, the default. */
export interface Case {
  readonly labels: readonly Code[];
  readonly body: readonly Statement[];
}

export function statement(code: Code): Statement {
  return { kind: "code", code };
}

export function ifStatement(
  condition: Condition,
  then: readonly Statement[],
  otherwise: readonly Statement[] = [],
): Statement {
  return { kind: "if", condition, then, otherwise };
}

export function loop(head: Code, body: readonly Statement[]): Statement {
  return { kind: "for", head, body };
}

/** Returns `switch (value) { … }`. */
export function switchStatement(value: Code, cases: readonly Case[]): Statement {
  return { kind: "switch", value, cases };
}

/** Returns `if (condition) return false;`. */
export function failWhen(condition: Condition): Statement {
  return { kind: "fail", condition };
}

/** Returns the lines of a body. */
export function statementsCode(statements: readonly Statement[]): Code {
  return join(hardline, statements.map(statementCode));
}

function statementCode(current: Statement): Code {
  switch (current.kind) {
    case "code":
      return current.code;
    case "fail":
      return ifStatementCode(conditionCode(current.condition), "return false;");
    case "for":
      return [current.head, " ", blockCode(current.body)];
    case "if":
      return ifCode(current);
    case "switch":
      return ["switch ", parenthesised(current.value), " ", casesCode(current.cases)];
    default:
      return current satisfies never;
  }
}

function casesCode(cases: readonly Case[]): Code {
  const lines = cases.map(({ labels, body }): Code => {
    const heads = labels.length === 0 ? ["default:"] : labels.map((label): Code => ["case ", label, ":"]);
    return [join(hardline, heads), indent(hardline, statementsCode(body))];
  });
  return ["{", indent(hardline, join(hardline, lines)), hardline, "}"];
}

/** Returns an `if` statement; a branch of one short statement has no braces. */
function ifCode({ condition, then, otherwise }: Extract<Statement, { kind: "if" }>): Code {
  const head = group("if ", parenthesised(conditionCode(condition)));
  const single = singleCode(then);
  const first: Code = single === undefined ? [head, " ", blockCode(then)] : group(head, indent(line, single));
  const [only] = otherwise;
  if (only === undefined) return first;
  const separator = single === undefined ? " " : hardline;
  if (otherwise.length === 1 && only.kind === "if") return [first, separator, "else ", ifCode(only)];
  const rest = singleCode(otherwise);
  return [first, separator, rest === undefined ? ["else ", blockCode(otherwise)] : group("else", indent(line, rest))];
}

function singleCode(statements: readonly Statement[]): Code | undefined {
  const [only] = statements;
  return statements.length === 1 && only?.kind === "code" ? only.code : undefined;
}

function blockCode(statements: readonly Statement[]): Code {
  return ["{", indent(hardline, statementsCode(statements)), hardline, "}"];
}
