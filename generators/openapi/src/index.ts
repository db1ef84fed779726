export { openapiDiagnostics } from "./openapi-diagnostics.ts";
export { readOpenApi } from "./read-openapi.ts";
export type { ReadOptions } from "./read-openapi.ts";
