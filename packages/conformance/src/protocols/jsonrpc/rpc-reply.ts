import { isRecord } from "@nodewright/api-model";
import { mediaTypeOf, readJson } from "../../client/read-content.ts";
import { type Finding, finding } from "../../contract/finding.ts";
import { shorten, showValue } from "../../compare/show-value.ts";
import type { RpcSuite } from "../../suite/suite.ts";
import type { ReceivedResponse } from "../../contract/exchange.ts";
import type { RequestId } from "./rpc-request.ts";
import { rpcRules } from "./rpc-rules.ts";

/** An error object of JSON-RPC 2.0, section 5.1. */
export interface RpcFault {
  readonly code: number | bigint;
  readonly message: string;
  readonly data?: unknown;
}

/** Outcome of one response; `unreadable`: neither a result nor an error. */
export type RpcOutcome =
  | { readonly kind: "result"; readonly value: unknown }
  | { readonly kind: "error"; readonly fault: RpcFault }
  | { readonly kind: "unreadable" };

/** A response with the violations of its envelope. */
export interface RpcReply {
  readonly outcome: RpcOutcome;
  readonly findings: readonly Finding[];
}

/** Media types of JSON, including those of the drafts of JSON-RPC over HTTP. */
const jsonMediaType = /^application\/(?:(?:[\w.-]+\+)?json|json-rpc|jsonrequest)$/;

const knownMembers: ReadonlySet<string> = new Set(["jsonrpc", "result", "error", "id"]);
const knownErrorMembers: ReadonlySet<string> = new Set(["code", "message", "data"]);

const unreadable: RpcOutcome = { kind: "unreadable" };

/** Requirements for a response. */
export interface ExpectedResponse {
  readonly members: RpcSuite["envelope"];
  /** Allowed ids: that of the request, or null when the server could not determine it. */
  readonly ids: readonly RequestId[];
  /** Whether the request has no version to echo: servers of older dialects omit it then. */
  readonly mayLackVersion?: boolean;
}

/** Parses the response to a single request, and checks the rules of JSON-RPC responses and of HTTP. */
export function readReply(received: ReceivedResponse, expected: ExpectedResponse): RpcReply {
  const body = readBody(received);
  if ("findings" in body) return { outcome: unreadable, findings: body.findings };
  const response = readResponse(body.value, expected);
  const status = response.outcome.kind === "result" ? statusFindings(received) : [];
  return { outcome: response.outcome, findings: [...status, ...mediaTypeFindings(received), ...response.findings] };
}

/** Returns the JSON value of a body, or the findings of an invalid one. */
export function readBody(
  received: ReceivedResponse,
): { readonly value: unknown } | { readonly findings: readonly Finding[] } {
  const body = readJson(received);
  if ("value" in body) return body;
  const beginning = received.text === undefined ? "" : ` it begins ${showValue(shorten(received.text, 80))}`;
  return {
    findings: [finding(rpcRules.json, `the body ${body.problem}`, `with HTTP status ${received.status}${beginning}`)],
  };
}

/** Returns the findings of the status of a response with a result. */
export function statusFindings({ status }: ReceivedResponse): readonly Finding[] {
  return status === 200
    ? []
    : [finding(rpcRules.status, "the HTTP status of a result is not 200", `the status is ${status}`)];
}

/** Returns the findings of the media type of a JSON response. */
export function mediaTypeFindings(received: ReceivedResponse): readonly Finding[] {
  const given = received.headers.get("content-type");
  if (given === undefined || given === "") return [finding(rpcRules.noMediaType, "content-type is missing")];
  if (jsonMediaType.test(mediaTypeOf(received))) return [];
  return [finding(rpcRules.mediaType, "the media type is not application/json", `it is ${showValue(given)}`)];
}

/** Parses one response object (JSON-RPC 2.0, section 5). */
export function readResponse(value: unknown, { members, ids, mayLackVersion = false }: ExpectedResponse): RpcReply {
  if (!isRecord(value)) {
    return {
      outcome: unreadable,
      findings: [finding(rpcRules.json, "the response is not an object", showValue(value))],
    };
  }
  const findings = [
    ...versionFindings(value, mayLackVersion),
    ...idFindings(value, ids),
    ...memberFindings(value, members),
  ];
  findings.push(...surplusFindings(value, knownMembers, "the response"));
  const error = value["error"];
  if (error === undefined || error === null) {
    return {
      outcome: Object.hasOwn(value, "result") ? { kind: "result", value: value["result"] } : unreadable,
      findings,
    };
  }
  const fault = readFault(error);
  findings.push(...fault.findings);
  return { outcome: fault.fault === undefined ? unreadable : { kind: "error", fault: fault.fault }, findings };
}

function versionFindings(value: Readonly<Record<string, unknown>>, mayLack: boolean): readonly Finding[] {
  if (!Object.hasOwn(value, "jsonrpc") && mayLack) return [];
  if (!Object.hasOwn(value, "jsonrpc")) return [finding(rpcRules.version, "the response has no jsonrpc")];
  const version = value["jsonrpc"];
  return version === "2.0"
    ? []
    : [finding(rpcRules.version, 'jsonrpc of the response is not "2.0"', `it is ${showValue(version)}`)];
}

function idFindings(value: Readonly<Record<string, unknown>>, ids: readonly RequestId[]): readonly Finding[] {
  if (!Object.hasOwn(value, "id")) return [finding(rpcRules.id, "the response has no id")];
  const given = value["id"];
  if (ids.some((id) => id === given)) return [];
  const detail = `it is ${showValue(given)} instead of ${ids.map((id) => showValue(id)).join(" or ")}`;
  return [finding(rpcRules.id, "the id of the response is not that of the request", detail)];
}

function memberFindings(value: Readonly<Record<string, unknown>>, members: RpcSuite["envelope"]): readonly Finding[] {
  const hasResult = Object.hasOwn(value, "result");
  const hasError = Object.hasOwn(value, "error");
  const rule = rpcRules.members;
  if (!hasResult && !hasError) return [finding(rule, "the response has neither result nor error")];
  if (members === "one") return hasResult && hasError ? [finding(rule, "the response has both result and error")] : [];
  if (!hasResult) return [finding(rule, "the response has no result next to its error")];
  if (!hasError) return [finding(rule, "the response has no error next to its result")];
  const isEither = value["result"] === null || value["error"] === null;
  return isEither ? [] : [finding(rule, "neither result nor error of the response is null")];
}

function surplusFindings(
  value: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
  subject: string,
): readonly Finding[] {
  const surplus = Object.keys(value).filter((name) => !known.has(name));
  return surplus.length === 0
    ? []
    : [finding(rpcRules.surplus, `${subject} has further members`, surplus.map((name) => showValue(name)).join(", "))];
}

function readFault(error: unknown): { readonly fault?: RpcFault; readonly findings: readonly Finding[] } {
  const rule = rpcRules.errorObject;
  if (!isRecord(error)) return { findings: [finding(rule, "the error is not an object", showValue(error))] };
  const { code, message } = error;
  const findings = [...surplusFindings(error, knownErrorMembers, "the error")];
  const isInteger = typeof code === "bigint" || (typeof code === "number" && Number.isInteger(code));
  if (!isInteger) findings.push(finding(rule, "the error's code is not an integer", showValue(code)));
  if (typeof message !== "string")
    findings.push(finding(rule, "the error's message is not a text", showValue(message)));
  if (!isInteger) return { findings };
  const text = typeof message === "string" ? message : "";
  return { fault: { code, message: text, ...(error["data"] === undefined ? {} : { data: error["data"] }) }, findings };
}
