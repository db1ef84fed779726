import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  buildClientSchema,
  buildSchema,
  type GraphQLSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
} from "graphql";
import { serve } from "../../packages/ethereum-graphql/test-support/serve.ts";
import { root } from "../support/workspace.ts";
import type { GraphqlResponse } from "./compare-responses.ts";

/** Sends a query, with its variables, to a server. */
export type Ask = (query: string, variables?: Readonly<Record<string, unknown>>) => Promise<GraphqlResponse>;

/** Asks the GraphQL server at a URL. */
export function createAsk(url: string): Ask {
  return async (query, variables = {}) => {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors = [] } = (await response.json()) as Partial<GraphqlResponse>;
    return { status: response.status, data, errors };
  };
}

const timeoutMilliseconds = 60_000;

/** The interface of this project over the execution client at a URL. */
export interface OwnServer {
  readonly ask: Ask;
  stop(): Promise<void>;
}

/** Serves the interface of this project over the execution client at a URL. */
export async function serveOwn(url: string): Promise<OwnServer> {
  // anvil asks geth for what it does not have yet, and either may be busy.
  const { ask, stop } = await serve(url, {}, timeoutMilliseconds);
  return { ask, stop };
}

/** The schema of this project. */
export function readOwnSchema(): GraphQLSchema {
  return buildSchema(readFileSync(join(root, "specs/ethereum/schema.graphql"), "utf8"));
}

/** The schema that a server tells. */
export async function readSchema(ask: Ask): Promise<GraphQLSchema> {
  const { data } = await ask(getIntrospectionQuery());
  return buildClientSchema(data as IntrospectionQuery);
}
