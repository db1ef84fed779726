import type { IncomingMessage } from "node:http";
import { ServiceError } from "@nodewright/runtime";
import type { Registry, ServedInterface } from "../registry/registry.ts";
import type { Admissions, Refused, RunningNode } from "./admission.ts";
import { digestOfPresented } from "./key-digest.ts";
import { problemOfFraming } from "./message-framing.ts";
import { isSentForOtherSite } from "./other-site.ts";
import { hasBasicAlone, presentedKey, removeKeyHeaders } from "./presented-key.ts";
import { interfaceOfPath, type RequestTarget, readRequestTarget } from "./request-target.ts";

/** Paths of requests after the gate. None of them can be requested from outside: every request is rewritten. */
export const innerPaths = {
  health: "/health",
  refused: "/refused",
  preflight: "/preflight",
  nothing: "/nothing",
  docs: "/docs",
  /** Path of the interfaces of the nodes of a chain. */
  bitcoin: "/bitcoin",
  ethereum: "/ethereum",
} as const;

export interface GateOptions<Node extends RunningNode> {
  readonly registry: Pick<Registry, "findGrant">;
  readonly admissions: Admissions<Node>;
  /** Whether GraphiQL is at `/docs`, for everyone. */
  readonly publicDocs?: boolean;
  findNode(id: string): Node | undefined;
  /** Callback for a request that could not be checked because of an internal failure. */
  onFailure(error: unknown): void;
}

/**
 * Creates the gate, which checks a request by its target and headers alone and returns its path after the gate.
 *
 * Keys are removed from the target and the headers meanwhile: nothing after the gate, no error text and no log line can show what it never
 * had. A key is hashed before anything is compared. Rows are found by the first half of the digest and the complete digest is compared in
 * constant time, so that the response time reveals nothing about a stored key, and would not help without 256 random bits to hash if it
 * did.
 */
export function createGate<Node extends RunningNode>(
  options: GateOptions<Node>,
): (request: IncomingMessage & { originalUrl?: string }) => string {
  return (request) => {
    const target = readRequestTarget(request.url ?? "/");
    const key = presentedKey(target.keys, request);
    const isDriven = hasBasicAlone(target.keys, request.headers) && isSentForOtherSite(request.headers);
    removeKeyHeaders(request);
    request.url = innerUrl(request, target, isDriven ? driven : key, options);
    request.originalUrl = request.url;
    return request.url;
  };
}

const healthSegment = "healthz";
const docsSegment = innerPaths.docs.slice(1);

/** Error for any problem with a key, whether or not the node exists. */
const unauthenticated: ServiceError = new ServiceError(
  "unauthenticated",
  "The API key is missing or not valid for this node",
);

/** Marker in place of the key of a request that another site makes a browser send with the credentials that it has stored. */
const driven: unique symbol = Symbol("sent for another site");

/** Error for it, whether or not the credentials are valid. */
const drivenRefusal: ServiceError = new ServiceError(
  "forbidden",
  "A browser sends this request for another site: give the key as ?apikey= or X-API-Key instead of as Basic credentials",
);

function innerUrl<Node extends RunningNode>(
  request: IncomingMessage,
  target: RequestTarget,
  key: string | typeof driven | undefined,
  options: GateOptions<Node>,
): string {
  const ownPath = ownPathOf(target, options);
  // Paths other than the nodes' have errors in text.
  const servedInterface = ownPath === undefined ? interfaceOfPath(target.path) : "rest";
  const refuse = (reason: ServiceError, endsConnection = false): string => {
    const refused: Refused = { admitted: false, servedInterface, reason, endsConnection };
    options.admissions.remember(request, refused);
    return innerPaths.refused;
  };
  const problem = problemOfFraming(request);
  if (problem !== undefined) return refuse(problem, true);
  if (isPreflight(request)) return innerPaths.preflight;
  if (ownPath !== undefined) return ownPath;
  if (key === undefined) return refuse(unauthenticated);
  if (key === driven) return refuse(drivenRefusal);
  try {
    return admit(request, target, key, servedInterface, options, refuse);
  } catch (error) {
    options.onFailure(error);
    return refuse(new ServiceError("internal", "Internal error"));
  }
}

/** Returns the path after the gate of a resource other than the nodes that needs no key; undefined for everything else. */
function ownPathOf<Node extends RunningNode>(
  { nodeId, path }: RequestTarget,
  { publicDocs }: GateOptions<Node>,
): string | undefined {
  if (nodeId === "" && path === "") return innerPaths.nothing;
  if (nodeId === healthSegment && path === "") return innerPaths.health;
  return publicDocs === true && nodeId === docsSegment ? `${innerPaths.docs}${path}` : undefined;
}

function admit<Node extends RunningNode>(
  request: IncomingMessage,
  target: RequestTarget,
  key: string,
  servedInterface: ServedInterface,
  options: GateOptions<Node>,
  refuse: (reason: ServiceError) => string,
): string {
  const grant = options.registry.findGrant(target.nodeId, digestOfPresented(key, request));
  if (grant === undefined || (target.hasKeyInPath && grant.node.keyInPath !== true)) return refuse(unauthenticated);
  const node = options.findNode(grant.node.id);
  if (node === undefined) return refuse(new ServiceError("upstream_unavailable", "This node is not running"));
  if (Number(request.headers["content-length"]) > grant.limits.bodyBytes)
    return refuse(bodyTooLarge(grant.limits.bodyBytes));
  const unavailable = node.unavailable(servedInterface);
  if (unavailable !== undefined) return refuse(unavailable);
  options.admissions.remember(request, { admitted: true, servedInterface, grant, node, key });
  return `${innerPaths[node.chain]}${target.path === "" ? "/" : target.path}${target.query}`;
}

/** Creates the error for a body over the limit of the plan, in bytes. */
export function bodyTooLarge(limit: number): ServiceError {
  return new ServiceError("too_large", `The request body is larger than ${limit} bytes`);
}

/** Returns whether the request is a CORS preflight (Fetch Standard, section 4.8): browsers send it without key. */
function isPreflight(request: IncomingMessage): boolean {
  return (
    request.method === "OPTIONS" &&
    request.headers.origin !== undefined &&
    request.headers["access-control-request-method"] !== undefined
  );
}
