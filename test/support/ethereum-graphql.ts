import type { AddressInfo } from "node:net";
import { createEthereumGraphql } from "@nodewright/ethereum-api/server";
import {
  createEthereumContext,
  createEthereumNode,
  type EthereumNodeOptions,
  handlers,
  resolvers,
  scalars,
} from "@nodewright/ethereum-graphql";
import { createHttpUpstream } from "@nodewright/upstream";
import fastify from "fastify";

/** Ethereum's GraphQL interface in this process, over a node at a URL. */
export interface ServedEthereum {
  /** Where `/graphql` stands. */
  readonly url: string;
  /** Queries and mutations that came so far. */
  requests(): number;
  stop(): Promise<void>;
}

/** Serves the interface on loopback. */
export async function serveEthereum(nodeUrl: string, options: EthereumNodeOptions = {}): Promise<ServedEthereum> {
  const upstream = createHttpUpstream({ url: nodeUrl });
  const node = createEthereumNode(upstream, options);
  const app = fastify();
  let requests = 0;
  app.addHook("onRequest", async () => {
    requests += 1;
  });
  const context = () => createEthereumContext(node);
  // As the service does: what a request has called for counts until it is over.
  await app.register(
    createEthereumGraphql({ handlers, resolvers, scalars, context, execute: (run, { budget }) => budget.spend(run) }),
    { prefix: "/graphql" },
  );
  await app.listen({ host: "127.0.0.1", port: 0 });
  return {
    url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/graphql`,
    requests: () => requests,
    async stop() {
      await app.close();
      await upstream.close();
    },
  };
}
