import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { list: ({ count = 5 }) => count },
  calls: [
    { call: ["list", {}], returns: 5 },
    { call: ["list", { count: 2 }], returns: 2 },
  ],
  requests: [
    { request: "POST /", json: { id: 1, method: "list", params: [0] }, status: 200, includes: "-32602" },
    { request: "POST /", json: { id: 1, method: "list" }, status: 200, includes: '"result":5' },
  ],
  values: { ListInput: { valid: [{}, { count: 1 }], invalid: [{ count: 0 }, { count: "1" }] } },
};
