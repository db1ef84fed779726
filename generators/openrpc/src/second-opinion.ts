import { createRequire } from "node:module";
import {
  createReport,
  type DiagnosticSink,
  locateSchemaProblems,
  type SchemaProblem,
  type SourceDocument,
} from "@nodewright/source";
import { certainlyMeetsMetaSchema } from "./meta-schema.ts";
import { openrpcDiagnostics } from "./openrpc-diagnostics.ts";

/**
 * The part of schema-utils-js that is used. Its entry loads a network client beside it, and its declarations are TypeScript
 * sources that do not compile under our options.
 */
type ValidateOpenRpcDocument = (document: unknown) => true | { readonly message: string };

/**
 * Holds a document against the official meta-schema, and adds what schema-utils-js finds at the places where it finds it. It is asked
 * only where something is to be found: to load it takes longer than to read the document.
 */
export function addSecondOpinion(document: SourceDocument, sink: DiagnosticSink): void {
  if (certainlyMeetsMetaSchema(document.root.value)) return;
  const require = createRequire(import.meta.url);
  const { default: validate } = require("@open-rpc/schema-utils-js/build/validate-open-rpc-document.js") as {
    default: ValidateOpenRpcDocument;
  };
  const report = createReport("openrpc", openrpcDiagnostics, sink);
  const told = sink.diagnostics.filter(({ severity, source }) => severity === "error" && source.file === document.file);
  const verdict = validate(structuredClone(document.root.value));
  if (verdict === true) return;
  for (const { source, problem } of locateSchemaProblems(document, problemsOf(verdict.message), told))
    report("schema-violation", source, { problem });
}

/** The validator hands its errors over as JSON at the end of its message. */
function problemsOf(message: string): readonly SchemaProblem[] {
  try {
    return JSON.parse(message.slice(message.indexOf("["))) as SchemaProblem[];
  } catch {
    return [{ message: message.split("\n")[0] ?? message }];
  }
}
