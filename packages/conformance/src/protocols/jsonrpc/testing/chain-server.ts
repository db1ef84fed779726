import { isRecord } from "@nodewright/api-model";
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { RequestListener } from "node:http";

interface ChainBlock {
  readonly hash: string;
  readonly height: number;
  readonly previousblockhash?: string;
  readonly kind: string;
  readonly transactions: readonly {
    readonly txid: string;
    readonly size: number;
    readonly amounts: readonly number[];
  }[];
}

/** Returns the hash of the block at a height. */
export function hashOf(height: number): string {
  return createHash("sha256").update(`block ${height}`).digest("hex");
}

function blockAt(height: number): ChainBlock {
  const transactions = Array.from({ length: height + 1 }, (_none, index) => ({
    txid: createHash("sha256").update(`transaction ${height} ${index}`).digest("hex"),
    size: 100 + height * 10 + index,
    amounts: [height * 1000 + 500, index],
  }));
  const parent = height === 0 ? {} : { previousblockhash: hashOf(height - 1) };
  return { hash: hashOf(height), height, ...parent, kind: height === 0 ? "genesis" : "usual", transactions };
}

/** A chain of five blocks. */
export const chainBlocks: readonly [ChainBlock, ChainBlock, ...ChainBlock[]] = [
  blockAt(0),
  blockAt(1),
  ...[2, 3, 4].map((height) => blockAt(height)),
];

/** A failure that the server returns as an error object. */
export class ChainFailure extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

type Method = (params: readonly unknown[]) => unknown;

/** Changes of a conforming server, into a faulty or another conforming one. */
export interface ChainFault {
  /** Replaces a method's result; `right` returns the original. `call` counts the calls of the method. */
  readonly result?: (method: string, params: readonly unknown[], right: () => unknown, call: number) => unknown;
  /** Replaces a response object. */
  readonly response?: (right: Readonly<Record<string, unknown>>, request: unknown) => unknown;
  /** Replaces the response to a batch. */
  readonly batch?: (right: readonly unknown[]) => unknown;
  /** Replaces the HTTP response. */
  readonly httpResponse?: (right: HttpResponse, text: string) => HttpResponse;
  readonly names?: Readonly<Record<string, readonly string[]>>;
}

interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const parameterNames: Readonly<Record<string, readonly string[]>> = {
  getblockcount: [],
  getblockhash: ["height"],
  getblock: ["blockhash", "verbosity"],
  gettransaction: ["txid"],
  listblockhashes: ["limit", "order"],
};

const methods: Readonly<Record<string, Method>> = {
  getblockcount: () => chainBlocks.length - 1,
  getblockhash: ([height]) => found(chainBlocks[integer(height, 0, 2 ** 31 - 1)]).hash,
  getblock: ([blockhash, verbosity = 1]) => {
    const wanted = integer(verbosity, 0, 2);
    const block = found(chainBlocks.find(({ hash }) => hash === hashText(blockhash)));
    const { transactions, ...rest } = block;
    if (wanted === 0) return "01".repeat(block.height + 1);
    return { ...rest, tx: wanted === 1 ? transactions.map(({ txid }) => txid) : transactions };
  },
  gettransaction: ([txid]) => {
    const wanted = hashText(txid);
    return found(chainBlocks.flatMap(({ transactions }) => transactions).find((one) => one.txid === wanted));
  },
  listblockhashes: ([limit = 3, order = "up"]) => {
    if (order !== "up" && order !== "down") throw new ChainFailure(-32602, "Invalid params");
    const hashes = chainBlocks.map(({ hash }) => hash);
    return (order === "up" ? hashes : hashes.toReversed()).slice(0, integer(limit, 1, 5));
  },
};

/** Serves the chain, with or without a fault. */
export function chainListener(fault: ChainFault = {}): RequestListener {
  const calls = new Map<string, number>();
  return async (request, response) => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    const right =
      request.method === "POST"
        ? responseText(text, fault, calls)
        : { status: 405, headers: { allow: "POST" }, body: "" };
    const { status, headers, body } = fault.httpResponse?.(right, text) ?? right;
    const isGzip = String(request.headers["accept-encoding"]).includes("gzip") && body.length > 0;
    response.writeHead(status, { ...headers, ...(isGzip ? { "content-encoding": "gzip" } : {}) });
    response.end(isGzip ? gzipSync(body) : body);
  };
}

