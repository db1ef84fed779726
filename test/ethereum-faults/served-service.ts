import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createEthereumNode, type EthereumNodeOptions } from "@nodewright/ethereum-graphql";
import {
  createGuardedUpstream,
  type GuardedUpstream,
  type GuardedUpstreamOptions,
  type HttpUpstreamOptions,
} from "@nodewright/upstream";
import { createPublicListener } from "../../packages/service/src/gate/public-listener.ts";
import { openEmbeddedRegistry } from "../../packages/service/src/registry/embedded-registry.ts";
import type { GraphqlPlanLimits } from "../../packages/service/src/registry/plan-limits.ts";
import { createInterfaceRoutes, type RouteOptions } from "../../packages/service/src/routes.ts";

interface GraphqlFailure {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: Readonly<Record<string, unknown>> & { readonly code: string };
}

export interface GraphqlReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly data: unknown;
  readonly errors: readonly GraphqlFailure[];
}

/** The whole service's way from the listener to the node, in this process. */
export interface ServedService {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly upstream: GuardedUpstream;
  /** What callers saw as `internal`. */
  readonly internalErrors: unknown[];
  ask(query: string, variables?: unknown, options?: RequestInit): Promise<GraphqlReply>;
  /** Sends a body as it is. */
  send(body: string, options?: RequestInit): Promise<GraphqlReply>;
  /** Begins anew with empty caches, as the service does when it is started; fulfilled when the node has told its head. */
  forget(): Promise<void>;
  /** As `forget`, with what is known of the chain alone: the connection to the node stays. */
  forgetChain(): void;
  plan(limits: Partial<GraphqlPlanLimits>): Promise<void>;
  stop(): Promise<void>;
}

export interface ServedOptions {
  readonly upstream?: Partial<GuardedUpstreamOptions>;
  readonly connection?: Partial<HttpUpstreamOptions>;
  readonly node?: EthereumNodeOptions;
  readonly costGate?: RouteOptions["costGate"];
}

const nodeId = "ethereum-dev";

/** Serves Ethereum's GraphQL over the nodes at URLs. */
export async function serveOver(urls: readonly string[], options: ServedOptions = {}): Promise<ServedService> {
  const directory = mkdtempSync(join(tmpdir(), "nodewright-ethereum-faults-"));
  const registry = await openEmbeddedRegistry(join(directory, "registry"));
  await registry.putAccount({ id: "alice", name: "Alice" });
  await registry.putNode({ id: nodeId, chain: "ethereum", network: "dev", kind: "shared" });
  const { id: subscriptionId } = await registry.createSubscription({ accountId: "alice", nodeId, plan: "default" });
  const { key } = await registry.createKey({ subscriptionId, label: "test" });
  const internalErrors: unknown[] = [];
  const onInternalError = (error: unknown): void => void internalErrors.push(error);
  const connect = (): GuardedUpstream =>
    createGuardedUpstream({
      nodes: urls.map((url) => ({ url, ...options.connection })),
      // Longer than any machine needs: what a test expects of a silent node, it gives a limit of its own.
      timeoutMilliseconds: 20_000,
      breaker: { cooldownMilliseconds: 50 },
      heads: { words: "ethereum", pollMilliseconds: 100 },
      ...options.upstream,
    });
  let upstream = connect();
  let client = createEthereumNode(upstream, options.node);
  const listener = createPublicListener({
    registry,
    findNode: () => ({ id: nodeId, chain: "ethereum" as const, getClient: () => client, unavailable: () => undefined }),
    status: () => "ok",
    onInternalError,
    routes: createInterfaceRoutes({
      identity: { version: 310_000, protocolVersion: 70_016 },
      onInternalError,
      ...(options.costGate === undefined ? {} : { costGate: options.costGate }),
    }),
  });
  await listener.listen({ host: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${(listener.server.address() as AddressInfo).port}/${nodeId}/graphql`;
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const send = async (body: string, request: RequestInit = {}): Promise<GraphqlReply> => {
    const reply = await fetch(url, { method: "POST", headers, body, ...request });
    const text = await reply.text();
    const parsed = text.startsWith("{") ? (JSON.parse(text) as Partial<GraphqlReply>) : {};
    return { status: reply.status, headers: reply.headers, text, data: parsed.data, errors: parsed.errors ?? [] };
  };
  return {
    url,
    headers,
    get upstream() {
      return upstream;
    },
    internalErrors,
    send,
    ask: (query, variables = {}, request) => send(JSON.stringify({ query, variables }), request),
    async forget() {
      const before = upstream;
      upstream = connect();
      client = createEthereumNode(upstream, options.node);
      await before.close();
      await upstream.call("eth_chainId");
    },
    forgetChain() {
      client = createEthereumNode(upstream, options.node);
    },
    async plan(limits) {
      await registry.putPlan({
        name: "default",
        limits: { bodyBytes: 1024 * 1024, batchMembers: 100, graphql: limits },
      });
    },
    async stop() {
      // Callers that have gone leave connections behind on which nothing was ever asked.
      listener.server.closeAllConnections();
      await listener.close();
      await upstream.close();
      await registry.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Repeats what fails with 503 or 504 until it is answered, for five seconds at most. */
export async function askUntilAnswered(ask: () => Promise<GraphqlReply>): Promise<GraphqlReply> {
  const end = performance.now() + 25_000;
  for (;;) {
    const reply = await ask();
    const isAway = reply.errors.some(({ extensions: { code } }) => code.startsWith("UPSTREAM_"));
    if (!isAway || performance.now() > end) return reply;
    await sleep(20);
  }
}
