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
 * It is not asked about a document with a reference that leads nowhere, where it would stop. What our own reading has told about
 * a place, or about something in it, is not told again in its words.
 */
export async function addSecondOpinion(document: SourceDocument, sink: DiagnosticSink): Promise<void> {
  // OpenAPI 3.2 is newer than the schemas that swagger-parser holds.
  if (document.root.member("openapi")?.string?.startsWith("3.2") === true) return;
  const told = sink.diagnostics.filter(({ severity, source }) => severity === "error" && source.file === document.file);
  if (told.some(({ code }) => code.startsWith("source/"))) return;
  const { default: SwaggerParser } = await import("@apidevtools/swagger-parser");
  const report = createReport("openapi", openapiDiagnostics, sink);
  const value = structuredClone(document.root.value) as unknown as Parameters<typeof SwaggerParser.validate>[0];
  try {
    await SwaggerParser.validate(value, { resolve: { external: false } });
  } catch (reason) {
    for (const { source, problem } of locateSchemaProblems(document, problemsOf(reason), told))
      report("schema-violation", source, { problem });
  }
}

function problemsOf(reason: unknown): readonly SchemaProblem[] {
  const details = reason instanceof Error && "details" in reason ? reason.details : undefined;
  if (Array.isArray(details) && details.length > 0) return details as SchemaProblem[];
  return [
    { instancePath: "", message: reason instanceof Error ? (reason.message.split("\n")[0] ?? "") : String(reason) },
  ];
}
