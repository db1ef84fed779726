import fastify, { type FastifyInstance } from "fastify";
import { addDocs, type Docs } from "../docs/add-docs.ts";
import { lingerAfterReplies } from "../gate/lingering-close.ts";
import { problemOfFraming } from "../gate/message-framing.ts";
import { isSentForOtherSite } from "../gate/other-site.ts";
import type { ServiceStatus } from "../gate/public-listener.ts";
import type { NodeHealth } from "../node/node-health.ts";
import { renderMetrics } from "./metrics.ts";

export interface OperatorListenerOptions {
  status(): ServiceStatus;
  nodes(): Promise<readonly NodeHealth[]>;
  docs(): Docs;
}

/** Names that a browser or a scraper on this machine uses. */
const ownHosts = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;

/**
 * Creates the listener for the operator, without keys: `/health` with all details, `/readyz` for whoever sends callers here,
 * `/metrics` for Prometheus, and GraphiQL at `/docs`. It does not listen yet, and is for loopback alone.
 */
export function createOperatorListener({ status, nodes, docs }: OperatorListenerOptions): FastifyInstance {
  const instance = fastify({ logger: false });
  lingerAfterReplies(instance);
  instance.addHook("onRequest", async ({ headers, raw }, reply) => {
    reply.header("cache-control", "no-store").header("x-content-type-options", "nosniff");
    const problem = problemOfFraming(raw);
    if (problem !== undefined) {
      await reply.code(problem.httpStatus).header("connection", "close").type(plainText).send(problem.message);
      return;
    }
    // A page of the web may have its own name resolved to this machine, to read what it must not see.
    if (!ownHosts.test(headers.host ?? "")) {
      await reply.code(421).type(plainText).send("Ask for 127.0.0.1 or localhost");
    } else if (isSentForOtherSite(headers)) {
      await reply.code(403).type(plainText).send("A browser sends this request for another site");
    }
  });
  instance.setNotFoundHandler((_request, reply) =>
    reply.code(404).type(plainText).send("Not found: there are /docs, /health, /readyz and /metrics"),
  );
  instance.get("/health", async () => ({ status: status(), nodes: await nodes() }));
  instance.get("/readyz", async (_request, reply) => {
    const waiting = (await nodes()).filter(({ isServed }) => !isServed);
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

const plainText = "text/plain; charset=utf-8";
