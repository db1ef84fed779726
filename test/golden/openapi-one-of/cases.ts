import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  values: {
    Thing: {
      valid: [9, 10, "a"],
      invalid: [15, 1, true, null],
    },
  },
  calls: [{ call: ["send", { body: 9 }], returns: 9 }],
  requests: [{ request: "POST /things", json: 15, status: 400 }],
};
