import { decodeBitcoinAmount, encodeBitcoinAmount } from "../operations/codec.ts";
import { type HttpOperation, noValue, type RpcOperation, type ValueFacts } from "../operations/operation.ts";
import type { Violation } from "../errors/violation.ts";

// Operation tables as the generator would write them, small enough to be readable. For tests only.

type Check = readonly [property: string, isRight: (value: unknown) => boolean, required: boolean];

const extensions = { disabledByDefault: false, nodeControl: false, units: 1 };

/** Returns the facts of a record whose members are checked one by one. */
export function recordFacts(...checks: readonly Check[]): ValueFacts<Readonly<Record<string, unknown>>> {
  const violationsOf = (wire: unknown, pointer = ""): readonly Violation[] => {
    const record = (typeof wire === "object" && wire !== null ? wire : {}) as Readonly<Record<string, unknown>>;
    return checks.flatMap(([property, isRight, required]): Violation[] => {
      const value = record[property];
      if (value === undefined) {
        return required ? [{ pointer, keyword: "required", message: `must have the member ${property}` }] : [];
      }
      return isRight(value)
        ? []
        : [{ pointer: `${pointer}/${property}`, keyword: "type", message: "has the wrong type" }];
    });
  };
  return { is: (wire) => violationsOf(wire).length === 0, violationsOf };
}

function valueFacts(isRight: (value: unknown) => boolean): ValueFacts<unknown> {
  const violation = (pointer: string): Violation => ({ pointer, keyword: "type", message: "has the wrong type" });
  return { is: isRight, violationsOf: (wire, pointer = "") => (isRight(wire) ? [] : [violation(pointer)]) };
}

const isString = (value: unknown): boolean => typeof value === "string";
const isNumber = (value: unknown): boolean => typeof value === "number";
const isHash = (value: unknown): boolean => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);

const amountFacts: ValueFacts<bigint> = {
  ...valueFacts((value) => typeof value === "number" || typeof value === "bigint"),
  decode: decodeBitcoinAmount,
  encode: (value) => encodeBitcoinAmount(value),
};

/** Returns an operation that accepts and returns anything; its successes are JSON where nothing else is given. */
export function restOperation(
  facts: Pick<HttpOperation, "name" | "method" | "path"> & Partial<HttpOperation>,
): HttpOperation {
  return {
    kind: "http",
    origin: `${facts.method} ${facts.path}`,
    tags: [],
    parameters: [],
    successes: [{ status: 200, content: { mediaType: "application/json", form: "json" }, headers: [] }],
    failures: [],
    returns: "body",
    extensions,
    idempotent: facts.method === "GET",
    input: recordFacts(),
    output: valueFacts(() => true),
    ...facts,
  };
}

const text = { mediaType: "text/plain", form: "text" } as const;

export const restOperations = {
  getTransaction: restOperation({
    name: "getTransaction",
    method: "GET",
    path: "/tx/{txid}",
    parameters: [
      { name: "txid", property: "txid", location: "path", required: true, invalidMessage: "Invalid hex string" },
    ],
    successes: [
      {
        status: 200,
        content: { mediaType: "application/json", form: "json" },
        headers: [
          { name: "cache-control", property: "cacheControl", required: true },
          { name: "etag", property: "eTag", required: false },
        ],
      },
    ],
    failures: [
      { name: "NotFound", status: 404 },
      { name: "Unexpected", status: "default" },
    ],
    returns: "reply",
    input: recordFacts(["txid", isHash, true]),
    output: recordFacts(["txid", isHash, true]),
  }),
  getOutspend: restOperation({
    name: "getOutspend",
    method: "GET",
    path: "/tx/{id}/outspend/{vout}",
    parameters: [
      { name: "id", property: "id", location: "path", required: true },
      { name: "vout", property: "vout", location: "path", required: true, decoding: "number" },
      {
        name: "include",
        property: "include",
        location: "query",
        required: false,
        decoding: { list: "string" },
        explode: false,
      },
      { name: "pretty", property: "pretty", location: "query", required: false, decoding: "boolean", default: false },
      { name: "X-Trace", property: "trace", location: "header", required: false },
      { name: "session", property: "session", location: "cookie", required: false },
    ],
    input: recordFacts(
      ["id", isHash, true],
      ["vout", isNumber, true],
      ["pretty", (value) => typeof value === "boolean", true],
    ),
  }),
  getHeight: restOperation({
    name: "getHeight",
    method: "GET",
    path: "/height",
    successes: [{ status: 200, content: { ...text, decoding: "number" }, headers: [] }],
    output: valueFacts(isNumber),
  }),
  getRaw: restOperation({
    name: "getRaw",
    method: "GET",
    path: "/raw",
    successes: [{ status: 200, content: { mediaType: "application/octet-stream", form: "binary" }, headers: [] }],
  }),
  getList: restOperation({
    name: "getList",
    method: "GET",
    path: "/list/{owner}",
    parameters: [{ name: "owner", property: "owner", location: "path", required: true }],
    input: recordFacts(["owner", isString, true]),
    output: valueFacts(Array.isArray),
    next: { operation: "getListAfter", inputs: { owner: "$request.path.owner", after: "$response.body#/1/id" } },
  }),
  getListAfter: restOperation({
    name: "getListAfter",
    method: "GET",
    path: "/list/{owner}/{after}",
    parameters: [
      { name: "owner", property: "owner", location: "path", required: true },
      { name: "after", property: "after", location: "path", required: true },
    ],
    input: recordFacts(["owner", isString, true], ["after", isString, true]),
    output: valueFacts(Array.isArray),
    next: { operation: "getListAfter", inputs: { owner: "$request.path.owner", after: "$response.body#/1/id" } },
  }),
  broadcast: restOperation({
    name: "broadcast",
    method: "POST",
    path: "/tx",
    body: { required: true, contents: [text] },
    successes: [{ status: 200, content: text, headers: [] }],
    input: recordFacts(["body", isString, true]),
  }),
  createNote: restOperation({
    name: "createNote",
    method: "PUT",
    path: "/note",
    body: { required: true, contents: [{ mediaType: "application/json", form: "json" }] },
    successes: [{ status: 201, headers: [] }],
    input: recordFacts(["body", (value) => typeof value === "object", true]),
    output: noValue,
    idempotent: true,
  }),
  getBalance: restOperation({ name: "getBalance", method: "GET", path: "/balance", output: amountFacts }),
} as const;

function rpcOperation(facts: Pick<RpcOperation, "name"> & Partial<RpcOperation>): RpcOperation {
  return {
    kind: "rpc",
    origin: facts.name,
    method: facts.name,
    tags: [],
    parameters: [],
    failures: [],
    extensions,
    idempotent: true,
    input: recordFacts(),
    output: valueFacts(() => true),
    ...facts,
  };
}

export const rpcOperations = {
  getblockhash: rpcOperation({
    name: "getblockhash",
    parameters: [
      { name: "height", property: "height", location: "argument", required: true },
      { name: "verbose", property: "verbose", location: "argument", required: false, default: true },
      { name: "note", property: "note", location: "argument", required: false, nullable: true },
    ],
    failures: [{ name: "BlockNotFound", rpcCode: -5 }],
    input: recordFacts(["height", isNumber, true]),
  }),
  getbalance: rpcOperation({ name: "getbalance", output: amountFacts }),
  missing: rpcOperation({ name: "missing" }),
  send: rpcOperation({ name: "send", idempotent: false }),
} as const;
