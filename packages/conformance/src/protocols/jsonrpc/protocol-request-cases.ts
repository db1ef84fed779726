import { isRecord } from "@nodewright/api-model";
import { parseJson } from "../../basics/parse-json.ts";
import { shorten } from "../../compare/show-value.ts";
import type { ReceivedResponse } from "../../contract/exchange.ts";
import { type Finding, finding } from "../../contract/finding.ts";
import type { Rule } from "../../contract/rule.ts";
import { planKeyCases } from "../../properties/key.ts";
import type { RpcSuite } from "../../suite/suite.ts";
import { callText, type PlainCall, type ProtocolDraft, requestDraft } from "./protocol-case.ts";
import { errorCodes, faultText } from "./rpc-call.ts";
import type { RpcContext } from "./rpc-context.ts";
import { readBody, readReply, type RpcReply } from "./rpc-reply.ts";
import { type RequestId, requestText, rpcPost } from "./rpc-request.ts";
import { rpcRules } from "./rpc-rules.ts";

/** A request and its required response: an error with one of the codes, or a result without codes; with one of the ids. */
type Row = readonly [
  name: string,
  rule: Rule,
  body: string,
  ids: readonly RequestId[],
  codes?: readonly number[],
  headers?: Readonly<Record<string, string>>,
];

const unknownName = "nodewright_no_such_method";

const { parseError, invalidRequest, invalidParams, methodNotFound } = errorCodes;

/** Invalid requests, and their errors (JSON-RPC 2.0, section 4). */
const malformed: readonly Row[] = [
  ["broken-json", rpcRules.parseError, '{"jsonrpc":"2.0","id":1,"method":', [null], [parseError]],
  ["empty-body", rpcRules.plainParseError, "", [null], [parseError, invalidRequest]],
  // Many body parsers accept only objects and arrays.
  ["a-number", rpcRules.invalidRequest, "5", [null], [invalidRequest, parseError]],
  ["empty-batch", rpcRules.emptyBatch, "[]", [null], [invalidRequest]],
  ["no-method", rpcRules.invalidRequest, textOf({ id: 7 }), [7, null], [invalidRequest]],
  ["method-is-a-number", rpcRules.invalidRequest, textOf({ id: 7, method: 1 }), [7, null], [invalidRequest]],
  // It is an invalid request by section 4.2, and section 5.1 has a code for invalid parameters: either is right.
  [
    "params-is-a-text",
    rpcRules.invalidRequest,
    textOf({ id: 7, method: unknownName, params: "y" }),
    [7, null],
    [invalidRequest, invalidParams, methodNotFound],
  ],
  ["id-is-an-object", rpcRules.invalidId, textOf({ id: {}, method: unknownName }), [null], [invalidRequest]],
];

function textOf(members: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ jsonrpc: "2.0", ...members });
}

/** Plans invalid requests, and calls of methods that do not exist. */
export function refusedDrafts({ suite }: RpcContext): readonly ProtocolDraft[] {
  return [...malformed, ...unknownMethods(suite)].map((row) => rowDraft(suite, row));
}

function unknownMethods({ operations }: RpcSuite): readonly Row[] {
  const params = operations.every(({ parameterStructure }) => parameterStructure === "by-name") ? {} : [];
  const unknown = (name: string, method: string, rule: Rule = rpcRules.unknownMethod): Row => {
    return [name, rule, textOf({ id: 7, method, params }), [7], [methodNotFound]];
  };
  // A method name in the opposite case, unless that is another method's name.
  const names = new Set(operations.map(({ method }) => method));
  const other = operations
    .filter(({ parameters }) => parameters.length === 0)
    .map(({ method }) => (method === method.toUpperCase() ? method.toLowerCase() : method.toUpperCase()))
    .find((method) => !names.has(method));
  return [
    unknown("unknown-method", unknownName),
    unknown("method-of-every-object", "constructor"),
    unknown("method-of-every-prototype", "__proto__"),
    ...(other === undefined ? [] : [unknown("other-spelling", other, rpcRules.otherSpelling)]),
  ];
}

/** Plans checks of requests in general (sections 4 and 5), with a call that is known to have a result. */
export function callDrafts({ suite }: RpcContext, call: PlainCall): readonly ProtocolDraft[] {
  const { method } = call.method;
  const large = Number.MAX_SAFE_INTEGER;
  const ofVersion = (name: string, jsonrpc: string | undefined): Row => {
    const body = textOf({ jsonrpc, id: 7, method, params: call.params });
    return [name, rpcRules.otherVersion, body, [7, null], [invalidRequest]];
  };
  const isEmpty = Object.keys(call.input).length === 0;
  const responded: readonly Row[] = [
    ["id-is-zero", rpcRules.id, callText(call, 0), [0]],
    ["id-is-large", rpcRules.id, callText(call, large), [large]],
    ["id-is-null", rpcRules.nullId, callText(call, null), [null]],
    ...(isEmpty ? ([["no-params", rpcRules.noParameters, textOf({ id: 1, method }), [1]]] satisfies Row[]) : []),
    ["other-spelling-of-json", rpcRules.spelling, spelledOtherwise(call), ["é/é"]],
    // Responses to all other requests may be compressed.
    ["not-compressed", rpcRules.compression, callText(call, 3), [3], [], { "accept-encoding": "identity" }],
  ];
  // A dialect whose responses have both members accepts requests of other versions too.
  const versions =
    suite.envelope === "both" ? [] : [ofVersion("older-version", "1.0"), ofVersion("no-version", undefined)];
  return [
    ...responded.map((row) => rowDraft(suite, row)),
    mediaTypeDraft(suite, call),
    ...versions.map((row) => rowDraft(suite, row)),
    draftWithoutResponse("notification", "a notification", callText(call)),
  ];
}

