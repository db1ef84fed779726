import type { Probe } from "./world.ts";

/** What GraphQL over HTTP says of requests. */
export function transportProbes(query: string): readonly Probe[] {
  const probe = (extra: Partial<Extract<Probe, { kind: "graphql" }>>): Probe => ({ kind: "graphql", query, ...extra });
  return [
    probe({ get: true }),
    probe({ accept: "application/json" }),
    probe({ accept: "application/graphql-response+json" }),
    probe({ accept: "*/*" }),
    probe({ query: "{ unknown }", accept: "application/json" }),
    probe({ query: "{ unknown }", accept: "application/graphql-response+json" }),
    probe({ raw: "{" }),
    probe({ raw: "{}" }),
    probe({ raw: '{"query":5}' }),
    probe({ raw: '{"query":"{ __typename }","variables":5}' }),
    probe({ get: true, query: "mutation { x }" }),
  ];
}
