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
const preflightHeader = { "apollo-require-preflight": "true" };

/** Makes the request of a question by POST. */
export function postOf(question: GraphqlQuestion): PlainRequest {
  return jsonPost(writeLosslessJson(membersOf(question)), acceptBoth);
}

/** Makes the request of a question by GET; `variables` are JSON text (GraphQL over HTTP, section GET). */
export function getOf(question: GraphqlQuestion): PlainRequest {
  const parameters = Object.entries(membersOf(question)).map(
    ([name, value]) => [name, typeof value === "string" ? value : writeLosslessJson(value)] as const,
  );
  return getWith(Object.fromEntries(parameters), acceptBoth);
}

/** Makes a POST of a body in JSON. */
export function jsonPost(body: string | undefined, accept?: string): PlainRequest {
  const headers = { "content-type": legacyMediaType, ...(accept === undefined ? {} : { accept }) };
  return { method: "POST", path: "", query: "", headers, ...(body === undefined ? {} : { body }) };
}

/** Makes a GET with parameters. */
export function getWith(parameters: Readonly<Record<string, string>>, accept?: string): PlainRequest {
  const pairs = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const headers = { ...preflightHeader, ...(accept === undefined ? {} : { accept }) };
  return { method: "GET", path: "", query: pairs.join("&"), headers };
}

function membersOf({ query, variables, operationName }: GraphqlQuestion): Readonly<Record<string, unknown>> {
  const hasVariables = variables !== undefined && Object.keys(variables).length > 0;
  return {
    query,
    ...(hasVariables ? { variables } : {}),
    ...(operationName === undefined ? {} : { operationName }),
  };
}
