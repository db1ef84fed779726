// OpenAPI 3.1, section 4.8.1: OpenAPI Object.
import { dialectOfUri, type SchemaDialect } from "@nodewright/json-schema";
import type { ApiModel, CommonReadOptions, TypeDeclaration } from "@nodewright/model";
import {
  createReport,
  type DiagnosticSink,
  type DocumentSet,
  type SourceValue,
  type SourceDocument,
  withArticle,
} from "@nodewright/source";
import { checkComponents } from "./component-check.ts";
import { findLeftOut, type LeftOut } from "./left-out.ts";
import { openapiDiagnostics } from "./openapi-diagnostics.ts";
import { OperationReader } from "./operation-reader.ts";
import { findPlaces, readOperations } from "./operations.ts";
import { createReading, type OpenApiVersion, type Reading } from "./reading.ts";
import { validateDocument } from "./validate-document.ts";
import { readSecuritySchemes } from "./security-reader.ts";
import { readServers } from "./server-reader.ts";

/** Options for reading an OpenAPI document. */
export interface ReadOptions {
  /** File name as diagnostics and generated files use it. */
  readonly file: string;
  /** Value of `ApiModel.name`. */
  readonly name: string;
  readonly documents: DocumentSet;
  readonly sink: DiagnosticSink;
  readonly readOptions?: CommonReadOptions;
}

const brokenOff: ReadonlySet<string> = new Set(["source/too-many-aliases", "source/too-deep"]);

/** Reads an OpenAPI 3.0, 3.1 or 3.2 document. Reports all errors to the sink. Returns undefined if there is nothing to read. */
export async function readOpenApi(options: ReadOptions): Promise<ApiModel | undefined> {
  const { file, name, documents, sink, readOptions = {} } = options;
  const document = documents.read(file);
  if (document === undefined) return undefined;
  // After an error that stopped reading, later errors would be about parts that are missing only because of it.
  if (sink.diagnostics.some(({ code }) => brokenOff.has(code))) return undefined;
  const { root } = document;
  const report = createReport("openapi", openapiDiagnostics, sink);
  const version = readVersion(root, report);
  if (version === undefined) return undefined;
  const reading = createReading({ version, documents, sink, readOptions, dialect: readDialect(root, version, report) });
  const places = findPlaces(reading, root);
  const skipped = findLeftOut(root, places.skipped);
  for (const [schemaName, schema] of root.member("components")?.member("schemas")?.members ?? [])
    if (!skipped.has(schema.pointer)) reading.schemas.declare(schemaName, schema);
  const readers = {
    outgoing: new OperationReader(reading, root, "request"),
    incoming: new OperationReader(reading, root, "response"),
  };
  const self = root.member("$self")?.string;
  if (version === "3.2" && self !== undefined && !self.includes("#")) documents.identify(self, document);
  checkParts(reading, root);
  const { operations, incoming, leftOut } = readOperations(reading, places, readers);
  checkComponents(reading, root, { readers, skipped });
  const servers = readServers(reading, root);
  const model: ApiModel = {
    ...readInfo(reading, root),
    name,
    protocol: "http",
    document: file,
    operations,
    documents: [],
    declarations: declarationsWithout(reading, document, findLeftOut(root, leftOut)),
    security: readSecuritySchemes(reading, root),
    ...(incoming.length === 0 ? {} : { incoming }),
    ...(servers.length === 0 ? {} : { servers }),
  };
  reading.habits.reportAll();
  await validateDocument(document, { version, sink, skipped });
  return model;
}

function readVersion(root: SourceValue, report: Reading["report"]): OpenApiVersion | undefined {
  const version = root.member("openapi")?.string;
  if (version === undefined) {
    report("not-openapi", root.memberSource("openapi"), { problem: versionProblem(root) });
    return undefined;
  }
  const supported = (["3.0", "3.1", "3.2"] as const).find((one) => version.startsWith(`${one}.`));
  if (supported !== undefined && /^3\.[012]\.[0-9]+(?:-.+)?$/.test(version)) return supported;
  report("unsupported-version", root.memberSource("openapi"), { version });
  return undefined;
}

/** Returns the declarations without those that only skipped operations refer to. */
function declarationsWithout(
  { schemas }: Reading,
  { file }: SourceDocument,
  leftOut: LeftOut,
): readonly TypeDeclaration[] {
  return schemas.declarations().filter(({ source }) => source.file !== file || !leftOut.has(source.pointer));
}

function versionProblem(root: SourceValue): string {
  if (root.has("openapi")) return `its "openapi" is ${withArticle(root.member("openapi")?.typeName ?? "")}, not a text`;
  if (root.has("swagger")) return "it is Swagger 2.0";
  return root.isObject ? 'it has no "openapi"' : "it is not an object";
}

/** Returns the dialect of schemas without `$schema` (section 4.8.24.5). */
function readDialect(root: SourceValue, version: OpenApiVersion, report: Reading["report"]): SchemaDialect {
  if (version === "3.0") return "openapi-3.0";
  const place = root.member("jsonSchemaDialect");
  if (place?.string === undefined) return "2020-12";
  const known = dialectOfUri(place.string);
  if (known === undefined) report("unknown-dialect", place.source, { dialect: place.string });
  return known?.name ?? "2020-12";
}

/** Reports a document without required parts. 3.1 accepts webhooks or components instead of paths. */
function checkParts(reading: Reading, root: SourceValue): void {
  const parts = reading.version === "3.0" ? ["paths"] : ["paths", "webhooks", "components"];
  if (parts.some((part) => root.has(part))) return;
  const reason = reading.version === "3.0" ? "It may be empty." : 'It may have "webhooks" or "components" instead.';
  reading.members.missing(root, "The document", "paths", reason);
}

function readInfo(reading: Reading, root: SourceValue): Pick<ApiModel, "title" | "version" | "description"> {
  const info = root.member("info");
  if (info === undefined) {
    reading.members.missing(root, "The document", "info", "It names the API and its version.");
    return { title: "", version: "" };
  }
  if (!info.isObject) return { title: "", version: "" };
  const description = reading.members.text(info, "description");
  return {
    title: reading.members.requiredText(info, '"info"', "title", "It names the API.") ?? "",
    version:
      reading.members.requiredText(info, '"info"', "version", "It is the version of the API, such as 1.0.0.") ?? "",
    ...(description === undefined ? {} : { description }),
  };
}
