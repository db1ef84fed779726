import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { block: ({ number }) => ({ number: number ?? "0x7", transactions: [{ hash: "a", block: null }] }) },
  calls: [
    {
      call: ["block", { number: "0x1" }],
      received: ["block", { number: "0x1" }],
      returns: { block: { number: "0x1", transactions: [{ hash: "a" }] } },
    },
    { call: ["block", {}], returns: { block: { number: "0x7", transactions: [{ hash: "a" }] } } },
  ],
  requests: [
    { request: "POST /", json: { query: "{ block { transactions } }" }, status: 400 },
    { request: "POST /", json: { query: "{ block { none } }" }, status: 400, includes: "none" },
  ],
};
