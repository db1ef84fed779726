import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type ApiModel, checkValues, type CommonReadOptions } from "@nodewright/model";
import { createReport, type DiagnosticCatalogue, type DiagnosticSink, type DocumentSet } from "@nodewright/source";
import type { DocumentJob } from "./document-job.ts";
import type { Phases } from "./phases.ts";

/** Diagnostics of a document before its language is known. */
export const languageDiagnostics = {
  "unknown-language": {
    severity: "error",
    message: 'This is not an API description that nodewright reads: it has neither "openapi" nor "openrpc" at its top.',
    hint: "GraphQL schemas are known by the ending of their name, .graphql.",
  },
} as const;

languageDiagnostics satisfies DiagnosticCatalogue;

/** The facts that are needed to read a document. */
export interface ReadingJob extends Pick<DocumentJob, "root" | "apiName" | "operationFiles"> {
  readonly config: Pick<DocumentJob["config"], "source" | "scalars" | keyof CommonReadOptions>;
}

/**
 * Reads the job's document with the reader of its language, and validates its values against its types. The sink belongs to this document
 * alone.
 */
export async function readModel(
  job: ReadingJob,
  documents: DocumentSet,
  sink: DiagnosticSink,
  phases: Phases,
): Promise<ApiModel | undefined> {
  const timed: DocumentSet = {
    ...documents,
    read: (file, referrer) => phases.measure("read", () => documents.read(file, referrer)),
    readText: (file, referrer) => phases.measure("read", () => documents.readText(file, referrer)),
  };
  const model = await phases.measureAsync("model", () => readWithLanguage(job, timed, sink));
  if (model !== undefined && !sink.hasErrors) phases.measure("hold values", () => checkValues(model, sink));
  return model;
}

function commonReadOptions({ config }: ReadingJob): CommonReadOptions {
  const { operations, declarations, formats, skipUnsupported } = config;
  return {
    ...(operations === undefined ? {} : { operations }),
    ...(declarations === undefined ? {} : { declarations }),
    ...(formats === undefined ? {} : { formats }),
    ...(skipUnsupported === undefined ? {} : { skipUnsupported }),
  };
}

/** Loads the reader of the document's language and runs it. */
async function readWithLanguage(
  job: ReadingJob,
  documents: DocumentSet,
  sink: DiagnosticSink,
): Promise<ApiModel | undefined> {
  const { source: file, scalars } = job.config;
  const common = { file, name: job.apiName, documents, sink, readOptions: commonReadOptions(job) };
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
