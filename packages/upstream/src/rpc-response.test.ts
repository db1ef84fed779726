import { describe, expect, it } from "vitest";
import { isLeftOutForLength, readResponse, readBatchResponse, malformedResponse } from "./rpc-response.ts";
import type { UpstreamResult } from "./upstream.ts";
import { isUpstreamFailure } from "./upstream-failure.ts";
import { isUpstreamRpcError, UpstreamRpcError } from "./upstream-rpc-error.ts";

/** Returns the result, or the message in its place; the node's own errors with code and data. */
function outcomeOf(result: UpstreamResult): unknown {
  if (result.ok) return { result: result.result };
  const { error } = result;
  if (isUpstreamRpcError(error)) return { code: error.code, message: error.message, data: error.data };
  expect(isUpstreamFailure(error) && [error.kind, error.mayHaveArrived]).toEqual(["unusable", true]);
  return error.message;
}

const unusable = (what: string): string => `The node's response ${what}`;

describe("the response to a call", () => {
  it.each<[response: unknown, outcome: unknown]>([
    [{ id: 7, result: 1 }, { result: 1 }],
    [{ id: 7, result: null, error: null }, { result: null }],
    [{ id: 7, result: undefined }, { result: undefined }],
    [
      { id: 7, result: 1, error: { code: 3, message: "no", data: [] } },
      { code: 3, message: "no", data: [] },
    ],
    [
      { id: null, error: { code: 3, message: 5 } },
      { code: 3, message: "", data: undefined },
    ],
    [{ id: null, result: 1 }, unusable("belongs to another call")],
    [{ id: null, error: "no" }, unusable("belongs to another call")],
    [{ id: 8, result: 1 }, unusable("belongs to another call")],
    [{ id: 8, error: { code: 3 } }, unusable("belongs to another call")],
    [{ result: 1 }, unusable("belongs to another call")],
    [{ id: 7 }, unusable("has neither a result nor an error")],
    [{ id: 7, error: null }, unusable("has neither a result nor an error")],
    [{ id: 7, error: "no" }, unusable("has an error that is not an object")],
    [{ id: 7, error: [] }, unusable("has an error that is not an object")],
    [{ id: 7, error: { code: "3" } }, unusable("has an error without a code")],
    ["text", unusable("is not a JSON-RPC response")],
    [null, unusable("is not a JSON-RPC response")],
    [[{ id: 7, result: 1 }], unusable("is not a JSON-RPC response")],
  ])("%j gives %j", (response, outcome) => expect(outcomeOf(readResponse(response, 7))).toEqual(outcome));
});

describe("the response to a batch", () => {
  const left = unusable("to a batch leaves out a call");
  const otherIds = unusable("to a batch has ids that are not those of the calls");

  it.each<[response: readonly unknown[], outcomes: readonly unknown[]]>([
    [
      [
        { id: 8, result: "b" },
        { id: 7, result: "a" },
      ],
      [{ result: "a" }, { result: "b" }],
    ],
    [[], [left, left]],
    [[{ id: 7, result: "a" }], [{ result: "a" }, left]],
    [[{ id: 8, result: "b" }], [left, { result: "b" }]],
    [["text"], [left, left]],
    [
      [null, { id: 7, result: "a" }],
      [{ result: "a" }, left],
    ],
    // Unknown ids, at either end and between.
    [
      [
        { id: 7, result: "a" },
        { id: 6, result: "?" },
      ],
      [{ result: "a" }, left],
    ],
    [
      [
        { id: 7, result: "a" },
        { id: 9, result: "?" },
      ],
      [{ result: "a" }, left],
    ],
    [
      [
        { id: 7, result: "a" },
        { id: 7.5, result: "?" },
      ],
      [{ result: "a" }, left],
    ],
    [
      [
        { id: 7, result: "a" },
        { id: "8", result: "b" },
      ],
      [{ result: "a" }, otherIds],
    ],
    [
      [
        { id: 7, result: "a" },
        { id: null, error: { code: 3, message: "no" } },
      ],
      [{ result: "a" }, otherIds],
    ],
    [
      [
        { id: 7, result: "a" },
        { id: 8, result: "b" },
        { id: 8, result: "b" },
      ],
      [{ result: "a" }, unusable("to a batch has two responses to one call")],
    ],
    [
      [{ id: 7 }, { id: 8, error: { code: 3, message: "no" } }],
      [unusable("has neither a result nor an error"), { code: 3, message: "no", data: undefined }],
    ],
  ])("%j is that of each call: %j", (response, outcomes) => {
    const read = readBatchResponse(response, 7, 2);
    expect(read.kind === "results" && read.results.map(outcomeOf)).toEqual(outcomes);
  });

  const refusal = (code: number, message: string, data?: unknown) => ({ id: null, error: { code, message, data } });

  it.each<[what: string, error: unknown, limit: number | undefined]>([
    ["geth", refusal(-32_600, "batch too large"), undefined],
    ["a parser", refusal(-32_700, "Parse error"), undefined],
    ["jsonrpsee", refusal(-32_010, "too big", "Exceeded max limit of 50"), 50],
    ["Besu", refusal(-32_005, "Number of requests exceeds max batch size"), undefined],
    ["Nethermind", refusal(-32_005, "Batch size limit exceeded"), undefined],
    ["a provider", refusal(-32_000, "batch limit 20 exceeded", "limit 30"), 20],
    ["a provider", refusal(-32_000, "Maximum batch size: 1000"), 1_000],
    ["a provider", refusal(-32_000, "batch maximum (of calls) is 5"), 5],
    ["a provider", refusal(-32_600, "unlimited 20"), undefined],
    ["a provider", refusal(-32_600, "limit 1234567"), undefined],
    ["a provider", refusal(-32_600, "no", 20), undefined],
  ])("is a refusal of %s: %j with the limit %j", (_what, error, limit) => {
    expect(readBatchResponse(error, 7, 2)).toEqual({ kind: "refused", limit });
    expect(readBatchResponse([error], 7, 2)).toEqual({ kind: "refused", limit });
  });

  it.each<[response: unknown, outcome: unknown]>([
    [refusal(-32_005, "limit exceeded"), { code: -32_005, message: "limit exceeded", data: undefined }],
    [refusal(-32_000, "a combatch"), { code: -32_000, message: "a combatch", data: undefined }],
    [[refusal(-32_000, "no")], { code: -32_000, message: "no", data: undefined }],
    [{ error: { code: "3" } }, unusable("has an error without a code")],
    [{ id: 7, result: 1 }, unusable("to a batch is not an array")],
    [{ error: "no" }, unusable("to a batch is not an array")],
    [17, unusable("to a batch is not an array")],
  ])("may be one for all: %j gives %j", (response, outcome) => {
    const read = readBatchResponse(response, 7, 2);
    expect(read.kind === "one" && outcomeOf(read.result)).toEqual(outcome);
  });
});

it("a member that was left out for the length of the others is known by code and message", () => {
  const failed = (code: number, message: string): UpstreamResult => ({
    ok: false,
    error: new UpstreamRpcError(code, message),
  });
  expect(isLeftOutForLength(failed(-32_003, "response too large"))).toBe(true);
  expect(isLeftOutForLength(failed(-32_003, "Response too large (1 of 2)"))).toBe(true);
  const others: (UpstreamResult | undefined)[] = [
    failed(-32_000, "response too large"),
    failed(-32_003, "transaction rejected"),
    { ok: false, error: malformedResponse("response too large") },
    { ok: true, result: "response too large" },
    undefined,
  ];
  expect(others.map(isLeftOutForLength)).toEqual([false, false, false, false, false]);
});
