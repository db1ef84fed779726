// OpenAPI 3.1, section 4.8.1: OpenAPI Object.
import { createSchemaReader } from "@nodewright/json-schema";
import type { ApiModel } from "@nodewright/model";
import { createReport, type DiagnosticSink, type DocumentSet, type Located, MemberReader } from "@nodewright/source";
import { checkComponents } from "./component-check.ts";
import { openapiDiagnostics } from "./openapi-diagnostics.ts";
import { readOperations } from "./operation-reader.ts";
import type { Reading } from "./reading.ts";
import { readSecurity } from "./security-reader.ts";
import { addSecondOpinion } from "./second-opinion.ts";

export interface ReadOptions {
  /** As diagnostics and generated files name it. */
  readonly file: string;
  /** `ApiModel.name`. */
  readonly name: string;
  readonly documents: DocumentSet;
  readonly sink: DiagnosticSink;
}

/** Reads an OpenAPI 3.0, 3.1 or 3.2 document; undefined when there is nothing to read. Mistakes go to the sink, all of them. */
export async function readOpenApi({ file, name, documents, sink }: ReadOptions): Promise<ApiModel | undefined> {
  const report = createReport("openapi", openapiDiagnostics, sink);
  const document = documents.read(file);
  if (document === undefined) return undefined;
  const { root } = document;
  const version = readVersion(root, report);
  if (version === undefined) return undefined;
  const schemas = createSchemaReader({
    documents,
    sink,
    dialect: version.startsWith("3.0") ? "openapi-3.0" : "2020-12",
  });
  const reading: Reading = { documents, schemas, members: new MemberReader(sink), report, sink };
  for (const [schemaName, schema] of root.member("components")?.member("schemas")?.members ?? [])
    schemas.declare(schemaName, schema);
  const operations = readOperations(reading, root);
  checkComponents(reading, root);
  const model: ApiModel = {
    ...readInfo(reading, root),
    name,
    protocol: "http",
    document: file,
    operations,
    documents: [],
    declarations: schemas.declarations(),
    security: readSecurity(reading, root),
  };
  await addSecondOpinion(document, sink);
  return model;
}

function readVersion(root: Located, report: Reading["report"]): string | undefined {
  const version = root.member("openapi")?.string;
  if (version === undefined) {
    const problem = root.has("swagger")
      ? "it is Swagger 2.0"
      : root.isObject
        ? 'it has no "openapi"'
        : "it is no object";
    report("not-openapi", root.source, { problem });
    return undefined;
  }
  if (/^3\.[012]\.[0-9]+/.test(version)) return version;
  report("unsupported-version", root.member("openapi")?.source ?? root.source, { version });
  return undefined;
}

function readInfo(reading: Reading, root: Located): Pick<ApiModel, "title" | "version" | "description"> {
  const info = root.member("info");
  if (info === undefined) {
    reading.members.missing(root, "The document", "info", "It names the API and its version.");
    return { title: "", version: "" };
  }
  const description = reading.members.text(info, "description");
  return {
    title: reading.members.requiredText(info, '"info"', "title", "It names the API.") ?? "",
    version:
      reading.members.requiredText(info, '"info"', "version", "It is the version of the API, such as 1.0.0.") ?? "",
    ...(description === undefined ? {} : { description }),
  };
}
