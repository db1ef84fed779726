import type { UpstreamResult } from "./upstream.ts";
import { UpstreamFailure } from "./upstream-failure.ts";
import { isUpstreamRpcError, UpstreamRpcError } from "./upstream-rpc-error.ts";

/** Creates the failure for a response that cannot be understood. */
export function malformedResponse(what: string): UpstreamFailure {
  return new UpstreamFailure(`The node's response ${what}`, { kind: "unusable", mayHaveArrived: true });
}

/** Reads the response to a single call with the given id. */
export function readResponse(response: unknown, id: number): UpstreamResult {
  if (!isObject(response)) return { ok: false, error: malformedResponse("is not a JSON-RPC response") };
  // A response to a request that the node could not read has a null id (JSON-RPC 2.0, section 5).
  const isForThis = response["id"] === id || (response["id"] === null && isObject(response["error"]));
  return isForThis ? readMember(response) : { ok: false, error: malformedResponse("belongs to another call") };
}

/** Reading of a node's response to a batch. */
export type BatchResponse =
  | { readonly kind: "results"; readonly results: readonly UpstreamResult[] }
  /** The node accepts no batch of this form or size, and executed none of it. */
  | { readonly kind: "refused"; readonly limit: number | undefined }
  /** One response for all calls, which may mean the same. */
  | { readonly kind: "one"; readonly result: UpstreamResult };

/** Reads the responses to a batch whose calls, more than one, have the ids `firstId`, `firstId + 1`, …. */
export function readBatchResponse(response: unknown, firstId: number, length: number): BatchResponse {
  if (Array.isArray(response) && response.length !== 1)
    return { kind: "results", results: readMembers(response as readonly unknown[], firstId, length) };
  // geth refuses with an array of one error.
  const only: unknown = Array.isArray(response) ? response[0] : response;
  if (!isObject(only) || !isObject(only["error"])) {
    return Array.isArray(response)
      ? { kind: "results", results: readMembers(response as readonly unknown[], firstId, length) }
      : { kind: "one", result: { ok: false, error: malformedResponse("to a batch is not an array") } };
  }
  const result = readMember(only);
  if (result.ok || !isUpstreamRpcError(result.error)) return { kind: "one", result };
  const { code, message, data } = result.error;
  if (!refusesBatch(code, message)) return { kind: "one", result };
  return { kind: "refused", limit: findLimit(message) ?? (typeof data === "string" ? findLimit(data) : undefined) };
}

/**
 * Returns whether a member was left out because the others' responses are long: geth's `--rpc.batch-response-max-size`. It was not
 * executed.
 */
export function isLeftOutForLength(result: UpstreamResult | undefined): boolean {
  if (result === undefined || result.ok || !isUpstreamRpcError(result.error)) return false;
  return result.error.code === -32_003 && /response too large/i.test(result.error.message);
}

/**
 * Reads the members of a batch response. JSON-RPC 2.0, section 6: responses may come in any order. Responses with unknown ids are ignored.
 */
function readMembers(members: readonly unknown[], firstId: number, length: number): readonly UpstreamResult[] {
  const results = new Array<UpstreamResult | undefined>(length).fill(undefined);
  let hasOtherIds = false;
  for (const member of members) {
    if (!isObject(member)) continue;
    const id = member["id"];
    const position = typeof id === "number" ? id - firstId : Number.NaN;
    if (results[position] !== undefined) results[position] = { ok: false, error: malformedResponse(twice) };
    else if (position >= 0 && position < length && Number.isInteger(position)) results[position] = readMember(member);
    else if (typeof id !== "number") hasOtherIds = true;
  }
  const missing = hasOtherIds ? otherIds : leavesOut;
  return results.map((result) => result ?? { ok: false, error: malformedResponse(missing) });
}

const twice = "to a batch has two responses to one call";
const leavesOut = "to a batch leaves out a call";
const otherIds = "to a batch has ids that are not those of the calls";

/** Error codes of nodes that do not support batches: invalid request and parse error, and that of jsonrpsee, which Reth uses. */
const refusals: ReadonlySet<number> = new Set([-32_600, -32_700, -32_010]);

/** Returns whether an error refuses the batch. Besu and Nethermind use the code of a limit, which rate-limited clients get as well. */
function refusesBatch(code: number, message: string): boolean {
  return refusals.has(code) || /\bbatch/i.test(message);
}

/** Returns the number in messages such as "batch limit 20 exceeded" and "Exceeded max limit of 50". */
function findLimit(text: string): number | undefined {
  const digits = /\b(?:limit|max(?:imum)?)\b[^\d]{0,30}(\d{1,6})\b/i.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Reads one response object. `result` next to a null `error` is the form of JSON-RPC 1.0, which Bitcoin nodes still use. */
function readMember(member: Readonly<Record<string, unknown>>): UpstreamResult {
  const error = member["error"];
  if (error !== undefined && error !== null) return { ok: false, error: readError(error) };
  if (!("result" in member)) return { ok: false, error: malformedResponse("has neither a result nor an error") };
  return { ok: true, result: member["result"] };
}

function readError(error: unknown): UpstreamRpcError | UpstreamFailure {
  if (!isObject(error)) return malformedResponse("has an error that is not an object");
  const code = error["code"];
  if (typeof code !== "number") return malformedResponse("has an error without a code");
  const message = error["message"];
  return new UpstreamRpcError(code, typeof message === "string" ? message : "", error["data"]);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
