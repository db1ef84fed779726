// OpenRPC 1.3, section "OpenRPC Object".
import { createSchemaReader } from "@nodewright/json-schema";
import type { ApiModel, CommonReadOptions, RpcEnvelope } from "@nodewright/model";
import {
  createReport,
  type DiagnosticSink,
  type DocumentSet,
  type SourceValue,
  MemberReader,
} from "@nodewright/source";
import { checkComponents } from "./component-check.ts";
import { readMethods } from "./method-reader.ts";
import { openrpcDiagnostics } from "./openrpc-diagnostics.ts";
import type { Reading } from "./reading.ts";
import { readServers } from "./server-reader.ts";
import { validateDocument } from "./validate-document.ts";

/** Options for reading an OpenRPC document. */
export interface ReadOptions {
  /** File name as diagnostics and generated files use it. */
  readonly file: string;
  /** Value of `ApiModel.name`. */
  readonly name: string;
  readonly documents: DocumentSet;
  readonly sink: DiagnosticSink;
  readonly readOptions?: CommonReadOptions;
}

/**
 * Dialect for all versions. Keywords of draft-07, which versions before 1.4 embed, are read as well, and keywords next to a `$ref` have the
 * effect that authors intend.
 */
const dialect = "2020-12";

/** Reads an OpenRPC 1.x document up to 1.4. Reports all errors to the sink. Returns undefined if there is nothing to read. */
export function readOpenRpc({ file, name, documents, sink, readOptions = {} }: ReadOptions): ApiModel | undefined {
  const document = documents.read(file);
  if (document === undefined) return undefined;
  const { root } = document;
  const reading: Reading = {
    documents,
    schemas: createSchemaReader({ documents, sink, dialect, readOptions }),
    dialect,
    members: new MemberReader(sink),
    report: createReport("openrpc", openrpcDiagnostics, sink),
    sink,
    readOptions,
  };
  if (!checkVersion(reading, root)) return undefined;
  for (const [schemaName, schema] of root.member("components")?.member("schemas")?.members ?? [])
    reading.schemas.declare(schemaName, schema);
  const operations = readMethods(reading, root);
  checkComponents(reading, root);
  const servers = readServers(reading, root);
  const model: ApiModel = {
    ...readInfo(reading, root),
    name,
    protocol: "rpc",
    document: file,
    operations,
    documents: [],
    declarations: reading.schemas.declarations(),
    security: [],
    ...(servers.length === 0 ? {} : { servers }),
    envelope: readEnvelope(reading, root),
    documentText: JSON.stringify(root.value),
  };
  validateDocument(document, sink);
  return model;
}

function checkVersion(reading: Reading, root: SourceValue): boolean {
  const version = root.member("openrpc")?.string;
  if (version === undefined) {
    reading.report("not-openrpc", root.source, {
      problem: root.isObject ? 'it has no "openrpc"' : "it is not an object",
    });
    return false;
  }
  if (/^1\.[0-4]\.[0-9]/.test(version)) return true;
  reading.report("unsupported-version", root.memberSource("openrpc"), { version });
  return false;
}

function readInfo({ members }: Reading, root: SourceValue): Pick<ApiModel, "title" | "version" | "description"> {
  const info = root.member("info");
  if (info === undefined) {
    members.missing(root, "The document", "info", "It names the API and its version.");
    return { title: "", version: "" };
  }
  const description = members.text(info, "description");
  return {
    title: members.requiredText(info, '"info"', "title", "It names the API.") ?? "",
    version: members.requiredText(info, '"info"', "version", "It is the version of the API, such as 1.0.0.") ?? "",
    ...(description === undefined ? {} : { description }),
  };
}

function readEnvelope(reading: Reading, root: SourceValue): RpcEnvelope {
  const place = root.member("x-envelope");
  if (place === undefined) return { members: "one" };
  const members = place.member("members")?.string;
  if (members === "both" || members === "one") return { members };
  reading.report("wrong-envelope", place.source, {});
  return { members: "one" };
}
