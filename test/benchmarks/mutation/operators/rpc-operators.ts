import { type Dispatch, jsonOf, type WireAnswer, type WireRequest, withHeaders, withJson } from "../wire/message.ts";
import { isObject, type JsonObject } from "./json-tree.ts";
import { type Mutant, type Operator, protocolOperation } from "./operator.ts";
import type { ResponseEdit, RpcSubject } from "./rpc-subject.ts";
import type { Subject } from "./subject.ts";

/** A fault in the response objects of one method. */
function ofResponses(name: string, ...ways: readonly (readonly [string, ResponseEdit])[]): Operator {
  return {
    name,
    kinds: ["rpc"],
    mutants: (subject, operation, random) =>
      operation === protocolOperation
        ? []
        : random.shuffle(ways).map(([note, edit]): Mutant => {
            return {
              note,
              proof: "rule",
              ...(name === "swap-error-code" || name === "invalid-params-code" ? { level: "SHOULD" } : {}),
              wrap: (dispatch) => (subject as RpcSubject).onResponse(operation, edit)(dispatch),
            };
          }),
  };
}

const onResult =
  (edit: (response: JsonObject) => unknown): ResponseEdit =>
  (response) =>
    "result" in response ? edit(response) : response;

const onError =
  (edit: (error: JsonObject, response: JsonObject) => unknown): ResponseEdit =>
  (response) =>
    isObject(response["error"]) ? { ...response, error: edit({ ...response["error"] }, response) } : response;

const without = (response: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(response).filter(([key]) => key !== name));

const codeTo = (from: (code: unknown) => boolean, to: number): ResponseEdit =>
  onError((error) => (from(error["code"]) ? { ...error, code: to } : error));

/** JSON-RPC 2.0 says nothing of HTTP, and servers of older versions answer them too. */
const shoulds = new Set(["no content type", "other versions are answered"]);

/** A fault of the server as a whole. */
function whole(name: string, ...ways: readonly (readonly [string, (dispatch: Dispatch) => Dispatch])[]): Operator {
  return {
    name,
    kinds: ["rpc"],
    mutants: (_subject: Subject, operation, random) =>
      operation === protocolOperation
        ? random.shuffle(ways).map(([note, wrap]): Mutant => {
            return { note, proof: "rule", wrap, ...(shoulds.has(note) ? { level: "SHOULD" } : {}) };
          })
        : [],
  };
}

const afterwards =
  (edit: (answer: WireAnswer, request: WireRequest) => WireAnswer) =>
  (dispatch: Dispatch): Dispatch =>
  async (request) =>
    edit(await dispatch(request), request);

const onBody = (edit: (body: unknown, message: unknown) => unknown) =>
  afterwards((answer, request) => {
    const body = jsonOf(answer);
    if (body === undefined) {
      return answer;
    }
    const changed = edit(body, jsonOf(request));
    return changed === body ? answer : withJson(answer, changed);
  });

const onBatch = (edit: (list: readonly unknown[], message: readonly unknown[]) => unknown) =>
  onBody((body, message) => (Array.isArray(body) && Array.isArray(message) ? edit(body, message) : body));

const errorCode = (body: unknown): unknown =>
  isObject(body) && isObject(body["error"]) ? body["error"]["code"] : undefined;

const withCode = (from: number, to: number) =>
  onBody((body) =>
    errorCode(body) === from && isObject(body) && isObject(body["error"])
      ? { ...body, error: { ...body["error"], code: to } }
      : body,
  );

const asResult = (from: number) =>
  onBody((body) =>
    errorCode(body) === from && isObject(body) ? { jsonrpc: "2.0", id: body["id"], result: null } : body,
  );

const paramsFault = (name: string, note: string, isMeant: (params: unknown) => boolean): Operator =>
  ofResponsesWith(name, note, (response, request) =>
    isMeant(request["params"]) && "result" in response
      ? { jsonrpc: "2.0", id: response["id"], error: { code: -32602, message: "Invalid params" } }
      : response,
  );

