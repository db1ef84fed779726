import { isRecord } from "@nodewright/api-model";
import { parseJson } from "../../basics/parse-json.ts";
import { shorten } from "../../compare/show-value.ts";
import type { Answer } from "../../contract/exchange.ts";
import { type Finding, finding } from "../../contract/finding.ts";
import type { Rule } from "../../contract/rule.ts";
import type { RpcSuite } from "../../suite/suite.ts";
import { callText, type PlainCall, type ProtocolDraft, requestDraft } from "./protocol-case.ts";
import { errorCodes, faultText } from "./rpc-call.ts";
import type { RpcContext } from "./rpc-context.ts";
import { readBody, readReply, type RpcReply } from "./rpc-reply.ts";
import { type RequestId, rpcPost } from "./rpc-request.ts";
import { rpcRules } from "./rpc-rules.ts";

/** A body that is no request, and what has to be said of it. */
type Refused = readonly [name: string, rule: Rule, body: string, codes: readonly number[], ids: readonly RequestId[]];

const unknownName = "nodewright_no_such_method";

/** JSON-RPC 2.0, section 4: what is no request, and how that is said. */
export function refusedDrafts({ suite }: RpcContext): readonly ProtocolDraft[] {
  return [...malformed(), ...unknownMethods(suite)].map(([name, rule, body, codes, ids]) =>
    requestDraft({
      name,
      rule,
      expected: `an error object with ${codes.join(" or ")}`,
      request: rpcPost(body),
      check: (answer) => {
        if (rule === rpcRules.emptyBatch && answer.text?.trim().startsWith("[") === true)
          return [finding(rpcRules.emptyBatch, "an empty batch is answered with a list")];
        // What is neither an object nor a list may be stopped before anything of JSON-RPC sees it.
        if (typeof parseJson(body) !== "object" && isRefusedByHttp(answer))
          return [finding(rpcRules.plainParseError, "what is no message is refused by HTTP alone", `${answer.status}`)];
        const mayLackVersion = suite.envelope === "both" && !body.includes('"jsonrpc":"2.0"');
        return refusedFindings(readReply(answer, { members: suite.envelope, ids, mayLackVersion }), rule, codes);
      },
    }),
  );
}

/** Returns what a response lacks to be one of the errors that a rule asks for. */
export function refusedFindings(
  { outcome, findings }: RpcReply,
  rule: Rule,
  codes: readonly number[],
): readonly Finding[] {
  const asked = codes.join(" or ");
  switch (outcome.kind) {
    case "unreadable":
      return underRule(findings, rule);
    case "result":
      return [...findings, finding(rule, `there is a result instead of the error ${asked}`)];
    case "error":
      return codes.includes(Number(outcome.fault.code))
        ? findings
        : [...findings, finding(rule, `the error is not ${asked}`, faultText(outcome.fault))];
    default:
      return outcome satisfies never;
  }
}

/** What only a SHOULD asks for breaks no MUST of the response that it makes. */
function underRule(findings: readonly Finding[], rule: Rule): readonly Finding[] {
  return rule.level === "MUST" ? findings : findings.map((one) => ({ ...one, rule }));
}

function malformed(): readonly Refused[] {
  const { parseError, invalidRequest, invalidParams, methodNotFound } = errorCodes;
  const withoutMethod = '{"jsonrpc":"2.0","id":7';
  return [
    ["broken-json", rpcRules.parseError, '{"jsonrpc":"2.0","id":1,"method":', [parseError], [null]],
    ["empty-body", rpcRules.plainParseError, "", [parseError, invalidRequest], [null]],
    // Many parsers of bodies take nothing but objects and lists.
    ["a-number", rpcRules.invalidRequest, "5", [invalidRequest, parseError], [null]],
    ["empty-batch", rpcRules.emptyBatch, "[]", [invalidRequest], [null]],
    ["no-method", rpcRules.invalidRequest, `${withoutMethod}}`, [invalidRequest], [7, null]],
    ["method-is-a-number", rpcRules.invalidRequest, `${withoutMethod},"method":1}`, [invalidRequest], [7, null]],
    // Section 4.2 makes it no request, section 5.1 has a code for wrong parameters: either is right.
    [
      "params-is-a-text",
      rpcRules.invalidRequest,
      `${withoutMethod},"method":"${unknownName}","params":"y"}`,
      [invalidRequest, invalidParams, methodNotFound],
      [7, null],
    ],
    [
      "id-is-an-object",
      rpcRules.invalidId,
      `{"jsonrpc":"2.0","id":{},"method":"${unknownName}"}`,
      [invalidRequest],
      [null],
    ],
  ];
}

function unknownMethods({ operations }: RpcSuite): readonly Refused[] {
  const params = operations.every(({ parameterStructure }) => parameterStructure === "by-name") ? {} : [];
  const unknown = (name: string, method: string, rule: Rule = rpcRules.unknownMethod): Refused => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 7, method, params });
    return [name, rule, body, [errorCodes.methodNotFound], [7]];
  };
  // The name of a method in the other case, where that is not the name of another one.
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

