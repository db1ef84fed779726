export { graphqlDiagnostics } from "./graphql-diagnostics.ts";
export { readGraphql } from "./read-graphql.ts";
export type { ReadOptions } from "./read-graphql.ts";
export type { ScalarRepresentation } from "./type-reader.ts";
