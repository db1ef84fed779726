import { isRecord } from "@nodewright/api-model";
import type { RequestListener } from "node:http";
import type { RpcSuite, SuiteRpcMethod } from "../../../suite/suite.ts";
import { isValueOf } from "@nodewright/api-values";

export type MethodInput = Readonly<Record<string, unknown>>;

/** Methods of a server; a thrown failure becomes an error object. */
export type Methods = Readonly<Record<string, (input: MethodInput) => unknown>>;

/** An error of a method. */
export class MethodFailure extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Serves the methods of a suite, and refuses what it does not allow. `batch` replaces the response to a batch. */
export function describedListener(
  suite: RpcSuite,
  methods: Methods,
  batch: (right: readonly unknown[]) => unknown = (right) => right,
): RequestListener {
  return async (request, response) => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    const value = request.method === "POST" ? responseOf(suite, methods, text, batch) : undefined;
    if (value === undefined) response.writeHead(request.method === "POST" ? 204 : 405).end();
    else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
  };
}

function responseOf(
  suite: RpcSuite,
  methods: Methods,
  text: string,
  batch: (right: readonly unknown[]) => unknown,
): unknown {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return refused(null, new MethodFailure(-32700, "Parse error"));
  }
  if (!Array.isArray(message)) return one(suite, methods, message);
  if (message.length === 0) return refused(null, new MethodFailure(-32600, "Invalid Request"));
  const given = message.map((item) => one(suite, methods, item)).filter((item) => item !== undefined);
  return given.length === 0 ? undefined : batch(given);
}

function one(suite: RpcSuite, methods: Methods, message: unknown): unknown {
  const isRequest = isRecord(message) && message["jsonrpc"] === "2.0" && typeof message["method"] === "string";
  const id = isRecord(message) ? message["id"] : null;
  const isId = id === undefined || id === null || typeof id === "string" || typeof id === "number";
  const params = isRecord(message) ? (message["params"] ?? {}) : {};
  if (!isRequest || !isId || typeof params !== "object")
    return refused(isId ? (id ?? null) : null, new MethodFailure(-32600, "Invalid Request"));
  try {
    const result = called(suite, methods, String(message["method"]), params);
    return id === undefined ? undefined : { jsonrpc: "2.0", id, result };
  } catch (error) {
    if (!(error instanceof MethodFailure)) throw error;
    return id === undefined ? undefined : refused(id, error);
  }
}

function called(suite: RpcSuite, methods: Methods, name: string, params: object): unknown {
  const described = suite.operations.find((method) => method.method === name);
  const own = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (described === undefined || own === undefined) throw new MethodFailure(-32601, "Method not found");
  const { parameters } = described;
  const input = inputOf(described, params);
  const isKnown = Object.keys(input).every((given) => parameters.some((parameter) => parameter.name === given));
  const isRight = parameters.every((parameter) => {
    const value = input[parameter.name];
    return value === undefined ? !parameter.required : isValueOf(parameter.type, value, suite.types, "request");
  });
  if (!isKnown || !isRight) throw new MethodFailure(-32602, "Invalid params");
  return own(input);
}

function inputOf({ parameters, parameterStructure }: SuiteRpcMethod, params: object): MethodInput {
  const excluding = Array.isArray(params) ? "by-name" : "by-position";
  if (Object.keys(params).length > 0 && parameterStructure === excluding)
    throw new MethodFailure(-32602, "Invalid params");
  if (!Array.isArray(params)) return params as MethodInput;
  return Object.fromEntries(params.map((value, index) => [parameters[index]?.name ?? `(${index})`, value]));
}

function refused(id: unknown, { code, message, data }: MethodFailure): unknown {
  return { jsonrpc: "2.0", id, error: { code, message, ...(data === undefined ? {} : { data }) } };
}
