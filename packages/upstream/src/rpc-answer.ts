import type { UpstreamResult } from "./upstream.ts";
import { UpstreamFailure } from "./upstream-failure.ts";
import { UpstreamRpcError } from "./upstream-rpc-error.ts";

/** A failure to understand the node. */
export function unusableAnswer(what: string): UpstreamFailure {
  return new UpstreamFailure(`The node's answer ${what}`, { kind: "unusable", mayHaveArrived: true });
}

/** Reads the answer to a single call with the given id. */
export function readAnswer(answer: unknown, id: number): UpstreamResult {
  if (!isObject(answer)) return { ok: false, error: unusableAnswer("is not a JSON-RPC response") };
  // A request that the node could not read is answered with a null id (JSON-RPC 2.0, section 5).
  const answersThis = answer["id"] === id || (answer["id"] === null && isObject(answer["error"]));
  return answersThis ? readMember(answer) : { ok: false, error: unusableAnswer("belongs to another call") };
}

/**
 * Reads the answers to a batch whose calls have the ids `firstId`, `firstId + 1`, ….
 *
 * JSON-RPC 2.0, section 6: answers may come in any order. Answers to ids that were not asked for are left aside, and
 * of two answers to one id the first one counts.
 */
export function readBatchAnswer(answer: unknown, firstId: number, length: number): readonly UpstreamResult[] {
  if (!Array.isArray(answer)) {
    const result: UpstreamResult =
      isObject(answer) && isObject(answer["error"])
        ? readMember(answer)
        : { ok: false, error: unusableAnswer("to a batch is not an array") };
    return new Array<UpstreamResult>(length).fill(result);
  }
  const results = new Array<UpstreamResult | undefined>(length).fill(undefined);
  for (const member of answer as readonly unknown[]) {
    if (!isObject(member)) continue;
    const id = member["id"];
    if (typeof id !== "number") continue;
    const position = id - firstId;
    if (position >= 0 && position < length) results[position] ??= readMember(member);
  }
  return results.map((result) => result ?? { ok: false, error: unusableAnswer("to a batch leaves out a call") });
}

/**
 * True when the node refused a batch as a whole because of its form or size, so that none of it was carried out.
 *
 * Nodes that know no batches and nodes with a lower limit both answer one object with "invalid request" or "parse
 * error"; geth puts that object into an array.
 */
export function refusesBatch(answer: unknown): boolean {
  const member: unknown = Array.isArray(answer) && answer.length === 1 ? answer[0] : answer;
  if (!isObject(member) || !isObject(member["error"])) return false;
  const code = member["error"]["code"];
  return code === -32600 || code === -32700;
}

/** `result` beside a null `error` is the form of JSON-RPC 1.0, which Bitcoin nodes still answer in. */
function readMember(member: Readonly<Record<string, unknown>>): UpstreamResult {
  const error = member["error"];
  if (error !== undefined && error !== null) return { ok: false, error: readError(error) };
  if (!("result" in member)) return { ok: false, error: unusableAnswer("has neither a result nor an error") };
  return { ok: true, result: member["result"] };
}

function readError(error: unknown): UpstreamRpcError | UpstreamFailure {
  if (!isObject(error)) return unusableAnswer("has an error that is not an object");
  const code = error["code"];
  if (typeof code !== "number") return unusableAnswer("has an error without a code");
  const message = error["message"];
  return new UpstreamRpcError(code, typeof message === "string" ? message : "", error["data"]);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
