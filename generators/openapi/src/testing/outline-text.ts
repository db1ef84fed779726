import { createDiagnosticSink, createDocumentSet, type SourceValue } from "@nodewright/source";
import { type DocumentOutline, outlineOf } from "../document-outline.ts";

/** Returns the root of a document from its source text. */
export function rootOf(text: string, file = "api.json"): SourceValue {
  const sink = createDiagnosticSink();
  const documents = createDocumentSet("/", sink);
  documents.register(file, text);
  const root = documents.read(file)?.root;
  if (root === undefined) throw new Error(`Not a document: ${JSON.stringify(sink.diagnostics)}`);
  return root;
}

/** Returns the outline of a document that has one. */
export function outlineText(text: string): DocumentOutline {
  const outline = outlineOf(rootOf(text));
  if (outline === undefined) throw new Error("The document has no outline");
  return outline;
}
