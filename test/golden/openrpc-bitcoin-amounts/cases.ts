import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { getbalance: ({ minimum = 0n }) => ({ total: minimum + 1n, outputs: 18446744073709551615n }) },
  calls: [
    {
      call: ["getbalance", { address: "a", minimum: 100_000_000n }],
      received: ["getbalance", { address: "a", minimum: 100_000_000n }],
      returns: { total: 100_000_001n, outputs: 18446744073709551615n },
    },
    { call: ["getbalance", { address: "a" }], returns: { total: 1n, outputs: 18446744073709551615n } },
  ],
  requests: [
    {
      request: "POST /",
      text: '{"id":1,"method":"getbalance","params":["a",0.1]}',
      status: 200,
      includes: '{"total":0.10000001,"outputs":18446744073709551615}',
    },
    { request: "POST /", text: '{"id":1,"method":"getbalance","params":["a","0.1"]}', status: 200, includes: "-32602" },
    { request: "POST /", text: '{"id":1,"method":"getbalance","params":[]}', status: 200, includes: "-32602" },
  ],
  values: {
    Balance: {
      valid: [
        { total: 0, outputs: 0 },
        { total: 21000000, outputs: 1, parts: [{ total: 1, outputs: 2 }] },
      ],
      invalid: [
        { total: -1, outputs: 0 },
        { total: 21000001, outputs: 0 },
        { total: 0 },
        { total: 0, outputs: 0, other: 1 },
      ],
    },
  },
};
