import { isRecord } from "@nodewright/api-model";
import { shorten } from "../../compare/show-value.ts";
import type { Finding } from "../../contract/finding.ts";
import type { CasePlay } from "../../contract/planned-case.ts";
import type { Rule } from "../../contract/rule.ts";
import type { RpcSuite } from "../../suite/suite.ts";
import type { Answer } from "../../contract/exchange.ts";
import { errorCodes, faultText } from "./rpc-call.ts";
import type { RpcContext } from "./rpc-context.ts";
import { finding } from "./rpc-finding.ts";
import { readBody, readReply, type RpcReply } from "./rpc-reply.ts";
import { type RequestId, rpcPost } from "./rpc-request.ts";
import { rpcRules } from "./rpc-rules.ts";
import { type PlainCall, type ProtocolDraft, skipCut } from "./protocol-case.ts";

/** A body that is no request, and what has to be said of it. */
interface Refused {
  readonly name: string;
  readonly rule: Rule;
  readonly body: string;
  readonly codes: readonly number[];
  /** Null alone when not given. */
  readonly ids?: readonly RequestId[];
}

const unknownName = "nodewright_no_such_method";

/** JSON-RPC 2.0, section 4: what is no request, and how that is said. */
export function refusedDrafts({ suite }: RpcContext): readonly ProtocolDraft[] {
  return [...malformed(), ...unknownMethods(suite)].map((refused) => ({
    name: refused.name,
    rule: refused.rule,
    expected: `an error object with ${refused.codes.join(" or ")}`,
    preview: rpcPost(refused.body),
    play: async (play) => {
      const answer = await play.send(rpcPost(refused.body));
      skipCut(play, answer);
      const { ids = [null] } = refused;
      if (refused.rule === rpcRules.emptyBatch && isList(answer.text)) {
        return [finding(rpcRules.emptyBatch, "an empty batch is answered with a list")];
      }
      if (isNoMessage(refused.body) && isRefusedByHttp(answer)) {
        return [finding(rpcRules.plainParseError, "what is no message is refused by HTTP alone", `${answer.status}`)];
      }
      const mayLackVersion = suite.envelope === "both" && !refused.body.includes('"jsonrpc":"2.0"');
      return refusedFindings(readReply(answer, { members: suite.envelope, ids, mayLackVersion }), refused);
    },
  }));
}

