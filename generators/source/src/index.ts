export { createDiagnosticSink, createReport } from "./diagnostic.ts";
export type {
  Diagnostic,
  DiagnosticCatalogue,
  DiagnosticReceiver,
  DiagnosticSink,
  DiagnosticTemplate,
  Facts,
  Report,
  Severity,
  SourceRange,
} from "./diagnostic.ts";
export { createDocumentSet } from "./document-set.ts";
export type { DocumentSet } from "./document-set.ts";
export { addWithParents, appendPointer, fragmentTokens, pointerTokens } from "./json-pointer.ts";
export { readJson } from "./json-scanner.ts";
export type { PlainValue } from "./plain-value.ts";
export { renderDiagnostic, sortDiagnostics } from "./render-diagnostic.ts";
export { sourceDiagnostics } from "./source-diagnostics.ts";
export { SourceValue } from "./source-document.ts";
export type { SourceDocument } from "./source-document.ts";
export type { ArraySource, ObjectSource, ScalarSource, SourceMember, SourceNode } from "./source-node.ts";
export { createSourceText } from "./source-text.ts";
export type { SourceText } from "./source-text.ts";
export { documentDiagnostics, MemberReader } from "./member-reader.ts";
export { withArticle } from "./with-article.ts";
export { locateSchemaProblems } from "./schema-problems.ts";
export type { SchemaProblem } from "./schema-problems.ts";
