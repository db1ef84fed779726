import type { RpcId } from "./error-body.ts";
import { isRecord } from "./is-record.ts";
import { ServiceError } from "./service-error.ts";

/** One member of what a caller has sent. */
export interface RpcRequest {
  /** `undefined` when the request has none. */
  readonly id: RpcId | undefined;
  /** As sent, to be echoed; `undefined` when the request has none. */
  readonly version: string | undefined;
  readonly method: string;
  /** Positional or by name. */
  readonly params: readonly unknown[] | Readonly<Record<string, unknown>>;
}

/** What is no request, with as much of it as an answer needs. */
export interface InvalidRpcRequest {
  readonly id: RpcId;
  readonly version: string | undefined;
  readonly error: ServiceError;
}

const knownVersions: ReadonlySet<unknown> = new Set(["1.0", "1.1", "2.0"]);

/**
 * Reads a JSON value as a request (JSON-RPC 2.0, section 4), more patiently than the specification: `jsonrpc` may be missing
 * or an older version, and so may `params`.
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

/** JSON-RPC 2.0, section 4.1. Older versions have no such thing as a missing id: they get an answer. */
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

/** Own members alone: a body may not have any that it does not spell. */
function member(record: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
