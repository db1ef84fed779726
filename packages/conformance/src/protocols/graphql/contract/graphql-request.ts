import { writeLosslessJson } from "@nodewright/runtime";
import type { PlainRequest } from "../../../contract/exchange.ts";

/** A request to a GraphQL server. */
export interface GraphqlRequest {
  readonly query: string;
  /** Variable values by name; absent without variables. */
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly operationName?: string;
}

export const responseMediaType = "application/graphql-response+json";
export const legacyMediaType = "application/json";

/** `Accept` header of a client that supports both media types (GraphQL over HTTP, section Request Headers). */
const acceptBoth = `${responseMediaType}, ${legacyMediaType};q=0.9`;

/** Header without which Apollo Server refuses GET (or a content type that triggers a CORS preflight). Other servers ignore it. */
const preflightHeader = { "apollo-require-preflight": "true" };

/** Returns the POST of a request. */
export function postOf(request: GraphqlRequest): PlainRequest {
  return jsonPost(writeLosslessJson(membersOf(request)), acceptBoth);
}

/** Returns the GET of a request, with `variables` as JSON (GraphQL over HTTP, section GET). */
export function getOf(request: GraphqlRequest): PlainRequest {
  const parameters = Object.entries(membersOf(request)).map(
    ([name, value]) => [name, typeof value === "string" ? value : writeLosslessJson(value)] as const,
  );
  return getWith(Object.fromEntries(parameters), acceptBoth);
}

/** Returns a POST with a JSON body. */
export function jsonPost(body: string | undefined, accept?: string): PlainRequest {
  const headers = { "content-type": legacyMediaType, ...(accept === undefined ? {} : { accept }) };
  return { method: "POST", path: "", query: "", headers, ...(body === undefined ? {} : { body }) };
}

/** Returns a GET with query parameters. */
export function getWith(parameters: Readonly<Record<string, string>>, accept?: string): PlainRequest {
  const pairs = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const headers = { ...preflightHeader, ...(accept === undefined ? {} : { accept }) };
  return { method: "GET", path: "", query: pairs.join("&"), headers };
}

function membersOf({ query, variables, operationName }: GraphqlRequest): Readonly<Record<string, unknown>> {
  const hasVariables = variables !== undefined && Object.keys(variables).length > 0;
  return {
    query,
    ...(hasVariables ? { variables } : {}),
    ...(operationName === undefined ? {} : { operationName }),
  };
}
