import { describe, expect, test } from "vitest";
import type { ReceivedResponse } from "../contract/exchange.ts";
import { graphqlOffer, httpOffer, rpcOffer } from "./offer.ts";

function response(value: unknown, status = 200): ReceivedResponse {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return { status, headers: new Map(), bytes: Buffer.from(text), text, isCut: false, milliseconds: 1 };
}

function failure(code: number, message: string, data?: unknown): ReceivedResponse {
  return response({ jsonrpc: "2.0", id: 1, error: { code, message, ...(data === undefined ? {} : { data }) } });
}

describe("a method of JSON-RPC", () => {
  test.each([
    [-32601, "Method not found", "missing"],
    [-32601, "the method trace_block does not exist/is not available", "missing"],
    [-32601, "", "missing"],
    [-1, "Command unimplemented", "missing"],
    [-1, "This implementation does not implement wallet commands", "missing"],
    [-32000, "this method is not implemented", "missing"],
    [-32004, "Method not supported", "missing"],
    [-32601, "method debug_traceBlock is disabled", "disabled"],
    [-32601, "This method is not available on your plan", "disabled"],
    [-32612, "whatever", "disabled"],
    [-32001, "trace_block is not whitelisted", "disabled"],
    [-32000, "missing trie node 1f3a (path ) state 0x1 is not available", "needs archive"],
    [-1, "Block not available (pruned data)", "needs archive"],
    [-32000, "historical state 0x12 is not available", "needs archive"],
    [-32602, "invalid argument 0: hex string without 0x prefix", "available"],
    [-5, "Block not found", "available"],
    [-32601, "Block 7 was lost", "available"],
    [-32001, "Resource not found", "available"],
    [-8, "Block height out of range", "available"],
  ])("that answers %i %j is %s", (code, message, availability) => {
    expect(rpcOffer(failure(code, message))?.availability).toBe(availability);
  });

  test("that answers a result is there, one that answers nothing readable may be", () => {
    expect(rpcOffer(response({ result: null, error: null, id: 1 }))?.availability).toBe("available");
    expect(rpcOffer(response("oops"))).toBeUndefined();
    expect(rpcOffer(response("x".repeat(100_000)))?.availability).toBe("available");
    expect(rpcOffer(failure(-32601, "Method not found", { reason: "not-implemented" }))?.availability).toBe("missing");
  });
});

describe("an operation of HTTP", () => {
  const json = JSON.stringify({ id: 7, name: "Rex", note: "x".repeat(5_000) });

  test.each([
    [200, {}, json, "available"],
    [404, {}, "{}", "available"],
    [501, {}, "", "missing"],
    [501, {}, '{"error":"not implemented"}', "missing"],
    [405, { allow: "GET" }, "", "missing"],
    [403, {}, "This endpoint is disabled on your plan", "disabled"],
    // The body of a success with an error status is a fault, not an operator's decision.
    [501, {}, json, "available"],
    [405, {}, "{}", "available"],
    [403, {}, '{"id":7}', "available"],
    [401, {}, "", undefined],
    [500, {}, "", undefined],
  ])("that answers %i %j is %s", (status, headers, text, availability) => {
    expect(httpOffer(status, new Map(Object.entries(headers)), text)?.availability).toBe(availability);
  });
});

test.each([
  ['{"data":{"block":{"number":"0x1"}}}', "available"],
  ['{ "data": { "chainID": "0x1" }, "errors": [] }', "available"],
  ['{"data":{"syncing":null}}', "available"],
  ['{"data":{"block":null},"errors":[{"message":"boom"}]}', undefined],
  ['{"errors":[{"message":"Cannot query field \\"x\\""}]}', undefined],
  ["<html>", undefined],
])("an answer of GraphQL %s says of its operation %s", (text, availability) => {
  expect(graphqlOffer(text)?.availability).toBe(availability);
});
