import type { ApiModel } from "@nodewright/model";

/** Names of the API's key in the query and in a header. */
export interface KeyNames {
  readonly query: string;
  readonly header: string;
}

/** Returns the names in the document's security schemes, and default names where it has none. */
export function keyNames({ security }: ApiModel): KeyNames {
  const named = (location: "query" | "header"): string | undefined =>
    security.find((scheme) => scheme.kind === "api-key" && scheme.location === location)?.parameter;
  return { query: named("query") ?? "apikey", header: named("header") ?? "X-API-Key" };
}
