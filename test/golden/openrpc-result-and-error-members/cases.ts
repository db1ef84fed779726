import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { add: ({ a, b }) => a + b },
  calls: [{ call: ["add", { a: 1, b: 2 }], returns: 3 }],
  requests: [
    { request: "POST /", json: { id: 1, method: "add", params: [1, 2] }, status: 200, includes: '"error":null' },
    { request: "POST /", json: { id: 1, method: "add", params: [1] }, status: 200, includes: '"result":null' },
  ],
};
