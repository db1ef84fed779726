import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { type AnySchema, Ajv, type ValidateFunction } from "ajv";
import { type JSONRPCRequest, JSONRPCServer } from "json-rpc-2.0";

interface DocumentedMethod {
  readonly name: string;
  readonly params: readonly { readonly name: string; readonly required?: boolean; readonly schema: unknown }[];
}

/** A failure that a method documents. */
export class RpcFailure extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export type RpcHandlers = Readonly<Record<string, (params: never) => unknown>>;

/** Serves the methods of an OpenRPC document over HTTP POST, with all parameters held against it. */
export function createRpcListener(document: unknown, handlers: RpcHandlers): RequestListener {
  const { methods } = document as { readonly methods: readonly DocumentedMethod[] };
  const ajv = new Ajv({ strict: false, validateFormats: false });
  ajv.addSchema(document as AnySchema, "document");
  const server = new JSONRPCServer({ errorListener: () => undefined });
  server.mapErrorToJSONRPCErrorResponse = (id, error: unknown) => {
    const known = error instanceof RpcFailure ? error : new RpcFailure(-32603, "Internal error");
    const data = known.data === undefined ? {} : { data: known.data };
    return { jsonrpc: "2.0", id, error: { code: known.code, message: known.message, ...data } };
  };
  for (const method of methods) {
    const checks = method.params.map(({ schema }) => ajv.compile(absolute(schema)));
    server.addMethod(method.name, (given: unknown) => {
      const params = readParams(method, checks, given);
      return handlers[method.name]?.(params as never);
    });
  }
  return (request, response) => void answer(server, request, response);
}

function absolute(schema: unknown): AnySchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"document#')) as AnySchema;
}

function readParams(
  method: DocumentedMethod,
  checks: readonly ValidateFunction[],
  given: unknown,
): Readonly<Record<string, unknown>> {
  const named = byName(method, given);
  const known = new Set(method.params.map(({ name }) => name));
  for (const name of Object.keys(named)) {
    if (!known.has(name)) {
      throw new RpcFailure(-32602, "Invalid params", `${name} is not a parameter`);
    }
  }
  const params: Record<string, unknown> = {};
  method.params.forEach(({ name, required, schema }, index) => {
    const value = named[name];
    if (value === undefined) {
      if (required === true) {
        throw new RpcFailure(-32602, "Invalid params", `${name} is missing`);
      }
      params[name] = (schema as { readonly default?: unknown }).default;
    } else if (checks[index]?.(value) === true) {
      params[name] = value;
    } else {
      throw new RpcFailure(-32602, "Invalid params", `${name} is not valid`);
    }
  });
  return params;
}

function byName(method: DocumentedMethod, given: unknown): Readonly<Record<string, unknown>> {
  if (!Array.isArray(given)) {
    return (given ?? {}) as Readonly<Record<string, unknown>>;
  }
  if (given.length > method.params.length) {
    throw new RpcFailure(-32602, "Invalid params", "too many");
  }
  return Object.fromEntries(given.map((value, index) => [method.params[index]?.name ?? "", value]));
}

async function answer(server: JSONRPCServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== "POST") {
    response.writeHead(405, { Allow: "POST" }).end();
    return;
  }
  if (!/^application\/json\s*(;|$)/i.test(request.headers["content-type"] ?? "")) {
    response.writeHead(415).end();
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
  }
  const result = await answerText(server, Buffer.concat(chunks).toString("utf8"));
  if (result === undefined) {
    response.writeHead(204).end();
    return;
  }
  response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(result));
}

async function answerText(server: JSONRPCServer, text: string): Promise<unknown> {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return failure(-32700, "Parse error");
  }
  if (!Array.isArray(message)) {
    return answerOne(server, message);
  }
  if (message.length === 0) {
    return failure(-32600, "Invalid Request");
  }
  const answers = await Promise.all(message.map((one) => answerOne(server, one)));
  const given = answers.filter((one) => one !== undefined);
  return given.length === 0 ? undefined : given;
}

async function answerOne(server: JSONRPCServer, message: unknown): Promise<unknown> {
  if (!isRequest(message)) {
    return failure(-32600, "Invalid Request");
  }
  const { id, params } = message;
  if (id === undefined) {
    // The library answers nobody; an error must not stop it.
    await server.receive(message as unknown as JSONRPCRequest);
    return undefined;
  }
  if (!server.hasMethod(message.method)) {
    return { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } };
  }
  return server.receive({ jsonrpc: "2.0", id, method: message.method, params });
}

function isRequest(
  message: unknown,
): message is { readonly method: string; readonly id?: string | number | null; readonly params?: unknown } {
  if (typeof message !== "object" || message === null || Array.isArray(message)) {
    return false;
  }
  const { jsonrpc, method, id, params } = message as Readonly<Record<string, unknown>>;
  return (
    jsonrpc === "2.0" &&
    typeof method === "string" &&
    (id === undefined || id === null || typeof id === "string" || typeof id === "number") &&
    (params === undefined || (typeof params === "object" && params !== null))
  );
}

function failure(code: number, message: string): unknown {
  return { jsonrpc: "2.0", id: null, error: { code, message } };
}
