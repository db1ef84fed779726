import { createBitcoinRpc } from "@nodewright/bitcoin-api/server";
import {
  type BitcoinNodeContext,
  type NodeIdentity,
  createParameterRefusal,
  createTransactionTest,
  handlers as bitcoinHandlers,
  OutputScans,
  legacyHttpStatus,
  parameterAliases,
} from "@nodewright/bitcoin-node";
import { createEthereumGraphql } from "@nodewright/ethereum-api/server";
import {
  Budget,
  createEthereumContext,
  type EthereumContext,
  handlers as ethereumHandlers,
  findOperationCost,
  resolvers,
  scalarAliases,
  scalars,
} from "@nodewright/ethereum-graphql";
import { isIndexerError } from "@nodewright/bitcoin-indexer";
import { createIndexRoutes } from "@nodewright/index-api/server";
import { endpointNotFound, handlers as indexHandlers, type IndexRestContext } from "@nodewright/index-rest";
import { ServiceError } from "@nodewright/runtime";
import { type PluginOptions, TurnQueue } from "@nodewright/runtime/node";
import { type Upstream, withCallerSignal } from "@nodewright/upstream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { finishResponses } from "./response/finish-responses.ts";
import type { Admissions, Admitted } from "./gate/admission.ts";
import { matchingTag } from "./response/matching-tag.ts";
import { CostGate, type CostGateOptions } from "./gate/cost-gate.ts";
import { executeInTurn } from "./gate/execute-in-turn.ts";
import { watchCallers } from "./gate/caller-signal.ts";
import { sendFailure } from "./gate/failure-reply.ts";
import { maskKey } from "./gate/mask-key.ts";
import { innerPaths } from "./gate/gate.ts";
import { enableHint, isMethodEnabled, problemOfAccess } from "./gate/method-access.ts";
import type { InterfaceRoutes } from "./gate/public-listener.ts";
import { defaultUnsentResponses, limitUnsentResponses } from "./gate/unsent-responses.ts";
import { type BitcoinDescription, readBitcoinDescription } from "./node/bitcoin-description.ts";
import type { BitcoinServingNode } from "./node/bitcoin-node.ts";
import type { ServingNode } from "./node/create-nodes.ts";
import { nameOfLimits } from "./registry/plan-limits.ts";
import type { EthereumServingNode } from "./node/ethereum-node.ts";

export interface RouteOptions {
  /** Identity of the Bitcoin interface, where no upstream node reports one. */
  readonly identity: NodeIdentity;
  /** Start time of the service, in milliseconds since 1970. Absent: now. */
  readonly startedAt?: number;
  /** Options for the concurrency of heavy GraphQL queries. Absent: `defaultCostGate`. */
  readonly costGate?: CostGateOptions;
  /** Callback for errors that clients see as `internal`, and for an unreadable index. */
  onInternalError(error: unknown): void;
}

const restPrefix = "/indexer/rest";

/** Creates the interfaces after the gate: generated servers, the handlers of their packages, and the gate's results between them. */
export function createInterfaceRoutes(options: RouteOptions): InterfaceRoutes<ServingNode> {
  const description = readBitcoinDescription();
  return {
    bitcoin(instance, admissions) {
      const callerSignal = watchCallers(instance);
      instance.register(
        async (scope) => {
          finishResponses(scope);
          forgetContentTypes(scope);
          scope.register(createRest(admissions, options, callerSignal));
        },
        { prefix: restPrefix },
      );
      instance.register(createRpc(admissions, options, callerSignal, description));
    },
    ethereum(instance, admissions) {
      limitUnsentResponses(instance, defaultUnsentResponses);
      instance.register(createGraphql(admissions, options), { prefix: "/graphql" });
      rejectNonRpc(instance);
    },
  };
}

/** Adds the JSON-RPC path of Ethereum nodes, where Bitcoin nodes have one: a client that calls it nevertheless gets the right path. */
function rejectNonRpc(instance: FastifyInstance): void {
  const error = new ServiceError(
    "not_installed",
    "There is no JSON-RPC interface for this node; its GraphQL interface is at /graphql under the node's endpoint",
    { details: { reason: "not-installed" } },
  );
  const refuse = (request: FastifyRequest, reply: FastifyReply) => sendFailure(request, reply, "rpc", error);
  // In the first hook, because a handler is called after the body is read.
  instance.all("/", { onRequest: (request, reply) => void refuse(request, reply) }, refuse);
}

/**
 * Ignores content types, because the path determines the body: Esplora's clients send JSON and text under any type, mostly under that of
 * forms.
 */
function forgetContentTypes(scope: FastifyInstance): void {
  scope.addHook("onRequest", ({ raw }, _reply, done) => {
    delete raw.headers["content-type"];
    done();
  });
}

/** Function that creates the signal of a request, aborted when its client has gone. */
type CallerSignal = (request: FastifyRequest) => AbortSignal;

/** Returns an upstream whose calls for a client end with the client. */
function upstreamFor(
  request: FastifyRequest,
  upstream: Upstream | undefined,
  callerSignal: CallerSignal,
): Upstream | undefined {
  return upstream && withCallerSignal(upstream, () => callerSignal(request));
}

/** Returns a function that watches a client from its first call on: most responses take less time than a disconnect. */
function goneChecker(request: FastifyRequest, callerSignal: CallerSignal): () => boolean {
  let signal: AbortSignal | undefined;
  return () => {
    signal ??= callerSignal(request);
    return signal.aborted;
  };
}

