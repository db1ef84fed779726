import { patternHazard } from "@nodewright/model";
import type { Report, SourceRange } from "@nodewright/source";
import type { jsonSchemaDiagnostics } from "./json-schema-diagnostics.ts";

/** A backslash before a character that needs none under the `u` flag. */
const needlessEscape = /^\\[^$^\\.*+?()[\]{}|/\-A-Za-z0-9]$/u;

/**
 * A pattern as an ECMA-262 regular expression under the `u` flag (2020-12, section 6.4); undefined, with a diagnostic, when it is
 * none. Backslashes that the flag forbids and that mean nothing (`\@`, `\_`) are taken out, and other languages' way of asking for
 * letters of either case, `(?i)` in front, is written as ECMA-262 2025's `(?i:…)`.
 *
 * Warns of a pattern that makes backtracking engines slow, unless the texts that it is for are short enough (`maxLength`).
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

/** Texts up to this length are harmless where the time is polynomial. Characters. */
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

/** What keeps a text from being a regular expression; undefined when nothing does. */
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
