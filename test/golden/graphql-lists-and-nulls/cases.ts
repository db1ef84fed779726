import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { rows: ({ of }) => (of.length === 0 ? null : [of, [null]]) },
  calls: [
    { call: ["rows", { of: [1, 2] }], returns: { rows: [[1, 2], [null]] } },
    { call: ["rows", { of: [] }], returns: { rows: null } },
  ],
  requests: [
    {
      request: "POST /",
      json: { query: "query ($of: [Int!]!) { rows(of: $of) }", variables: { of: [null] } },
      status: 400,
    },
  ],
};
