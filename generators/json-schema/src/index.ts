export { jsonSchemaDiagnostics } from "./json-schema-diagnostics.ts";
export { createSchemaReader } from "./schema-reader.ts";
export { dialectOfUri } from "./schema-dialect.ts";
export type { SchemaDialect } from "./schema-dialect.ts";
export type { SchemaReader, SchemaReaderOptions } from "./schema-reader.ts";
