import { patternHazard } from "@nodewright/model";
import type { Report, SourceRange } from "@nodewright/source";
import type { jsonSchemaDiagnostics } from "./json-schema-diagnostics.ts";

/** Backslash before a character that must not be escaped under the `u` flag. */
const needlessEscape = /^\\[^$^\\.*+?()[\]{}|/\-A-Za-z0-9]$/u;

/**
 * Returns a pattern as an ECMA-262 regular expression under the `u` flag (2020-12, section 6.4). Reports an invalid pattern and returns
 * undefined. Removes escapes that the flag forbids and that have no meaning (`\@`, `\_`), and rewrites the inline flag `(?i)` of other
 * languages as `(?i:…)` of ECMA-262 2025.
 *
 * Warns about a pattern that makes backtracking engines slow, unless `maxLength` keeps the strings short enough.
 */
export function readPattern(
  pattern: string,
  source: () => SourceRange | undefined,
  report: Report<typeof jsonSchemaDiagnostics>,
  maxLength: number = Number.POSITIVE_INFINITY,
): string | undefined {
  const problem = patternProblem(pattern);
  const relaxed =
    problem === undefined ? pattern : withoutNeedlessEscapes(pattern).replace(/^(\^?)\(\?i\)(.*)$/su, "$1(?i:$2)");
  const place = source();
  if (problem === undefined || (relaxed !== pattern && patternProblem(relaxed) === undefined)) {
    if (place !== undefined) warnOfCost(relaxed, maxLength, (facts) => report("costly-pattern", place, facts));
    return relaxed;
  }
  if (place !== undefined) report("invalid-pattern", place, { problem });
  return undefined;
}

/** Maximum length of a string, in characters, for which polynomial time is harmless. */
const shortText = 1_000;

function warnOfCost(
  pattern: string,
  maxLength: number,
  warn: (facts: { readonly growth: string; readonly attack: string; readonly linear: string }) => void,
): void {
  const { growth = "unknown", attack, hasBackReference } = patternHazard(pattern) ?? {};
  if (attack === undefined || (growth === "polynomial" && maxLength <= shortText)) return;
  const linear = hasBackReference
    ? "it in linear time, and may take any text of the group for a back-reference"
    : "it in linear time";
  warn({ growth, attack, linear });
}

const problems = new Map<string, string | undefined>();

/** Returns why a pattern is not a valid regular expression; undefined if it is valid. */
function patternProblem(pattern: string): string | undefined {
  if (problems.has(pattern)) return problems.get(pattern);
  let problem: string | undefined;
  try {
    new RegExp(pattern, "u");
  } catch (reason) {
    problem = reason instanceof Error ? reason.message.replace(/^Invalid regular expression: /, "") : String(reason);
  }
  problems.set(pattern, problem);
  return problem;
}

function withoutNeedlessEscapes(pattern: string): string {
  let isInClass = false;
  return pattern.replaceAll(/\\.|[[\]]|[^\\[\]]+/gsu, (token) => {
    if (token === "[") isInClass = true;
    if (token === "]") isInClass = false;
    if (token === "\\-" && !isInClass) return "-";
    return needlessEscape.test(token) ? token.slice(1) : token;
  });
}
