import { isServiceError, ServiceError } from "@nodewright/runtime";
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { crossOriginHeaders, preflightHeaders } from "../response/cross-origin.ts";
import { addDocs } from "../docs/add-docs.ts";
import type { Registry, ServedInterface } from "../registry/registry.ts";
import { type Admissions, createAdmissions, type RunningNode } from "./admission.ts";
import { limitBodies } from "./body-limit.ts";
import { holdBackContinue } from "./expected-continue.ts";
import { sendFailure } from "./failure-reply.ts";
import { createGate, innerPaths } from "./gate.ts";
import { createUnreadableHandler, followConnections } from "./unreadable-request.ts";

/** Everything after the gate of one chain: registered once for all of its nodes. */
export interface InterfaceRoutes<Node extends RunningNode> {
  /** Adds the routes of Bitcoin nodes; the instance is below the node's endpoint. */
  bitcoin(instance: FastifyInstance, admissions: Admissions<Node>): void;
  ethereum(instance: FastifyInstance, admissions: Admissions<Node>): void;
}

/** Status of the service, for clients without a key. */
export type ServiceStatus = "ok" | "starting" | "degraded";

export interface PublicListenerOptions<Node extends RunningNode> {
  readonly registry: Pick<Registry, "findGrant">;
  readonly routes: InterfaceRoutes<Node>;
  /** Whether GraphiQL is at `/docs`, for everyone. */
  readonly publicDocs?: boolean;
  findNode(id: string): Node | undefined;
  /** Returns the one word of `/healthz`. */
  status(): ServiceStatus;
  /** Callback for every error that clients see as `internal`, with its cause. */
  onInternalError(error: unknown): void;
}

/** Maximum body in bytes that any plan allows: chunked bodies are counted against the plan as they arrive, and against this by Fastify. */
const bodyCeilingBytes = 64 * 1024 * 1024;
const requestTimeoutMilliseconds = 60_000;
const headersTimeoutMilliseconds = 20_000;
const keepAliveTimeoutMilliseconds = 72_000;
const timeoutCheckMilliseconds = 5_000;
/** Length above which path parameters are left to the validators, which reject them in the words of their interface. */
const maximumParameterLength = 16_384;

/** Creates the listener for clients with a key. It does not listen yet. */
export function createPublicListener<Node extends RunningNode>(options: PublicListenerOptions<Node>): FastifyInstance {
  const admissions = createAdmissions<Node>();
  const instance = fastify({
    logger: false,
    bodyLimit: bodyCeilingBytes,
    requestTimeout: requestTimeoutMilliseconds,
    keepAliveTimeout: keepAliveTimeoutMilliseconds,
    // A request without Host is rejected by the gate, as the other requests with invalid framing.
    http: {
      requireHostHeader: false,
      headersTimeout: headersTimeoutMilliseconds,
      connectionsCheckingInterval: timeoutCheckMilliseconds,
    },
    routerOptions: { maxParamLength: maximumParameterLength },
    forceCloseConnections: "idle",
    rewriteUrl: createGate({ ...options, admissions, onFailure: options.onInternalError }),
    frameworkErrors: (error, request, reply) => sendError(error, request, reply),
    clientErrorHandler: createUnreadableHandler({ "access-control-allow-origin": "*" }),
  });
  const sendError = (error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
    sendFailure(request, reply, interfaceOf(request), serviceErrorOf(error, options.onInternalError));
  const interfaceOf = (request: FastifyRequest): ServedInterface =>
    admissions.find(request.raw)?.servedInterface ?? "rest";

  instance.setErrorHandler<FastifyError>(sendError);
  instance.setNotFoundHandler((request, reply) => sendRefusalOrNotFound(request, reply, admissions));
  followConnections(instance);
  holdBackContinue(instance);
  addOwnRoutes(instance, admissions, options.status);
  // A client without a key does not learn which nodes exist.
  if (options.publicDocs === true) addDocs(instance, () => ({ configuration: {}, allowedOrigins: ["'self'"] }));
  addInterfaces(instance, admissions, options.routes);
  return instance;
}

function addOwnRoutes<Node extends RunningNode>(
  instance: FastifyInstance,
  admissions: Admissions<Node>,
  status: () => string,
): void {
  instance.get(innerPaths.health, (_request, reply) => reply.type("text/plain; charset=utf-8").send(status()));
  instance.options(innerPaths.preflight, (_request, reply) => reply.code(204).headers(preflightHeaders).send());
  for (const path of [innerPaths.refused, innerPaths.nothing]) {
    instance.all(path, {
      // In the first hook, because the body is read before a handler is called, which none is after that.
      onRequest: (request, reply) => void sendRefusalOrNotFound(request, reply, admissions),
      handler: () => undefined,
    });
  }
}

function addInterfaces<Node extends RunningNode>(
  instance: FastifyInstance,
  admissions: Admissions<Node>,
  routes: InterfaceRoutes<Node>,
): void {
  for (const chain of ["bitcoin", "ethereum"] as const) {
    instance.register(
      async (scope) => {
        scope.addHook("onSend", (_request, reply, _payload, done) => {
          reply.headers(crossOriginHeaders);
          // A cache between us and clients must not return a response for a key in a header to clients without it.
          reply.header("vary", "accept, accept-encoding, authorization, x-api-key");
          done();
        });
        limitBodies(scope, admissions);
        routes[chain](scope, admissions);
      },
      { prefix: innerPaths[chain] },
    );
  }
}

/** Responds to requests that the gate has rejected, and to unknown paths. */
function sendRefusalOrNotFound<Node extends RunningNode>(
  request: FastifyRequest,
  reply: FastifyReply,
  admissions: Admissions<Node>,
): FastifyReply {
  const admission = admissions.find(request.raw);
  if (admission?.admitted === false) {
    if (admission.endsConnection) reply.header("connection", "close");
    return sendFailure(request, reply, admission.servedInterface, admission.reason);
  }
  return sendFailure(request, reply, admission?.servedInterface ?? "rest", new ServiceError("not_found", "Not found"));
}

function serviceErrorOf(error: FastifyError, onInternalError: (error: unknown) => void): ServiceError {
  if (isServiceError(error)) {
    if (error.code === "internal") onInternalError(error.cause ?? error);
    return error;
  }
  // Fastify's own messages contain the path, so none of them is passed on.
  const { statusCode = 500 } = error;
  if (statusCode === 413) return new ServiceError("too_large", "The request body is too large");
  if (statusCode === 415) return new ServiceError("unsupported_media_type", "The media type of the body is not known");
  if (statusCode >= 400 && statusCode < 500) {
    return new ServiceError("invalid_request", "The request can't be read");
  }
  onInternalError(error);
  return ServiceError.from(error);
}