/** What an answer lacks to be one of the errors that a rule asks for. */
export function refusedFindings(
  { outcome, findings }: RpcReply,
  { rule, codes }: Pick<Refused, "rule" | "codes">,
): readonly Finding[] {
  const asked = codes.join(" or ");
  switch (outcome.kind) {
    case "unreadable":
      return rule.level === "MUST" ? findings : findings.map((one) => ({ ...one, rule }));
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

function malformed(): readonly Refused[] {
  const { parseError, invalidRequest, invalidParams, methodNotFound } = errorCodes;
  const invalid = (
    name: string,
    body: string,
    ids: readonly RequestId[],
    codes = [invalidRequest as number],
  ): Refused => ({
    name,
    rule: rpcRules.invalidRequest,
    body,
    codes,
    ids,
  });
  return [
    { name: "broken-json", rule: rpcRules.parseError, body: '{"jsonrpc":"2.0","id":1,"method":', codes: [parseError] },
    { name: "empty-body", rule: rpcRules.plainParseError, body: "", codes: [parseError, invalidRequest] },
    // Many parsers of bodies take nothing but objects and lists.
    invalid("a-number", "5", [null], [invalidRequest, parseError]),
    { ...invalid("empty-batch", "[]", [null]), rule: rpcRules.emptyBatch },
    invalid("no-method", '{"jsonrpc":"2.0","id":7}', [7, null]),
    invalid("method-is-a-number", '{"jsonrpc":"2.0","id":7,"method":1}', [7, null]),
    // Section 4.2 makes it no request, section 5.1 has a code for wrong parameters: either is right.
    invalid(
      "params-is-a-text",
      `{"jsonrpc":"2.0","id":7,"method":"${unknownName}","params":"y"}`,
      [7, null],
      [invalidRequest, invalidParams, methodNotFound],
    ),
    {
      ...invalid("id-is-an-object", `{"jsonrpc":"2.0","id":{},"method":"${unknownName}"}`, [null]),
      rule: rpcRules.invalidId,
    },
  ];
}

function unknownMethods(suite: RpcSuite): readonly Refused[] {
  const takesNamesAlone = suite.operations.every(({ parameterStructure }) => parameterStructure === "by-name");
  const unknown = (name: string, method: string): Refused => ({
    name,
    rule: rpcRules.unknownMethod,
    body: JSON.stringify({ jsonrpc: "2.0", id: 7, method, params: takesNamesAlone ? {} : [] }),
    codes: [errorCodes.methodNotFound],
    ids: [7],
  });
  const other = otherSpelling(suite);
  return [
    unknown("unknown-method", unknownName),
    unknown("method-of-every-object", "constructor"),
    unknown("method-of-every-prototype", "__proto__"),
    ...(other === undefined ? [] : [{ ...unknown("other-spelling", other), rule: rpcRules.otherSpelling }]),
  ];
}

/** The name of a method in the other case, where that is not the name of another one. */
function otherSpelling({ operations }: RpcSuite): string | undefined {
  const names = new Set(operations.map(({ method }) => method));
  return operations
    .filter(({ parameters }) => parameters.length === 0)
    .map(({ method }) => (method === method.toUpperCase() ? method.toLowerCase() : method.toUpperCase()))
    .find((method) => !names.has(method));
}

/** A dialect whose responses have both members takes requests of other versions too. */
export function versionDrafts({ suite }: RpcContext, call: PlainCall): readonly ProtocolDraft[] {
  if (suite.envelope === "both") return [];
  return ["1.0", undefined].map((version) => {
    const request = rpcPost(
      JSON.stringify({ jsonrpc: version, id: 7, method: call.method.method, params: call.params }),
    );
    return {
      name: version === undefined ? "no-version" : "older-version",
      rule: rpcRules.otherVersion,
      expected: "an error object with -32600",
      preview: request,
      play: async (play) => {
        const answer = await play.send(request);
        skipCut(play, answer);
        const reply = readReply(answer, { members: suite.envelope, ids: [7, null], mayLackVersion: true });
        const found = refusedFindings(reply, { rule: rpcRules.otherVersion, codes: [errorCodes.invalidRequest] });
        return found.map((one) => ({ ...one, rule: rpcRules.otherVersion }));
      },
    };
  });
}

/** Sections 4 and 5: what every request may be, asked with a call that is known to be answered. */
export function answeredDrafts(context: RpcContext, call: PlainCall): readonly ProtocolDraft[] {
  const members = { jsonrpc: "2.0", method: call.method.method, params: call.params };
  const withId = (name: string, id: RequestId, rule: Rule): ProtocolDraft =>
    answered(context, name, rule, `a result with id ${JSON.stringify(id)}`, JSON.stringify({ ...members, id }), id);
  const withoutParams = call.isEmpty
    ? [
        answered(
          context,
          "no-params",
          rpcRules.noParameters,
          "a result",
          JSON.stringify({ jsonrpc: "2.0", id: 1, method: call.method.method }),
          1,
        ),
      ]
    : [];
  return [
    withId("id-is-zero", 0, rpcRules.id),
    withId("id-is-large", Number.MAX_SAFE_INTEGER, rpcRules.id),
    withId("id-is-null", null, rpcRules.nullId),
    ...withoutParams,
    answered(context, "other-spelling-of-json", rpcRules.spelling, "a result", spelledOtherwise(call), "é/é"),
    // All other answers may be compressed.
    answered(context, "not-compressed", rpcRules.compression, "a result", JSON.stringify({ ...members, id: 3 }), 3, {
      "accept-encoding": "identity",
    }),
    otherMediaType(context, JSON.stringify({ ...members, id: 4 })),
  ];
}

function answered(
  { suite }: RpcContext,
  name: string,
  rule: Rule,
  expected: string,
  body: string,
  id: RequestId,
  headers: Readonly<Record<string, string>> = {},
): ProtocolDraft {
  const request = rpcPost(body, headers);
  return {
    name,
    rule,
    expected,
    preview: request,
    play: async (play) => {
      const answer = await play.send(request);
      skipCut(play, answer);
      const { outcome, findings } = readReply(answer, { members: suite.envelope, ids: [id] });
      const own =
        outcome.kind === "error"
          ? [finding(rule, "there is an error instead of a result", faultText(outcome.fault))]
          : [];
      // What only a SHOULD asks for breaks no MUST of the response that it makes.
      return [...findings, ...own].map((one) => (rule.level === "MUST" ? one : { ...one, rule }));
    },
  };
}

/** The same request with blanks, members in another order and characters escaped. */
function spelledOtherwise({ method, params }: PlainCall): string {
  const escaped = [...method.method]
    .map((character, index) =>
      index === 0 ? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}` : character,
    )
    .join("");
  return `\r\n\t{ "params" : ${JSON.stringify(params, null, 2)} ,\n "id":"\\u00e9\\/é" , "method" : "${escaped}", "json\\u0072pc":"2.0" }\n `;
}

function otherMediaType({ suite }: RpcContext, body: string): ProtocolDraft {
  const request = { ...rpcPost(body), headers: { "content-type": "text/plain", accept: "application/json" } };
  return {
    name: "other-media-type",
    rule: rpcRules.requestMediaType,
    expected: "a result, or a refusal with 415 or another 4xx",
    preview: request,
    play: async (play) => {
      const answer = await play.send(request);
      skipCut(play, answer);
      if (answer.status >= 400 && answer.status < 500) return [];
      const { findings } = readReply(answer, { members: suite.envelope, ids: [4, null] });
      return findings.map((one) => ({ ...one, rule: rpcRules.requestMediaType }));
    },
  };
}

/** Section 4.1: a notification is not answered. */
export function notificationDraft(call: PlainCall): ProtocolDraft {
  const request = rpcPost(JSON.stringify({ jsonrpc: "2.0", method: call.method.method, params: call.params }));
  return {
    name: "notification",
    rule: rpcRules.notification,
    expected: "no body",
    preview: request,
    play: async (play) => silenceFindings(play, await play.send(request), "a notification"),
  };
}

/** What is wrong with the answer to something that is not to be answered. */
export function silenceFindings(
  _play: CasePlay,
  { bytes, text, status }: Awaited<ReturnType<CasePlay["send"]>>,
  subject: string,
): readonly Finding[] {
  if (bytes.length > 0 && (text === undefined || text.trim() !== "")) {
    return [finding(rpcRules.notification, `${subject} is answered with a body`, text && shorten(text, 120))];
  }
  return status < 300
    ? []
    : [finding(rpcRules.notification, `${subject} is answered with a status that is no success`, `${status}`)];
}

/** RFC 9110, section 15.5.6: an endpoint of JSON-RPC is for POST. */
export function getDraft(): ProtocolDraft {
  const request = { method: "GET", path: "", query: "", headers: { accept: "application/json" } };
  return {
    name: "get",
    rule: rpcRules.otherHttpMethod,
    expected: "status 405",
    preview: request,
    play: async (play) => {
      const { status } = await play.send(request);
      // Many answer GET for those who look whether the server is alive, or for a page or WebSocket in the same place.
      const isKnown = status === 405 || status === 426 || (status >= 400 && status < 500) || status < 400;
      return isKnown
        ? []
        : [finding(rpcRules.otherHttpMethod, "a GET is answered with an error of the server", `${status}`)];
    },
  };
}

/** A body that is neither an object nor a list: what reads bodies may stop it before anything of JSON-RPC sees it. */
function isNoMessage(body: string): boolean {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value !== "object";
  } catch {
    return true;
  }
}

/** Status 4xx whose body is of HTTP, not of JSON-RPC. */
function isRefusedByHttp(answer: Answer): boolean {
  if (answer.status < 400 || answer.status > 499) return false;
  const body = readBody(answer);
  return !("value" in body) || !isRecord(body.value) || !Object.hasOwn(body.value, "jsonrpc");
}

function isList(text: string | undefined): boolean {
  return text?.trim().startsWith("[") === true;
}
