import type { SchemaDialect, SchemaReader } from "@nodewright/json-schema";
import type { CommonReadOptions } from "@nodewright/model";
import type { DiagnosticSink, DocumentSet, MemberReader, Report } from "@nodewright/source";
import type { openrpcDiagnostics } from "./openrpc-diagnostics.ts";

/** What every part of the reader works with. */
export interface Reading {
  readonly documents: DocumentSet;
  readonly schemas: SchemaReader;
  readonly members: MemberReader;
  readonly report: Report<typeof openrpcDiagnostics>;
  readonly sink: DiagnosticSink;
  /** Of schemas that do not name theirs. */
  readonly dialect: SchemaDialect;
  readonly choices: CommonReadOptions;
}
