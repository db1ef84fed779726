import type { Chain, ServedInterface } from "../registry/registry.ts";

/** URLs of a node, without key. Only the interfaces that the node serves are present. */
export interface Endpoint {
  readonly url: string;
  readonly interfaces: { readonly [Interface in ServedInterface]?: string };
}

/** Returns the origin by which clients on this machine reach a listener: a wildcard address can't be called. */
export function originOf(host: string, port: number): string {
  const callable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${callable.includes(":") ? `[${callable}]` : callable}:${port}`;
}

export function endpointOf(origin: string, nodeId: string, chain: Chain, served: boolean): Endpoint {
  const url = `${origin}/${nodeId}`;
  if (!served) return { url, interfaces: {} };
  return {
    url,
    interfaces: chain === "bitcoin" ? { rest: `${url}/indexer/rest`, rpc: `${url}/` } : { graphql: `${url}/graphql` },
  };
}
