import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ amount }) => amount },
  calls: [
    {
      call: ["send", { amount: 3, day: "2024-01-01" }],
      received: ["send", { amount: 3, day: "2024-01-01" }],
      returns: { send: 3 },
    },
  ],
  values: {
    Amount: { valid: [1, -1], invalid: [1.5, "1", null] },
    Day: { valid: ["2024-01-01"], invalid: ["", "2024-1-1", 1] },
  },
};
