import { createReport, type DiagnosticSink, pointerTokens, type SourceDocument } from "@nodewright/source";
import { openapiDiagnostics } from "./openapi-diagnostics.ts";

interface SchemaProblem {
  readonly instancePath: string;
  readonly message?: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * Holds a document against the official schema, by swagger-parser, and adds what it finds at the places where it finds it.
 *
 * It is asked only about documents in which our own reading found nothing wrong: it stops at the first dangling reference, and
 * its alternatives (`oneOf` the schema or a reference) report one mistake many times.
 */
export async function addSecondOpinion(document: SourceDocument, sink: DiagnosticSink): Promise<void> {
  // OpenAPI 3.2 is newer than the schemas that swagger-parser holds.
  if (document.root.member("openapi")?.string?.startsWith("3.2") === true) return;
  const { default: SwaggerParser } = await import("@apidevtools/swagger-parser");
  const report = createReport("openapi", openapiDiagnostics, sink);
  const value = structuredClone(document.root.value) as unknown as Parameters<typeof SwaggerParser.validate>[0];
  try {
    await SwaggerParser.validate(value, { resolve: { external: false } });
  } catch (reason) {
    for (const problem of problemsOf(reason)) {
      const place = document.root.nearest(pointerTokens(problem.instancePath) ?? []);
      const extra = extraMember(problem);
      report("schema-violation", extra === undefined ? place.source : place.keySource(extra), {
        problem: sentence(problem),
      });
    }
  }
}

function problemsOf(reason: unknown): readonly SchemaProblem[] {
  const details = reason instanceof Error && "details" in reason ? reason.details : undefined;
  if (Array.isArray(details) && details.length > 0) return deepest(details as SchemaProblem[]);
  const message = reason instanceof Error ? (reason.message.split("\n")[0] ?? "") : String(reason);
  return [{ instancePath: "", keyword: "", message, params: {} }];
}

/** Of the reports about one mistake, those that look deepest into the document say what it is. */
function deepest(problems: readonly SchemaProblem[]): readonly SchemaProblem[] {
  return problems.filter(
    ({ instancePath }) => !problems.some((other) => other.instancePath.startsWith(`${instancePath}/`)),
  );
}

/** The member that should not be there, where that is the problem. */
function extraMember({ params }: SchemaProblem): string | undefined {
  const extra = params["additionalProperty"] ?? params["unevaluatedProperty"];
  return extra === undefined ? undefined : String(extra);
}

function sentence(problem: SchemaProblem): string {
  const { keyword, message, params } = problem;
  const extra = extraMember(problem);
  if (extra !== undefined) return `"${extra}" has no meaning here`;
  if (keyword === "enum") return `This must be one of ${JSON.stringify(params["allowedValues"])}`;
  return `This ${(message ?? "does not match the OpenAPI schema").replace(/\.$/, "")}`;
}
