import type { Diagnostic, SourceRange } from "./diagnostic.ts";
import { addWithParents, appendPointer, pointerTokens } from "./json-pointer.ts";
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
  const isReported = createReportedCheck(told);
  return [...Map.groupBy(deepest, ({ tokens }) => pointerOf(tokens)).values()].flatMap((together) => {
    const place = document.root.nearest(together[0]?.tokens ?? []);
    return withTypesTogether(together.map(({ problem }) => problem)).flatMap((problem) => {
      const key = namedKey(problem);
      const source = key === undefined ? place.source : place.keySource(key);
      return isReported(source.pointer) ? [] : [{ source, problem: sentence(problem) }];
    });
  });
}

/** Alternatives that each ask for another type ask for one of them. */
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

/** Whether something is told of a place, of what it stands in or of what stands in it. */
function createReportedCheck(told: readonly Diagnostic[]): (pointer: string) => boolean {
  const pointers = new Set(told.map(({ source }) => source.pointer));
  const around = new Set<string>();
  for (const pointer of pointers) addWithParents(around, pointer);
  return (pointer) => {
    if (around.has(pointer)) return true;
    for (let one = pointer; one !== ""; one = one.slice(0, one.lastIndexOf("/"))) if (pointers.has(one)) return true;
    return pointers.has("");
  };
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
  if (typeof name === "string") return `"${name}" is not an allowed name here`;
  if (problem.keyword === "enum") return `This must be one of ${JSON.stringify(problem.params?.["allowedValues"])}`;
  return `This ${(problem.message ?? "does not match the official schema").replace(/\.$/, "")}`;
}
