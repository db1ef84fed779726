import { writeLosslessJson } from "@nodewright/runtime";
import type { PlainRequest } from "../../contract/exchange.ts";

/** What is asked of a GraphQL server. */
export interface GraphqlQuestion {
  readonly query: string;
  /** Values by name; left out when there are none. */
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly operationName?: string;
}

export const responseMediaType = "application/graphql-response+json";
export const legacyMediaType = "application/json";

/** What a client that knows both media types accepts (GraphQL over HTTP, section Request Headers). */
const acceptBoth = `${responseMediaType}, ${legacyMediaType};q=0.9`;

/** Apollo Server serves GET to those alone who send what a browser asks leave for: this, or another content type. Others ignore it. */
export const preflightHeader: Readonly<Record<string, string>> = { "apollo-require-preflight": "true" };

/** A question by POST. */
export function postOf(question: GraphqlQuestion, accept: string = acceptBoth): PlainRequest {
  return {
    method: "POST",
    path: "",
    query: "",
    headers: { "content-type": legacyMediaType, accept },
    body: writeLosslessJson(membersOf(question)),
  };
}

/** A question by GET; `variables` are JSON text (GraphQL over HTTP, section GET). */
export function getOf(question: GraphqlQuestion, accept: string = acceptBoth): PlainRequest {
  const parameters = Object.entries(membersOf(question)).map(
    ([name, value]) => `${name}=${encodeURIComponent(typeof value === "string" ? value : writeLosslessJson(value))}`,
  );
  return { method: "GET", path: "", query: parameters.join("&"), headers: { accept, ...preflightHeader } };
}

function membersOf({ query, variables, operationName }: GraphqlQuestion): Readonly<Record<string, unknown>> {
  const hasVariables = variables !== undefined && Object.keys(variables).length > 0;
  return {
    query,
    ...(hasVariables ? { variables } : {}),
    ...(operationName === undefined ? {} : { operationName }),
  };
}
