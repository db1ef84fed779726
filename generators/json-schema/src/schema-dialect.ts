/**
 * Which spelling of JSON Schema a document embeds. Inside there is one, 2020-12: OpenAPI 3.0's `nullable` and boolean
 * `exclusiveMinimum` are translated while reading.
 */
export type SchemaDialect = "2020-12" | "openapi-3.0";
