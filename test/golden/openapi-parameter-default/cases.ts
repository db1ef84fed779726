import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { list: ({ limit = 10 }) => limit },
  calls: [
    { call: ["list", { order: "up" }], returns: 10 },
    { call: ["list", { order: "down", limit: 3 }], received: ["list", { order: "down", limit: 3 }], returns: 3 },
  ],
  requests: [{ request: "GET /things?order=up&limit=0", status: 400 }],
  values: {
    ListInput: {
      valid: [{ order: "up" }, { order: "up", limit: 1 }],
      invalid: [{ order: "left" }, { order: "up", limit: 0 }],
    },
  },
};
