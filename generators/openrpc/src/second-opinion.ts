import { createRequire } from "node:module";
import { createReport, type DiagnosticSink, pointerTokens, type SourceDocument } from "@nodewright/source";
import { openrpcDiagnostics } from "./openrpc-diagnostics.ts";

interface SchemaProblem {
  readonly instancePath?: string;
  readonly dataPath?: string;
  readonly message?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** The part of schema-utils-js that is used. Its own declarations are TypeScript sources that do not compile under our options. */
type ValidateOpenRpcDocument = (document: unknown) => true | { readonly message: string };

/** Holds a document against the official meta-schema, by schema-utils-js, and adds what it finds at the places where it finds it. */
export function addSecondOpinion(document: SourceDocument, sink: DiagnosticSink): void {
  const { validateOpenRPCDocument } = createRequire(import.meta.url)("@open-rpc/schema-utils-js") as {
    validateOpenRPCDocument: ValidateOpenRpcDocument;
  };
  const report = createReport("openrpc", openrpcDiagnostics, sink);
  const verdict = validateOpenRPCDocument(structuredClone(document.root.value));
  if (verdict === true) return;
  for (const problem of problemsOf(verdict.message)) {
    const place = document.root.nearest(pointerTokens(problem.instancePath ?? problem.dataPath ?? "") ?? []);
    const extra = problem.params?.["additionalProperty"];
    const text =
      extra === undefined
        ? `This ${problem.message ?? "does not match the OpenRPC meta-schema"}`
        : `"${String(extra)}" has no meaning here`;
    report("schema-violation", extra === undefined ? place.source : place.keySource(String(extra)), { problem: text });
  }
}

/** The validator hands its errors over as JSON at the end of its message. */
function problemsOf(message: string): readonly SchemaProblem[] {
  const start = message.indexOf("[");
  try {
    return JSON.parse(message.slice(start)) as SchemaProblem[];
  } catch {
    return [{ message: message.split("\n")[0] ?? message }];
  }
}
