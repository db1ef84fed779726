import type { RequestListener } from "node:http";
import type { RpcSuite, SuiteFailure, SuiteParameter, SuiteRpcMethod } from "../../suite/suite.ts";
import type { SuiteType, SuiteTypes } from "../../suite/suite-type.ts";
import { isRecord } from "../../types/is-record.ts";
import { isValueOf } from "../../types/violations.ts";

type DeskInput = Readonly<Record<string, unknown>>;

/** What a server answers, by method; what throws a failure answers that. */
export type DeskMethods = Readonly<Record<string, (input: DeskInput) => unknown>>;

/** An error as it is answered. */
export class DeskFailure extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export function argument(name: string, type: SuiteType, more: Partial<SuiteParameter> = {}): SuiteParameter {
  return { name, property: name, location: "argument", required: true, type, ...more };
}

export function failure(rpcCode: number, message: string, more: Partial<SuiteFailure> = {}): SuiteFailure {
  return { name: message.replaceAll(" ", ""), rpcCode, message, contents: [], headers: [], ...more };
}

export function deskMethod(
  name: string,
  result: SuiteType,
  parameters: readonly SuiteParameter[],
  more: Partial<SuiteRpcMethod> = {},
): SuiteRpcMethod {
  return {
    name,
    method: name,
    origin: name,
    tags: [],
    parameters,
    successes: [{ status: 200, headers: [], content: { mediaType: "application/json", form: "json", type: result } }],
    failures: [],
    examples: [],
    links: [],
    relations: [],
    marks: { disabledByDefault: false, nodeControl: false, units: 1 },
    parameterStructure: "by-name",
    ...more,
  };
}

export function deskSuite(operations: readonly SuiteRpcMethod[], types: SuiteTypes = {}): RpcSuite {
  return {
    format: 2,
    protocol: "rpc",
    name: "desk",
    title: "Desk",
    version: "1",
    source: "desk.json",
    security: {},
    types,
    envelope: "one",
    operations,
  };
}

/** Serves the methods of a suite, and refuses what it does not allow. `batch` stands in place of the answer to a batch. */
export function deskListener(
  suite: RpcSuite,
  methods: DeskMethods,
  batch: (right: readonly unknown[]) => unknown = (right) => right,
): RequestListener {
  return async (request, response) => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    const value = request.method === "POST" ? answerOf(suite, methods, text, batch) : undefined;
    if (value === undefined) response.writeHead(request.method === "POST" ? 204 : 405).end();
    else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
  };
}

function answerOf(
  suite: RpcSuite,
  methods: DeskMethods,
  text: string,
  batch: (right: readonly unknown[]) => unknown,
): unknown {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return refused(null, new DeskFailure(-32700, "Parse error"));
  }
  if (!Array.isArray(message)) return one(suite, methods, message);
  if (message.length === 0) return refused(null, new DeskFailure(-32600, "Invalid Request"));
  const given = message.map((item) => one(suite, methods, item)).filter((item) => item !== undefined);
  return given.length === 0 ? undefined : batch(given);
}

function one(suite: RpcSuite, methods: DeskMethods, message: unknown): unknown {
  const isRequest = isRecord(message) && message["jsonrpc"] === "2.0" && typeof message["method"] === "string";
  const id = isRecord(message) ? message["id"] : null;
  const isId = id === undefined || id === null || typeof id === "string" || typeof id === "number";
  const params = isRecord(message) ? (message["params"] ?? {}) : {};
  if (!isRequest || !isId || typeof params !== "object")
    return refused(isId ? (id ?? null) : null, new DeskFailure(-32600, "Invalid Request"));
  try {
    const result = called(suite, methods, String(message["method"]), params);
    return id === undefined ? undefined : { jsonrpc: "2.0", id, result };
  } catch (error) {
    if (!(error instanceof DeskFailure)) throw error;
    return id === undefined ? undefined : refused(id, error);
  }
}

function called(suite: RpcSuite, methods: DeskMethods, name: string, params: object): unknown {
  const described = suite.operations.find((method) => method.method === name);
  const own = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (described === undefined || own === undefined) throw new DeskFailure(-32601, "Method not found");
  const { parameters } = described;
  if (Array.isArray(params) && params.length > 0) throw new DeskFailure(-32602, "Invalid params");
  const input: DeskInput = Array.isArray(params) ? {} : (params as DeskInput);
  const isKnown = Object.keys(input).every((given) => parameters.some((parameter) => parameter.name === given));
  const isRight = parameters.every((parameter) => {
    const value = input[parameter.name];
    return value === undefined ? !parameter.required : isValueOf(parameter.type, value, suite.types, "request");
  });
  if (!isKnown || !isRight) throw new DeskFailure(-32602, "Invalid params");
  const defaults = Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter.default]));
  return own({ ...defaults, ...input });
}

function refused(id: unknown, { code, message, data }: DeskFailure): unknown {
  return { jsonrpc: "2.0", id, error: { code, message, ...(data === undefined ? {} : { data }) } };
}