function createRest(admissions: Admissions<ServingNode>, options: RouteOptions, callerSignal: CallerSignal) {
  const context = (request: FastifyRequest): IndexRestContext => {
    const node = bitcoinNodeOf(admissions.getAdmitted(request.raw));
    const upstream = upstreamFor(request, node.upstream, callerSignal);
    return {
      index: node.queries,
      mempool: node.mempool,
      upstream,
      testTransactions: upstream && createTransactionTest(upstream),
      offersBlockTemplates: node.offersBlockTemplates,
    };
  };
  return createIndexRoutes<IndexRestContext>({
    ...shared(admissions, options),
    handlers: indexHandlers,
    context,
    emptyLastParameters: true,
    matchingTag,
    notFound: (request) => endpointNotFound(pathBelow(innerPaths.bitcoin + restPrefix, request)),
  });
}

function createRpc(
  admissions: Admissions<ServingNode>,
  options: RouteOptions,
  callerSignal: CallerSignal,
  { commands, marks }: BitcoinDescription,
) {
  const { identity, startedAt = Date.now() } = options;
  const scans = new OutputScans();
  const context = (request: FastifyRequest): BitcoinNodeContext => {
    const admitted = admissions.getAdmitted(request.raw);
    const { queries, mempool, optional, upstream } = bitcoinNodeOf(admitted);
    const isEnabled = (method: string): boolean => {
      const methodMarks = marks.get(method);
      return methodMarks !== undefined && isMethodEnabled(method, methodMarks, admitted.grant);
    };
    return {
      index: queries,
      mempool,
      optional,
      upstream: upstreamFor(request, upstream, callerSignal),
      isShared: admitted.grant.node.kind === "shared",
      isClientDisconnected: goneChecker(request, callerSignal),
      scans: scans.of(admitted.grant.subscriptionId),
      identity,
      methodAccess: { isEnabled, enableHint },
      redact: (text) => maskKey(text, admitted.key),
      commands,
      startedAt,
      now: Date.now,
    };
  };
  return createBitcoinRpc<BitcoinNodeContext>({
    ...shared(admissions, options),
    handlers: bitcoinHandlers,
    context,
    invalidParameters: createParameterRefusal(commands),
    httpStatus: legacyHttpStatus,
    positionalMember: "args",
    parameterAliases,
    batchResponseBytes: (request) => admissions.getAdmitted(request.raw).grant.limits.batchResponseBytes,
    batchLimit: (request) => admissions.getAdmitted(request.raw).grant.limits.batchMembers,
    oneAfterTheOther: methodsOneAtATime,
  });
}

/** Methods of which one call runs at a time, so that two in a batch would block each other. */
const methodsOneAtATime: ReadonlySet<string> = new Set(["scantxoutset", "verifychain"]);

function createGraphql(admissions: Admissions<ServingNode>, options: RouteOptions) {
  const gates = { gate: new CostGate(options.costGate ?? defaultCostGate), queue: new TurnQueue() };
  const limitsOf = (request: FastifyRequest) => admissions.getAdmitted(request.raw).grant.limits.graphql;
  const clientOf = (request: FastifyRequest) => ethereumNodeOf(admissions.getAdmitted(request.raw)).getClient();
  const context = (request: FastifyRequest, getSignal: () => AbortSignal): EthereumContext => {
    const limits = limitsOf(request);
    return createEthereumContext(clientOf(request), { limits, budget: new Budget(limits, getSignal) });
  };
  return createEthereumGraphql({
    ...shared<EthereumContext>(admissions, options),
    handlers: ethereumHandlers,
    resolvers,
    scalars,
    scalarAliases,
    context,
    limits: limitsOf,
    lightCost: lightestMeasured,
    cost: (operation) =>
      findOperationCost(operation, clientOf(operation.request), { limits: limitsOf(operation.request) }),
    execute: (run, { budget }, { cost }) =>
      executeInTurn(gates, () => budget.spend(run), { cost, getSignal: () => budget.signal }),
    // A response depends on the chain and on the limits of the plan.
    shareKey(request) {
      const { node, grant } = admissions.getAdmitted(request.raw);
      return `${node.id} ${nameOfLimits(grant.limits)}`;
    },
  });
}

/** Cost below which a response takes tens of megabytes at worst. */
const lightestMeasured = 500;

/** Default: four concurrent queries of the maximum cost that a plan allows by default. */
const defaultCostGate: CostGateOptions = {
  capacity: 40_000,
  minimumCost: 100,
  maximumWaiting: 200,
  maximumWaitMilliseconds: 10_000,
};

/** Returns the gate's callbacks for every operation, and those for the operator. */
function shared<Context>(
  admissions: Admissions<ServingNode>,
  options: RouteOptions,
): Pick<PluginOptions<Context>, "admit" | "onError" | "redactMessage" | "validateResponses"> {
  return {
    // The conformance suites compare them with the documents.
    validateResponses: "off",
    admit: (operation, request) => problemOfAccess(operation, admissions.getAdmitted(request.raw).grant),
    redactMessage: (message, request) => maskKey(message, admissions.getAdmitted(request.raw).key),
    onError(error) {
      if (error.code === "internal" || isIndexerError(error.cause)) options.onInternalError(error.cause ?? error);
    },
  };
}

function bitcoinNodeOf({ node }: Admitted<ServingNode>): BitcoinServingNode {
  if (node.chain === "bitcoin") return node;
  throw new Error("A request of another chain has come to a Bitcoin interface");
}

function ethereumNodeOf({ node }: Admitted<ServingNode>): EthereumServingNode {
  if (node.chain === "ethereum") return node;
  throw new Error("A request of another chain has come to an Ethereum interface");
}

/** Returns the path as the client wrote it, without the prefix and without the query. */
function pathBelow(prefix: string, request: FastifyRequest): string {
  const path = request.url.slice(prefix.length);
  const query = path.indexOf("?");
  return query === -1 ? path : path.slice(0, query);
}
