import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type ApiModel, checkValues } from "@nodewright/model";
import { createReport, type DiagnosticCatalogue, type DiagnosticSink, type DocumentSet } from "@nodewright/source";
import type { DocumentJob } from "./document-job.ts";

const languageDiagnostics = {
  "unknown-language": {
    severity: "error",
    message:
      'This is no description of an API that nodewright knows: it has neither "openapi" nor "openrpc" at its top.',
    hint: "GraphQL schemas are known by the ending of their name, .graphql.",
  },
} as const;

languageDiagnostics satisfies DiagnosticCatalogue;

/** Reads the job's document with the reader of its language, and holds its values against its types. The sink is the document's own. */
export async function readModel(
  job: DocumentJob,
  documents: DocumentSet,
  sink: DiagnosticSink,
): Promise<ApiModel | undefined> {
  const model = await readWithLanguage(job, documents, sink);
  if (model !== undefined && !sink.hasErrors) checkValues(model, sink);
  return model;
}

/** The readers are loaded when they are needed. */
async function readWithLanguage(
  job: DocumentJob,
  documents: DocumentSet,
  sink: DiagnosticSink,
): Promise<ApiModel | undefined> {
  const { source: file, scalars } = job.config;
  const common = { file, name: job.apiName, documents, sink };
  if (/\.(graphqls?|gql)$/.test(file)) {
    const { readGraphql } = await import("@nodewright/graphql");
    return readGraphql({
      ...common,
      title: job.apiName,
      version: "0",
      operations: job.operationFiles,
      hasFile: (path) => existsSync(resolve(job.root, path)),
      scalars: scalars ?? {},
    });
  }
  const document = documents.read(file);
  if (document === undefined) return undefined;
  if (document.root.has("openrpc")) {
    const { readOpenRpc } = await import("@nodewright/openrpc");
    return readOpenRpc(common);
  }
  if (document.root.has("openapi") || document.root.has("swagger")) {
    const { readOpenApi } = await import("@nodewright/openapi");
    return readOpenApi(common);
  }
  createReport("document", languageDiagnostics, sink)("unknown-language", document.root.source, {});
  return undefined;
}
