import type { Diagnostic, SourceRange } from "./diagnostic.ts";
import { pointerTokens } from "./json-pointer.ts";
import type { SourceDocument } from "./source-document.ts";

/** An error of ajv, of any of its versions: 6 names places as `.methods[0]`, later ones by JSON Pointer. */
export interface SchemaProblem {
  readonly instancePath?: string;
  readonly dataPath?: string;
  readonly keyword?: string;
  readonly message?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  /** Set where the problem is a part of one with a key, which is reported apart. */
  readonly propertyName?: string;
}

/**
 * Says at their places what an official schema finds wrong with a document.
 *
 * `told` are mistakes that are known already: a problem at such a place, around it or in it is not said again.
 *
 * Alternatives (`oneOf` a thing or a reference to it) report one mistake many times: only what looks deepest is said.
 */
export function locateSchemaProblems(
  document: SourceDocument,
  problems: readonly SchemaProblem[],
  told: readonly Diagnostic[] = [],
): readonly { readonly source: SourceRange; readonly problem: string }[] {
  const placed = problems
    .filter(({ propertyName }) => propertyName === undefined)
    .map((problem) => ({ problem, tokens: tokensOf(problem) }));
  return placed
    .filter(
      ({ problem, tokens }) =>
        !isSummary(problem) || !placed.some((other) => !isSummary(other.problem) && startsWith(other.tokens, tokens)),
    )
    .filter(
      ({ tokens }) => !placed.some((other) => other.tokens.length > tokens.length && startsWith(other.tokens, tokens)),
    )
    .map(({ problem, tokens }) => {
      const place = document.root.nearest(tokens);
      const key = namedKey(problem);
      return { source: key === undefined ? place.source : place.keySource(key), problem: sentence(problem) };
    })
    .filter(({ source }) => !told.some((diagnostic) => isAround(source.pointer, diagnostic.source.pointer)));
}

/** Whether one of two places is the other, or holds it. */
function isAround(left: string, right: string): boolean {
  return left === right || left.startsWith(`${right}/`) || right.startsWith(`${left}/`);
}

/** That no alternative matches says less than why each does not. */
function isSummary({ keyword }: SchemaProblem): boolean {
  return keyword === "oneOf" || keyword === "anyOf";
}

function tokensOf({ instancePath, dataPath }: SchemaProblem): readonly string[] {
  if (instancePath !== undefined) return pointerTokens(instancePath) ?? [];
  const steps = (dataPath ?? "").matchAll(/\.([\w$-]+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]/g);
  return [...steps].map(([, name, index, quoted]) => name ?? index ?? (quoted ?? "").replaceAll(/\\(.)/g, "$1"));
}

function startsWith(tokens: readonly string[], start: readonly string[]): boolean {
  return start.every((token, index) => tokens[index] === token);
}

/** The key that the problem is with, where it is not with the value. */
function namedKey(problem: SchemaProblem): string | undefined {
  const name = problem.params?.["propertyName"];
  return typeof name === "string" ? name : extraMember(problem);
}

/** The member that should not be there, where that is the problem. */
function extraMember({ params }: SchemaProblem): string | undefined {
  const extra = params?.["additionalProperty"] ?? params?.["unevaluatedProperty"];
  return extra === undefined ? undefined : String(extra);
}

function sentence(problem: SchemaProblem): string {
  const extra = extraMember(problem);
  if (extra !== undefined) return `"${extra}" has no meaning here`;
  const name = problem.params?.["propertyName"];
  if (typeof name === "string") return `"${name}" is no name that is allowed here`;
  if (problem.keyword === "enum") return `This must be one of ${JSON.stringify(problem.params?.["allowedValues"])}`;
  return `This ${(problem.message ?? "does not match the official schema").replace(/\.$/, "")}`;
}