/** Sections 4 and 5: what every request may be, and may not be, asked with a call that is known to be answered. */
export function callDrafts({ suite: { envelope } }: RpcContext, call: PlainCall): readonly ProtocolDraft[] {
  const { method } = call.method;
  const answered = (
    name: string,
    rule: Rule,
    body: string,
    id: RequestId,
    headers: Readonly<Record<string, string>> = {},
  ): ProtocolDraft =>
    requestDraft({
      name,
      rule,
      expected: name.startsWith("id-is") ? `a result with id ${JSON.stringify(id)}` : "a result",
      request: rpcPost(body, headers),
      check: (answer) => {
        const { outcome, findings } = readReply(answer, { members: envelope, ids: [id] });
        const text = "there is an error instead of a result";
        const own = outcome.kind === "error" ? [finding(rule, text, faultText(outcome.fault))] : [];
        return underRule([...findings, ...own], rule);
      },
    });
  /** A dialect whose responses have both members takes requests of other versions too. */
  const ofVersion = (name: string, jsonrpc: string | undefined): ProtocolDraft =>
    requestDraft({
      name,
      rule: rpcRules.otherVersion,
      expected: "an error object with -32600",
      request: rpcPost(JSON.stringify({ jsonrpc, id: 7, method, params: call.params })),
      check: (answer) => {
        const reply = readReply(answer, { members: envelope, ids: [7, null], mayLackVersion: true });
        const rule = rpcRules.otherVersion;
        return underRule(refusedFindings(reply, rule, [errorCodes.invalidRequest]), rule);
      },
    });
  const large = Number.MAX_SAFE_INTEGER;
  const isEmpty = Object.keys(call.input).length === 0;
  return [
    answered("id-is-zero", rpcRules.id, callText(call, 0), 0),
    answered("id-is-large", rpcRules.id, callText(call, large), large),
    answered("id-is-null", rpcRules.nullId, callText(call, null), null),
    ...(isEmpty
      ? [answered("no-params", rpcRules.noParameters, JSON.stringify({ jsonrpc: "2.0", id: 1, method }), 1)]
      : []),
    answered("other-spelling-of-json", rpcRules.spelling, spelledOtherwise(call), "é/é"),
    // All other answers may be compressed.
    answered("not-compressed", rpcRules.compression, callText(call, 3), 3, { "accept-encoding": "identity" }),
    requestDraft({
      name: "other-media-type",
      rule: rpcRules.requestMediaType,
      expected: "a result, or a refusal with 415 or another 4xx",
      request: rpcPost(callText(call, 4), { "content-type": "text/plain" }),
      check: (answer) => {
        if (answer.status >= 400 && answer.status < 500) return [];
        return underRule(readReply(answer, { members: envelope, ids: [4, null] }).findings, rpcRules.requestMediaType);
      },
    }),
    ...(envelope === "both" ? [] : [ofVersion("older-version", "1.0"), ofVersion("no-version", undefined)]),
    silentDraft("notification", "a notification", callText(call)),
  ];
}

/** The same request with blanks, members in another order and characters escaped. */
function spelledOtherwise({ method: { method }, params }: PlainCall): string {
  const escaped = `\\u${method.charCodeAt(0).toString(16).padStart(4, "0")}${method.slice(1)}`;
  return `\r\n\t{ "params" : ${JSON.stringify(params, null, 2)} ,\n "id":"\\u00e9\\/é" , "method" : "${escaped}", "json\\u0072pc":"2.0" }\n `;
}

/** Section 4.1: a notification is not answered, nor are several in a batch. */
export function silentDraft(name: string, subject: string, body: string): ProtocolDraft {
  const rule = rpcRules.notification;
  return requestDraft({
    name,
    rule,
    expected: "no body",
    request: rpcPost(body),
    check: ({ bytes, text, status }) => {
      if (bytes.length > 0 && (text === undefined || text.trim() !== ""))
        return [finding(rule, `${subject} is answered with a body`, text && shorten(text, 120))];
      const message = `${subject} is answered with a status that is no success`;
      return status < 300 ? [] : [finding(rule, message, `${status}`)];
    },
  });
}

/**
 * RFC 9110, section 15.5.6: an endpoint of JSON-RPC is for POST. Many answer GET for those who look whether the server is alive, or for a
 * page or WebSocket in the same place.
 */
export function getDraft(): ProtocolDraft {
  const rule = rpcRules.otherHttpMethod;
  return requestDraft({
    name: "get",
    rule,
    expected: "status 405",
    request: { method: "GET", path: "", query: "", headers: { accept: "application/json" } },
    check: ({ status }) =>
      status < 500 ? [] : [finding(rule, "a GET is answered with an error of the server", `${status}`)],
  });
}

/** Status 4xx whose body is of HTTP, not of JSON-RPC. */
function isRefusedByHttp(answer: Answer): boolean {
  if (answer.status < 400 || answer.status > 499) return false;
  const body = readBody(answer);
  return !("value" in body) || !isRecord(body.value) || !Object.hasOwn(body.value, "jsonrpc");
}
