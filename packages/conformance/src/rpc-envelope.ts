import { readJson } from "./body.ts";
import { isRecord } from "./is-record.ts";
import { showJson } from "./json-difference.ts";

/** An error object of JSON-RPC 2.0, section 5.1. */
export interface RpcFailure {
  readonly code: number | bigint;
  readonly message: string;
  readonly data?: unknown;
}

/** What one response says, and what is wrong around it. */
export interface ReadEnvelope {
  readonly problems: readonly string[];
  /** `undefined` when there is an error. */
  readonly result?: unknown;
  readonly error?: RpcFailure;
}

/** What a response has to echo. */
export interface ExpectedEnvelope {
  readonly members: "both" | "one";
  readonly id: unknown;
  /** `jsonrpc` of the request; absent: the response need not have any. */
  readonly version?: string;
}

/** Reads the text of a single response. */
export function readEnvelopeText(text: string | undefined, expected: ExpectedEnvelope): ReadEnvelope {
  if (text === undefined) return { problems: ["the body is not UTF-8"] };
  const body = readJson(text);
  return "problem" in body ? { problems: [body.problem] } : readEnvelope(body.value, expected);
}

/** Reads a response as the document's envelope says (JSON-RPC 2.0, section 5). */
export function readEnvelope(value: unknown, { members, id, version }: ExpectedEnvelope): ReadEnvelope {
  if (!isRecord(value)) return { problems: ["the response is not an object"] };
  const problems: string[] = [];
  const known = new Set(["jsonrpc", "result", "error", "id"]);
  for (const name of Object.keys(value))
    if (!known.has(name)) problems.push(`the response has the member ${showJson(name)}`);
  if (version !== undefined && value["jsonrpc"] !== version) {
    problems.push(`jsonrpc is ${showJson(value["jsonrpc"])} instead of ${showJson(version)}`);
  }
  if (!Object.hasOwn(value, "id")) problems.push("the response has no id");
  else if (value["id"] !== id) problems.push(`the id is ${showJson(value["id"])} instead of ${showJson(id)}`);
  problems.push(...memberProblems(value, members));
  const error = value["error"];
  if (error === null || error === undefined) return { problems, result: value["result"] };
  const failure = readFailure(error);
  return typeof failure === "string" ? { problems: [...problems, failure] } : { problems, error: failure };
}

function memberProblems(value: Readonly<Record<string, unknown>>, members: "both" | "one"): readonly string[] {
  const hasResult = Object.hasOwn(value, "result");
  const hasError = Object.hasOwn(value, "error");
  if (members === "one") return hasResult === hasError ? ["the response has not exactly one of result and error"] : [];
  if (!hasResult || !hasError) return ["the response has not both result and error"];
  return value["error"] !== null && value["result"] !== null ? ["neither result nor error is null"] : [];
}

function readFailure(error: unknown): RpcFailure | string {
  if (!isRecord(error)) return "the error is not an object";
  const { code, message, ...rest } = error;
  if (typeof code !== "number" || !Number.isInteger(code))
    return `the error's code is ${showJson(code)}, not an integer`;
  if (typeof message !== "string" || message === "") return "the error has no message";
  const surplus = Object.keys(rest).find((name) => name !== "data");
  if (surplus !== undefined) return `the error has the member ${showJson(surplus)}`;
  return { code, message, data: rest["data"] };
}
