import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { double: ({ count }) => count * 2 },
  values: { Count: { valid: [0, 1], invalid: [-1, 1.5, "1"] } },
  calls: [{ call: ["double", { count: 2 }], received: ["double", { count: 2 }], returns: 4 }],
  requests: [
    {
      request: "POST /",
      json: { jsonrpc: "2.0", id: 1, method: "double", params: [-1] },
      status: 200,
      includes: "-32602",
    },
  ],
};
