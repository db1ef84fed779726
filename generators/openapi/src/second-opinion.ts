import {
  createReport,
  type DiagnosticSink,
  locateSchemaProblems,
  type SchemaProblem,
  type SourceDocument,
} from "@nodewright/source";
import { openapiDiagnostics } from "./openapi-diagnostics.ts";

/**
 * Holds a document against the official schema, by swagger-parser, and adds what it finds at the places where it finds it.
 *
 * It is asked only about documents in which our own reading found nothing wrong: it stops at the first dangling reference.
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
    for (const { source, problem } of locateSchemaProblems(document, problemsOf(reason)))
      report("schema-violation", source, { problem });
  }
}

function problemsOf(reason: unknown): readonly SchemaProblem[] {
  const details = reason instanceof Error && "details" in reason ? reason.details : undefined;
  if (Array.isArray(details) && details.length > 0) return details as SchemaProblem[];
  return [{ message: reason instanceof Error ? (reason.message.split("\n")[0] ?? "") : String(reason) }];
}
