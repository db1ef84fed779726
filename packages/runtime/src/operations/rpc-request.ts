import type { RpcId } from "../errors/error-body.ts";
import { isRecord } from "../json/is-record.ts";
import { ServiceError } from "../errors/service-error.ts";

/** One member of a client's request. */
export interface RpcRequest {
  /** Id; `undefined` when the request has none. */
  readonly id: RpcId | undefined;
  /** Version as sent, to be echoed; `undefined` when the request has none. */
  readonly version: string | undefined;
  readonly method: string;
  /** Positional or named parameters. */
  readonly params: readonly unknown[] | Readonly<Record<string, unknown>>;
}

/** An invalid request, with the parts that a response needs. */
export interface InvalidRpcRequest {
  readonly id: RpcId;
  readonly version: string | undefined;
  readonly error: ServiceError;
}

const knownVersions: ReadonlySet<unknown> = new Set(["1.0", "1.1", "2.0"]);

/**
 * Reads a JSON value as a request (JSON-RPC 2.0, section 4), more leniently than the specification: `jsonrpc` may be missing or an older
 * version, and so may `params`.
 */
export function readRpcRequest(value: unknown): RpcRequest | InvalidRpcRequest {
  if (!isRecord(value)) return invalid(null, undefined, "Invalid request: a request is an object");
  const id = member(value, "id");
  const version = member(value, "jsonrpc") ?? undefined;
  const text = typeof version === "string" && knownVersions.has(version) ? version : undefined;
  if (id !== undefined && !isRpcId(id))
    return invalid(null, text, "Invalid request: the id has to be a string, a number or null");
  const echo = id ?? null;
  if (version !== undefined && text === undefined) return invalid(echo, undefined, unknownVersion(version));
  const method = member(value, "method");
  if (typeof method !== "string" || method === "")
    return invalid(echo, text, "Invalid request: the method has to be a string");
  const params = member(value, "params") ?? [];
  if (!Array.isArray(params) && !isRecord(params))
    return invalid(echo, text, "Invalid request: params has to be an array or an object");
  return { id, version: text, method, params };
}

export function isInvalidRequest(request: RpcRequest | InvalidRpcRequest): request is InvalidRpcRequest {
  return "error" in request;
}

/** Returns whether a request is a notification (JSON-RPC 2.0, section 4.1). Older versions have no missing id: they get a response. */
export function isNotification(request: RpcRequest): boolean {
  return request.id === undefined && request.version === "2.0";
}

function invalid(id: RpcId, version: string | undefined, reason: string): InvalidRpcRequest {
  return { id, version, error: new ServiceError("invalid_request", reason) };
}

function unknownVersion(version: unknown): string {
  return typeof version === "string" ? "JSON-RPC version not supported" : "jsonrpc field must be a string";
}

function isRpcId(value: unknown): value is RpcId {
  return value === null || typeof value === "string" || typeof value === "number" || typeof value === "bigint";
}

/** Returns an own member only: a body has no members that it does not contain. */
function member(record: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
