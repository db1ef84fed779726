import { createRequire } from "node:module";
import {
  createReport,
  type DiagnosticSink,
  type SourceValue,
  locateSchemaProblems,
  type SchemaProblem,
  type SourceDocument,
} from "@nodewright/source";
import { certainlyMeetsMetaSchema } from "./meta-schema.ts";
import { openrpcDiagnostics } from "./openrpc-diagnostics.ts";

/**
 * Type of the function of schema-utils-js that is used. The package's entry also loads a network client, and its declarations are
 * TypeScript sources that do not compile with our options.
 */
type ValidateOpenRpcDocument = (document: unknown) => true | { readonly message: string };

/**
 * Validates a document against the official meta-schema with schema-utils-js, and reports its errors at their places. Skipped for documents
 * that are certainly valid: loading the package takes longer than reading the document.
 */
export function validateDocument(document: SourceDocument, sink: DiagnosticSink): void {
  if (certainlyMeetsMetaSchema(document.root.value)) return;
  const require = createRequire(import.meta.url);
  const { default: validate } = require("@open-rpc/schema-utils-js/build/validate-open-rpc-document.js") as {
    default: ValidateOpenRpcDocument;
  };
  const report = createReport("openrpc", openrpcDiagnostics, sink);
  const reported = sink.diagnostics.filter(
    ({ severity, source }) => severity === "error" && source.file === document.file,
  );
  const extensions = document.root.member("x-extensions");
  let verdict: ReturnType<ValidateOpenRpcDocument>;
  try {
    verdict = validate(withoutUnsupportedParts(document.root));
  } catch (reason) {
    if (extensions === undefined) throw reason;
    report("schema-violation", extensions.source, { problem: extensionProblem(String(reason)) });
    return;
  }
  if (verdict === true) return;
  for (const { source, problem } of locateSchemaProblems(document, problemsOf(verdict.message), reported))
    report("schema-violation", source, { problem });
}

/**
 * Returns the document without parts that the specification allows and the validator refuses: extensions without `restricted`, which apply
 * to no object, and relative server URLs, which do not match `format: uri` of the meta-schema (OpenRPC 1.3, "Server Object").
 */
function withoutUnsupportedParts(root: SourceValue): object {
  const document = structuredClone(root.value) as object;
  const serverOwners = [document, ...listOf(document, "methods")];
  for (const server of serverOwners.flatMap((owner) => listOf(owner, "servers"))) {
    const { url } = server as { url?: unknown };
    if (typeof url === "string" && isRelative(url))
      Object.assign(server, { url: new URL(url, "http://relative.invalid").href });
  }
  const extensions = root.member("x-extensions");
  if (extensions?.node.kind !== "array") return document;
  const restricted = extensions.items.map((each) =>
    each.isObject ? { restricted: [], ...(each.value as object) } : each.value,
  );
  return { ...document, "x-extensions": restricted };
}

/** Returns the objects of a member that is a list. */
function listOf(owner: object, name: string): readonly object[] {
  const list = (owner as Readonly<Record<string, unknown>>)[name];
  return Array.isArray(list) ? list.filter((item) => typeof item === "object" && item !== null) : [];
}

function isRelative(url: string): boolean {
  return !URL.canParse(url) && URL.canParse(url, "http://relative.invalid");
}

/** Returns the message for extensions that the validator could not add to the meta-schema. */
function extensionProblem(reason: string): string {
  const conflict = /Error: (.*), cannot apply extension/.exec(reason)?.[1];
  if (conflict !== undefined) return `An extension cannot be added to the meta-schema: ${conflict}`;
  return "These extensions do not meet the specification of OpenRPC extensions, or have a schema that is not valid";
}

/** Returns the errors of the validator, which are JSON at the end of its message. */
function problemsOf(message: string): readonly SchemaProblem[] {
  return JSON.parse(message.slice(message.indexOf("["))) as SchemaProblem[];
}