function ofResponsesWith(name: string, note: string, edit: ResponseEdit): Operator {
  return ofResponses(name, [note, edit]);
}

/** Faults of envelopes, errors, batches and the protocol of an OpenRPC interface. */
export const rpcOperators: readonly Operator[] = [
  ofResponses(
    "change-id",
    ["another id", (response) => ({ ...response, id: 4242 })],
    [
      "the id as text",
      (response) => ({ ...response, id: typeof response["id"] === "number" ? String(response["id"]) : 1 }),
    ],
    ["null for an id", (response) => ({ ...response, id: response["id"] === null ? 1 : null })],
    ["no id", (response) => without(response, "id")],
  ),
  ofResponses(
    "change-version",
    ["no version", (response) => without(response, "jsonrpc")],
    ["version 1.0", (response) => ({ ...response, jsonrpc: "1.0" })],
    ["version as a number", (response) => ({ ...response, jsonrpc: 2 })],
  ),
  ofResponses(
    "result-and-error",
    ["an error beside the result", onResult((response) => ({ ...response, error: { code: -32000, message: "also" } }))],
    ["a result beside the error", (response) => ("error" in response ? { ...response, result: "also" } : response)],
  ),
  ofResponses("no-result", ["neither result nor error", onResult((response) => without(response, "result"))]),
  ofResponses("result-as-error", [
    "an error in place of the result",
    onResult((response) => ({
      jsonrpc: "2.0",
      id: response["id"],
      error: { code: -32603, message: "Internal error" },
    })),
  ]),
  ofResponses(
    "error-as-result",
    [
      "null in place of the error",
      (response) => ("error" in response ? { jsonrpc: "2.0", id: response["id"], result: null } : response),
    ],
    [
      "an object in place of the error",
      (response) => ("error" in response ? { jsonrpc: "2.0", id: response["id"], result: {} } : response),
    ],
  ),
  ofResponses(
    "swap-error-code",
    ["a documented code becomes another", codeTo((code) => Number(code) > -32000, -1)],
    ["a documented code becomes an internal error", codeTo((code) => Number(code) > -32000, -32603)],
  ),
  ofResponses(
    "invalid-params-code",
    ["invalid params become an internal error", codeTo((code) => code === -32602, -32603)],
    ["invalid params become an unknown method", codeTo((code) => code === -32602, -32601)],
  ),
  ofResponses(
    "drop-error-member",
    ["an error without message", onError((error) => without(error, "message"))],
    ["an error without code", onError((error) => without(error, "code"))],
  ),
  ofResponses(
    "error-type",
    ["a code as text", onError((error) => ({ ...error, code: String(error["code"]) }))],
    ["a fraction as code", onError((error) => ({ ...error, code: Number(error["code"]) + 0.5 }))],
    ["a message that is an object", onError((error) => ({ ...error, message: { text: error["message"] } }))],
    ["an error that is text", onError((error) => error["message"])],
  ),
  ofResponses("result-in-result", [
    "the result in another object",
    onResult((response) => ({ ...response, result: { value: response["result"] } })),
  ]),
  paramsFault(
    "refuse-by-name",
    "no parameters by name",
    (params) => isObject(params) && Object.keys(params).length > 0,
  ),
  paramsFault(
    "refuse-by-position",
    "no parameters by position",
    (params) => Array.isArray(params) && params.length > 0,
  ),
  ofResponses("fail-method", [
    "the method is unknown",
    (response) => ({ jsonrpc: "2.0", id: response["id"], error: { code: -32601, message: "Method not found" } }),
  ]),
  whole(
    "batch-drop",
    ["the last answer is missing", onBatch((list) => list.slice(0, -1))],
    ["the first answer is missing", onBatch((list) => (list.length > 1 ? list.slice(1) : list))],
  ),
  whole("batch-repeat", ["an answer comes twice", onBatch((list) => [...list, list[0]])]),
  whole("batch-single", ["one object for a batch", onBatch((list) => list[0])]),
  whole(
    "batch-ids",
    [
      "all with the first id",
      onBatch((list) =>
        list.map((item) => (isObject(item) && isObject(list[0]) ? { ...item, id: list[0]["id"] } : item)),
      ),
    ],
    [
      "ids of each other",
      onBatch((list) =>
        list.map((item, index) => {
          const other = list[(index + 1) % list.length];
          return isObject(item) && isObject(other) ? { ...item, id: other["id"] } : item;
        }),
      ),
    ],
  ),
  whole("batch-notifications", [
    "notifications are answered in batches",
    onBatch((list, message) =>
      message.some((item) => isObject(item) && !("id" in item) && item["jsonrpc"] === "2.0")
        ? [...list, { jsonrpc: "2.0", id: null, result: null }]
        : list,
    ),
  ]),
  whole("notification-answered", [
    "a notification is answered",
    afterwards((answer, request) => {
      const message = jsonOf(request);
      return isObject(message) && !("id" in message) && message["jsonrpc"] === "2.0" && answer.status === 204
        ? withJson(
            { ...answer, status: 200, headers: { "Content-Type": "application/json" } },
            { jsonrpc: "2.0", id: null, result: 1 },
          )
        : answer;
    }),
  ]),
  whole("empty-batch", [
    "an empty batch is answered with an empty one",
    afterwards((answer, request) =>
      request.body.toString().replace(/\s/g, "") === "[]" ? withJson(answer, []) : answer,
    ),
  ]),
  whole("batch-refused", [
    "no batches",
    afterwards((answer, request) =>
      Array.isArray(jsonOf(request))
        ? withJson(
            { ...answer, status: 200, headers: { "Content-Type": "application/json" } },
            { jsonrpc: "2.0", id: null, error: { code: -32600, message: "Invalid Request" } },
          )
        : answer,
    ),
  ]),
  whole(
    "parse-error",
    ["a parse error with another code", withCode(-32700, -32603)],
    ["a parse error as an invalid request", withCode(-32700, -32600)],
    ["a parse error as a result", asResult(-32700)],
    [
      "a parse error fails the server",
      afterwards((answer) =>
        errorCode(jsonOf(answer)) === -32700 ? { ...answer, status: 500, body: Buffer.from("oops") } : answer,
      ),
    ],
    [
      "a parse error with an id",
      onBody((body) => (errorCode(body) === -32700 && isObject(body) ? { ...body, id: 1 } : body)),
    ],
  ),
  whole(
    "unknown-method",
    ["an unknown method has another code", withCode(-32601, -32603)],
    ["an unknown method has a result", asResult(-32601)],
    ["an unknown method is invalid", withCode(-32601, -32602)],
  ),
  whole(
    "invalid-request",
    ["an invalid request has another code", withCode(-32600, -32603)],
    ["an invalid request has a result", asResult(-32600)],
  ),
  whole("accept-wrong-version", [
    "other versions are answered",
    (dispatch) => async (request) => {
      const message = jsonOf(request);
      return isObject(message) && message["jsonrpc"] !== "2.0" && typeof message["method"] === "string"
        ? dispatch({ ...request, body: Buffer.from(JSON.stringify({ ...message, jsonrpc: "2.0" })) })
        : dispatch(request);
    },
  ]),
  whole(
    "rpc-status",
    ["500 with results", afterwards((answer) => (answer.status === 200 ? { ...answer, status: 500 } : answer))],
    ["404 with results", afterwards((answer) => (answer.status === 200 ? { ...answer, status: 404 } : answer))],
  ),
  whole(
    "rpc-content-type",
    [
      "answers in text/html",
      afterwards((answer) => (answer.status === 200 ? withHeaders(answer, { "content-type": "text/html" }) : answer)),
    ],
    ["no content type", afterwards((answer) => withHeaders(answer, { "content-type": undefined }))],
  ),
  whole("string-id", [
    "ids that are text are numbers afterwards",
    onBody((body) => (isObject(body) && typeof body["id"] === "string" ? { ...body, id: 0 } : body)),
  ]),
];
