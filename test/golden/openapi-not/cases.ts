import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  values: {
    Thing: {
      valid: ["a"],
      invalid: ["", "admin", 1],
    },
  },
  calls: [{ call: ["send", { body: "a" }], returns: "a" }],
  requests: [{ request: "POST /things", json: "", status: 400 }],
};
