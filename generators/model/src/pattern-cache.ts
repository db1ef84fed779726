import { createContext, Script } from "node:vm";

const expressions = new Map<string, RegExp>();

/** Patterns that took too long once. */
const endless = new Set<string>();

/** How long one pattern may look at one text. Only patterns that repeat groups can take noticeably long. */
const patience = { timeout: 100 } as const;

const workbench = createContext({});
const test = new Script("expression.test(text)");

/**
 * Whether a pattern of JSON Schema matches somewhere in a text (2020-12, section 6.4). One that a hostile document made to search for
 * ever is given up, and counts as matching: nothing is said about a value that nobody could judge.
 */
export function patternMatches(pattern: string, text: string): boolean {
  const expression = expressionOf(pattern);
  if (!repeatsGroups(pattern)) return expression.test(text);
  if (endless.has(pattern)) return true;
  try {
    Object.assign(workbench, { expression, text });
    return test.runInContext(workbench, patience) === true;
  } catch (reason) {
    if (!isTimeout(reason)) throw reason;
    endless.add(pattern);
    return true;
  }
}

/** The error is one of the other realm, whose classes are not ours. */
function isTimeout(reason: unknown): boolean {
  return (
    typeof reason === "object" && reason !== null && "code" in reason && reason.code === "ERR_SCRIPT_EXECUTION_TIMEOUT"
  );
}

function expressionOf(pattern: string): RegExp {
  const known = expressions.get(pattern);
  if (known !== undefined) return known;
  const expression = new RegExp(pattern, "u");
  expressions.set(pattern, expression);
  return expression;
}

/** Whether a group is repeated, or so many things are that they can share a text in many ways. */
function repeatsGroups(pattern: string): boolean {
  return /\)[*+{]/.test(pattern) || (pattern.match(/[*+}]/g)?.length ?? 0) > 3;
}