function rowDraft({ envelope }: RpcSuite, [name, rule, body, ids, codes = [], headers]: Row): ProtocolDraft {
  const isOfVersion = rule === rpcRules.otherVersion;
  const result = name.startsWith("id-is") ? `a result with id ${JSON.stringify(ids[0])}` : "a result";
  return requestDraft({
    name,
    rule,
    expected: codes.length === 0 ? result : `an error object with ${codes.join(" or ")}`,
    request: rpcPost(body, headers),
    check: (response) => {
      if (rule === rpcRules.emptyBatch && response.text?.trim().startsWith("[") === true)
        return [finding(rpcRules.emptyBatch, "the response to an empty batch is a list")];
      if (typeof parseJson(body) !== "object" && isRefusedByHttp(response))
        return [finding(rpcRules.plainParseError, "invalid messages are refused by HTTP alone", `${response.status}`)];
      const mayLackVersion =
        isOfVersion || (envelope === "both" && !body.includes('"jsonrpc":"2.0"') && codes.length > 0);
      const reply = readReply(response, { members: envelope, ids, mayLackVersion });
      if (codes.length === 0) return underRule(responseFindings(reply, rule), rule);
      const found = refusedFindings(reply, rule, codes);
      return isOfVersion ? underRule(found, rule) : found;
    },
  });
}

function responseFindings({ outcome, findings }: RpcReply, rule: Rule): readonly Finding[] {
  if (outcome.kind !== "error") return findings;
  return [...findings, finding(rule, "there is an error instead of a result", faultText(outcome.fault))];
}

/** Returns how a response differs from the errors that a rule requires. */
export function refusedFindings(
  { outcome, findings }: RpcReply,
  rule: Rule,
  codes: readonly number[],
): readonly Finding[] {
  const requested = codes.join(" or ");
  if (outcome.kind === "unreadable") return underRule(findings, rule);
  if (outcome.kind === "result")
    return [...findings, finding(rule, `there is a result instead of the error ${requested}`)];
  if (codes.includes(Number(outcome.fault.code))) return findings;
  return [...findings, finding(rule, `the error is not ${requested}`, faultText(outcome.fault))];
}

/** Returns findings under a rule that is not a MUST: a response to what only a SHOULD requires violates no MUST. */
function underRule(findings: readonly Finding[], rule: Rule): readonly Finding[] {
  return rule.level === "MUST" ? findings : findings.map((one) => ({ ...one, rule }));
}

function mediaTypeDraft({ envelope }: RpcSuite, call: PlainCall): ProtocolDraft {
  const rule = rpcRules.requestMediaType;
  return requestDraft({
    name: "other-media-type",
    rule,
    expected: "a result, or a refusal with 415 or another 4xx",
    request: rpcPost(callText(call, 4), { "content-type": "text/plain" }),
    check: (response) => {
      if (response.status >= 400 && response.status < 500) return [];
      return underRule(readReply(response, { members: envelope, ids: [4, null] }).findings, rule);
    },
  });
}

/** Returns the same request with whitespace, members in another order and escaped characters. */
function spelledOtherwise({ method: { method }, params }: PlainCall): string {
  const escaped = `\\u${method.charCodeAt(0).toString(16).padStart(4, "0")}${method.slice(1)}`;
  return `\r\n\t{ "params" : ${JSON.stringify(params, null, 2)} ,\n "id":"\\u00e9\\/é" , "method" : "${escaped}", "json\\u0072pc":"2.0" }\n `;
}

/** Plans a notification (section 4.1): it has no response, nor do several in a batch. */
export function draftWithoutResponse(name: string, subject: string, body: string): ProtocolDraft {
  const rule = rpcRules.notification;
  return requestDraft({
    name,
    rule,
    expected: "no body",
    request: rpcPost(body),
    check: ({ bytes, text, status }) => {
      if (bytes.length > 0 && (text === undefined || text.trim() !== ""))
        return [finding(rule, `${subject} has a response with a body`, text && shorten(text, 120))];
      const message = `${subject} has a status that is not a success`;
      return status < 300 ? [] : [finding(rule, message, `${status}`)];
    },
  });
}

/**
 * Plans a GET: a JSON-RPC endpoint supports POST (RFC 9110, section 15.5.6). Many support GET as a health check, or for a page or WebSocket
 * at the same path.
 */
export function getDraft(): ProtocolDraft {
  const rule = rpcRules.otherHttpMethod;
  return requestDraft({
    name: "get",
    rule,
    expected: "status 405",
    request: { method: "GET", path: "", query: "", headers: { accept: "application/json" } },
    check: ({ status }) => (status < 500 ? [] : [finding(rule, "a GET results in a server error", `${status}`)]),
  });
}

/** Returns whether a response has a status 4xx and a body that is not JSON-RPC. */
function isRefusedByHttp(response: ReceivedResponse): boolean {
  if (response.status < 400 || response.status > 499) return false;
  const body = readBody(response);
  return !("value" in body) || !isRecord(body.value) || !Object.hasOwn(body.value, "jsonrpc");
}

/** Plans requests without a valid key, when the run has one. */
export function keyDrafts({ session, suite }: RpcContext, { method, params }: PlainCall): readonly ProtocolDraft[] {
  const request = rpcPost(requestText({ method: method.method, params, id: "key" }));
  const cases = planKeyCases({
    session,
    isDescribed: Object.keys(suite.security).length > 0,
    hasScheme: false,
    call: async (play, key) => {
      const response = await play.send(request, { key });
      const body = readBody(response);
      const result = "value" in body && isRecord(body.value) ? body.value["result"] : undefined;
      return { response, hasResult: (result ?? null) !== null, findings: [] };
    },
  });
  return cases.map((one) => ({ ...one, operation: method.name, preview: [request] }));
}
