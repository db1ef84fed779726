import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { count: () => 1, add: ({ by, twice }) => (twice === true ? 2 * by : by) },
  calls: [
    { call: ["add", { by: 2 }], received: ["add", { by: 2 }], returns: { add: 2 } },
    { call: ["add", { by: 2, twice: true }], returns: { add: 4 } },
  ],
  requests: [
    { request: "POST /", json: { query: "mutation { add }" }, status: 400 },
    { request: "POST /", json: { query: "{ count }" }, status: 200, response: '{"data":{"count":1}}' },
  ],
};
