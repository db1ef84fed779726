import type { SchemaDialect, SchemaReader } from "@nodewright/json-schema";
import type { CommonReadOptions } from "@nodewright/model";
import type { DiagnosticSink, DocumentSet, MemberReader, Report } from "@nodewright/source";
import type { openrpcDiagnostics } from "./openrpc-diagnostics.ts";

/** Context that all parts of the reader share. */
export interface Reading {
  readonly documents: DocumentSet;
  readonly schemas: SchemaReader;
  readonly members: MemberReader;
  readonly report: Report<typeof openrpcDiagnostics>;
  readonly sink: DiagnosticSink;
  /** Dialect of schemas without `$schema`. */
  readonly dialect: SchemaDialect;
  readonly readOptions: CommonReadOptions;
}
