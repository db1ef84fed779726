export { jsonSchemaDiagnostics } from "./json-schema-diagnostics.ts";
export { createSchemaReader } from "./schema-reader.ts";
export type { SchemaDialect, SchemaReader, SchemaReaderOptions } from "./schema-reader.ts";
