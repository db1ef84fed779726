import { createDiagnosticSink, createDocumentSet, type Located } from "@nodewright/source";
import { type DocumentOutline, outlineOf } from "../document-outline.ts";

/** The root of a document that is given as a text. */
export function rootOf(text: string, file = "api.json"): Located {
  const sink = createDiagnosticSink();
  const documents = createDocumentSet("/", sink);
  documents.register(file, text);
  const root = documents.read(file)?.root;
  if (root === undefined) throw new Error(`Not a document: ${JSON.stringify(sink.diagnostics)}`);
  return root;
}

/** The outline of a text that has one. */
export function outlineText(text: string): DocumentOutline {
  const outline = outlineOf(rootOf(text));
  if (outline === undefined) throw new Error("The document has no outline");
  return outline;
}
