import { restErrorResponse } from "@nodewright/runtime";
import { sendFrameworkError, sendErrorResponse } from "@nodewright/runtime/node";
import fastify, { type FastifyInstance } from "fastify";
import { addDocs, type Docs } from "../docs/add-docs.ts";
import { problemOfFraming } from "../gate/message-framing.ts";
import { isNavigation, isSentForOtherSite } from "../gate/other-site.ts";
import type { ServiceStatus } from "../gate/public-listener.ts";
import { createUnreadableHandler, followConnections } from "../gate/unreadable-request.ts";
import type { NodeHealth } from "../node/node-health.ts";
import { renderMetrics } from "./metrics.ts";

export interface OperatorListenerOptions {
  status(): ServiceStatus;
  nodes(): Promise<readonly NodeHealth[]>;
  docs(): Docs;
}

/** Host names that a browser or a scraper on this machine uses. */
const ownHosts = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;

/**
 * Creates the listener for the operator, without keys: `/health` with all details, `/readyz` for load balancers, `/metrics` for Prometheus,
 * and GraphiQL at `/docs`. It does not listen yet, and is for loopback alone.
 */
export function createOperatorListener({ status, nodes, docs }: OperatorListenerOptions): FastifyInstance {
  const instance = fastify({
    logger: false,
    // Rejected below, as other requests with invalid framing.
    http: { requireHostHeader: false },
    frameworkErrors: sendFrameworkError,
    clientErrorHandler: createUnreadableHandler(commonHeaders),
  });
  followConnections(instance);
  instance.addHook("onRequest", async ({ headers, raw }, reply) => {
    reply.headers(commonHeaders);
    const problem = problemOfFraming(raw);
    if (problem !== undefined) {
      await sendErrorResponse(reply.header("connection", "close"), restErrorResponse(problem, headers.accept));
      return;
    }
    // A web page may resolve its own name to this machine, to read what it must not see.
    if (!ownHosts.test(headers.host ?? "")) {
      await reply.code(421).type(plainText).send("Use 127.0.0.1 or localhost as the host");
    } else if (isSentForOtherSite(headers) && !isNavigation(raw)) {
      await reply.code(403).type(plainText).send("A browser sends this request for another site");
    }
  });
  instance.setNotFoundHandler((_request, reply) =>
    reply.code(404).type(plainText).send("Not found: there are /docs, /health, /readyz and /metrics"),
  );
  instance.get("/health", async () => ({ status: status(), nodes: await nodes() }));
  instance.get("/readyz", async (_request, reply) => {
    const waiting = (await nodes()).filter((node) => !isReady(node));
    reply.type(plainText);
    if (waiting.length === 0) return "ready";
    reply.code(503);
    return `not ready: ${waiting.map(({ id }) => id).join(", ")}`;
  });
  instance.get("/metrics", async (_request, reply) => {
    reply.type("text/plain; version=0.0.4; charset=utf-8");
    return renderMetrics(status(), await nodes(), process);
  });
  addDocs(instance, docs);
  return instance;
}

/** Returns whether a node is ready. An index that has failed permanently goes out of date: other instances of the service must be used. */
function isReady({ isServed, index }: NodeHealth): boolean {
  return isServed && index?.state !== "failed";
}

const commonHeaders = { "cache-control": "no-store", "x-content-type-options": "nosniff" } as const;
const plainText = "text/plain; charset=utf-8";
