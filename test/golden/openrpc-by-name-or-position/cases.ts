import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { add: ({ a, b }) => a + b },
  calls: [{ call: ["add", { a: 1, b: 2 }], received: ["add", { a: 1, b: 2 }], returns: 3 }],
  requests: [
    {
      request: "POST /",
      json: { jsonrpc: "2.0", id: 1, method: "add", params: [1, 2] },
      status: 200,
      response: '{"jsonrpc":"2.0","result":3,"id":1}',
    },
    {
      request: "POST /",
      json: { jsonrpc: "2.0", id: 1, method: "add", params: { b: 2, a: 1 } },
      status: 200,
      response: '{"jsonrpc":"2.0","result":3,"id":1}',
    },
    { request: "POST /", json: { jsonrpc: "2.0", id: 1, method: "add", params: [1] }, status: 200, includes: "-32602" },
    {
      request: "POST /",
      json: { jsonrpc: "2.0", id: 1, method: "add", params: { a: 1 } },
      status: 200,
      includes: "-32602",
    },
    {
      request: "POST /",
      json: { jsonrpc: "2.0", id: 1, method: "add", params: { a: 1, b: 2, c: 3 } },
      status: 200,
      includes: "-32602",
    },
  ],
};
