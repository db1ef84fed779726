import type { ApiModel } from "@nodewright/model";

/** How the API takes its key in the query and in a header. */
export interface KeyNames {
  readonly query: string;
  readonly header: string;
}

/** The names that the document's security schemes give, and usual ones where it gives none. */
export function keyNames({ security }: ApiModel): KeyNames {
  const named = (location: "query" | "header"): string | undefined =>
    security.find((scheme) => scheme.kind === "api-key" && scheme.location === location)?.parameter;
  return { query: named("query") ?? "apikey", header: named("header") ?? "X-API-Key" };
}
