import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { add: ({ a, b }) => a + b },
  calls: [{ call: ["add", { a: 1, b: 2 }], returns: 3 }],
  requests: [
    { request: "POST /", json: { jsonrpc: "2.0", method: "add", params: [1, 2] }, status: 204 },
    {
      request: "POST /",
      json: [
        { jsonrpc: "2.0", id: 1, method: "add", params: [1, 2] },
        { jsonrpc: "2.0", method: "add", params: [1, 2] },
        { jsonrpc: "2.0", id: 2, method: "add", params: [3, 4] },
      ],
      status: 200,
      response: '[{"jsonrpc":"2.0","result":3,"id":1},{"jsonrpc":"2.0","result":7,"id":2}]',
    },
    { request: "POST /", json: [], status: 200, includes: "-32600" },
  ],
};