function responseText(text: string, fault: ChainFault, calls: Map<string, number>): HttpResponse {
  const value = parse(text);
  if (value === undefined) return jsonResponse(respond(errorResponse(null, -32700, "Parse error"), undefined, fault));
  if (!Array.isArray(value)) {
    const single = call(value, fault, calls);
    return single === undefined ? { status: 204, headers: {}, body: "" } : jsonResponse(single);
  }
  if (value.length === 0)
    return jsonResponse(respond(errorResponse(null, -32600, "Invalid Request"), undefined, fault));
  const responses = value.map((one) => call(one, fault, calls)).filter((one) => one !== undefined);
  if (responses.length === 0) return { status: 204, headers: {}, body: "" };
  return jsonResponse(fault.batch === undefined ? responses : fault.batch(responses));
}

function call(request: unknown, fault: ChainFault, calls: Map<string, number>): unknown {
  if (!isRecord(request)) return respond(errorResponse(null, -32600, "Invalid Request"), request, fault);
  const { jsonrpc, id, method, params = [] } = request;
  const isId = id === undefined || id === null || typeof id === "string" || typeof id === "number";
  const isParams = Array.isArray(params) || isRecord(params);
  if (jsonrpc !== "2.0" || typeof method !== "string" || !isId || !isParams) {
    return respond(errorResponse(isId ? (id ?? null) : null, -32600, "Invalid Request"), request, fault);
  }
  const httpResponse = outcome(method, params, fault, calls);
  return id === undefined ? undefined : respond({ jsonrpc: "2.0", ...httpResponse, id }, request, fault);
}

function outcome(
  method: string,
  params: readonly unknown[] | Readonly<Record<string, unknown>>,
  fault: ChainFault,
  calls: Map<string, number>,
): Readonly<Record<string, unknown>> {
  const names = Object.hasOwn(parameterNames, method) ? parameterNames[method] : undefined;
  const own = methods[method];
  if (names === undefined || own === undefined) return { error: { code: -32601, message: "Method not found" } };
  const count = (calls.get(method) ?? 0) + 1;
  calls.set(method, count);
  try {
    const positional = positionalOf(names, params);
    const right = (): unknown => own(positional);
    return { result: fault.result === undefined ? right() : fault.result(method, positional, right, count) };
  } catch (error) {
    if (!(error instanceof ChainFailure)) throw error;
    return { error: { code: error.code, message: error.message } };
  }
}

function positionalOf(
  names: readonly string[],
  params: readonly unknown[] | Readonly<Record<string, unknown>>,
): readonly unknown[] {
  if (Array.isArray(params)) {
    if (params.length > names.length) throw new ChainFailure(-32602, "Invalid params");
    return params;
  }
  const named = params as Readonly<Record<string, unknown>>;
  if (Object.keys(named).some((name) => !names.includes(name))) throw new ChainFailure(-32602, "Invalid params");
  return names.map((name) => named[name]);
}

function respond(right: Readonly<Record<string, unknown>>, request: unknown, { response }: ChainFault): unknown {
  return response === undefined ? right : response(right, request);
}

function errorResponse(id: unknown, code: number, message: string): Readonly<Record<string, unknown>> {
  return { jsonrpc: "2.0", error: { code, message }, id };
}

function jsonResponse(value: unknown): HttpResponse {
  return { status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(value) };
}

function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new ChainFailure(-5, "Not found");
  return value;
}

function integer(value: unknown, minimum: number, maximum: number): number {
  if (!Number.isInteger(value) || Number(value) < minimum || Number(value) > maximum) {
    throw new ChainFailure(-32602, "Invalid params");
  }
  return Number(value);
}

function hashText(value: unknown): string {
  if (typeof value !== "string" || !/^[0-9a-f]{64}$/.test(value)) throw new ChainFailure(-32602, "Invalid params");
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
