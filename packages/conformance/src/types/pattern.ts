import { createContext, Script } from "node:vm";

const expressions = new Map<string, RegExp | undefined>();

/** Patterns that took too long once. */
const endless = new Set<string>();

/** Texts that are longer are held against no pattern. UTF-16 units. */
const maximumSubject = 4_000_000;

/**
 * How long a pattern that may search for ever looks at one text, in milliseconds. The first is over by chance on a machine with much to
 * do, and a pattern that is given up is never held against a text again.
 */
const patiences: readonly number[] = [100, 1_000];

const workbench = createContext({});
const test = new Script("expression.test(text)");

/**
 * Whether a pattern matches somewhere in a text (JSON Schema 2020-12, section 6.4). What can't be judged counts as matching: a pattern
 * that is none of ECMA-262, one that searches for ever, a text of many megabytes.
 */
export function patternMatches(pattern: string, text: string): boolean {
  const expression = expressionOf(pattern);
  if (expression === undefined || text.length > maximumSubject) return true;
  if (!maySearchForEver(pattern)) return expression.test(text);
  if (endless.has(pattern)) return true;
  Object.assign(workbench, { expression, text });
  for (const timeout of patiences) {
    try {
      return test.runInContext(workbench, { timeout }) === true;
    } catch (reason) {
      if (!isTimeout(reason)) throw reason;
    }
  }
  endless.add(pattern);
  return true;
}

/** The error is one of the other realm, whose classes are not ours. */
function isTimeout(reason: unknown): boolean {
  return (
    typeof reason === "object" && reason !== null && "code" in reason && reason.code === "ERR_SCRIPT_EXECUTION_TIMEOUT"
  );
}

function expressionOf(pattern: string): RegExp | undefined {
  if (expressions.has(pattern)) return expressions.get(pattern);
  const expression = createExpression(pattern, "u") ?? createExpression(pattern, "");
  expressions.set(pattern, expression);
  return expression;
}

/** Descriptions are written for engines that are not all as strict as the `u` flag is. */
function createExpression(pattern: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return undefined;
  }
}

/** Whether a group is repeated, or so many things are, as often as they like, that they can share a text in many ways. */
function maySearchForEver(pattern: string): boolean {
  return /\)[*+{]/.test(pattern) || (pattern.match(/[*+]|,\d*\}/g)?.length ?? 0) > 3;
}
