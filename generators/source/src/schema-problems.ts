import type { Diagnostic, SourceRange } from "./diagnostic.ts";
import { addWithParents, appendPointer, pointerTokens } from "./json-pointer.ts";
import type { SourceDocument } from "./source-document.ts";

/** An error of any version of ajv: version 6 gives the place as `.methods[0]`, later ones as a JSON Pointer. */
export interface SchemaProblem {
  readonly instancePath?: string;
  readonly dataPath?: string;
  readonly keyword?: string;
  readonly message?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  /** Invalid key that this error explains. It is a part of a `propertyNames` error, which is reported instead. */
  readonly propertyName?: string;
}

/**
 * Returns the errors of an official schema with their places in the document.
 *
 * `reported` are problems that have been reported already: errors at, around or inside their places are left out.
 *
 * Alternatives (`oneOf` an object or a reference to it) report one mistake many times: only the errors at the deepest places are returned.
 */
export function locateSchemaProblems(
  document: SourceDocument,
  problems: readonly SchemaProblem[],
  reported: readonly Diagnostic[] = [],
): readonly { readonly source: SourceRange; readonly problem: string }[] {
  const placed = problems
    .filter(({ propertyName }) => propertyName === undefined)
    .map((problem) => ({ problem, tokens: tokensOf(problem) }));
  const reasons = new Set<string>();
  const surroundings = new Set<string>();
  for (const { problem, tokens } of placed) {
    if (!isSummary(problem)) addWithParents(reasons, pointerOf(tokens));
    if (tokens.length > 0) addWithParents(surroundings, pointerOf(tokens.slice(0, -1)));
  }
  const deepest = placed.filter(({ problem, tokens }) => {
    const pointer = pointerOf(tokens);
    return !surroundings.has(pointer) && (!isSummary(problem) || !reasons.has(pointer));
  });
  const isReported = createReportedCheck(reported);
  return [...Map.groupBy(deepest, ({ tokens }) => pointerOf(tokens)).values()].flatMap((together) => {
    const place = document.root.nearest(together[0]?.tokens ?? []);
    return withTypesTogether(together.map(({ problem }) => problem)).flatMap((problem) => {
      const key = namedKey(problem);
      const source = key === undefined ? place.source : place.keySource(key);
      return isReported(source.pointer) ? [] : [{ source, problem: sentence(problem) }];
    });
  });
}

/** Merges errors of alternatives that each require another type. */
function withTypesTogether(problems: readonly SchemaProblem[]): readonly SchemaProblem[] {
  const isOfType = ({ keyword }: SchemaProblem): boolean => keyword === "type";
  const [first, ...others] = problems.filter(isOfType);
  if (first === undefined || others.length === 0) return problems;
  const types = new Set([first, ...others].flatMap(({ params }) => String(params?.["type"]).split(",")));
  return [{ ...first, message: `should be ${[...types].join(" or ")}` }, ...problems.filter((one) => !isOfType(one))];
}

function pointerOf(tokens: readonly string[]): string {
  return tokens.reduce(appendPointer, "");
}

/** Returns a function that checks whether a place, one around it or one inside it has been reported. */
function createReportedCheck(reported: readonly Diagnostic[]): (pointer: string) => boolean {
  const pointers = new Set(reported.map(({ source }) => source.pointer));
  const around = new Set<string>();
  for (const pointer of pointers) addWithParents(around, pointer);
  return (pointer) => {
    if (around.has(pointer)) return true;
    for (let one = pointer; one !== ""; one = one.slice(0, one.lastIndexOf("/"))) if (pointers.has(one)) return true;
    return pointers.has("");
  };
}

/** Returns whether an error only states that no alternative matches; those of the single alternatives are more specific. */
function isSummary({ keyword }: SchemaProblem): boolean {
  return keyword === "oneOf" || keyword === "anyOf";
}

function tokensOf({ instancePath, dataPath }: SchemaProblem): readonly string[] {
  if (instancePath !== undefined) return pointerTokens(instancePath) ?? [];
  const steps = (dataPath ?? "").matchAll(/\.([\w$-]+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]/g);
  return [...steps].map(([, name, index, quoted]) => name ?? index ?? (quoted ?? "").replaceAll(/\\(.)/g, "$1"));
}

/** Returns the key that an error is about, if it is not about the value. */
function namedKey(problem: SchemaProblem): string | undefined {
  const name = problem.params?.["propertyName"];
  return typeof name === "string" ? name : extraMember(problem);
}

/** Returns the name of a member that is not allowed, if that is the error. */
function extraMember({ params }: SchemaProblem): string | undefined {
  const extra = params?.["additionalProperty"] ?? params?.["unevaluatedProperty"];
  return extra === undefined ? undefined : String(extra);
}

function sentence(problem: SchemaProblem): string {
  const extra = extraMember(problem);
  if (extra !== undefined) return `"${extra}" has no meaning here`;
  const name = problem.params?.["propertyName"];
  if (typeof name === "string") return `"${name}" is not an allowed name here`;
  if (problem.keyword === "enum") return `This must be one of ${JSON.stringify(problem.params?.["allowedValues"])}`;
  return `This ${(problem.message ?? "does not match the official schema").replace(/\.$/, "")}`;
}
