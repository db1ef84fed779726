import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  values: {
    Thing: {
      valid: [["a", 1], ["a"]],
      invalid: [[], [1], ["a", "b"], ["a", 1, 2]],
    },
  },
  calls: [{ call: ["send", { body: ["a", 1] }], returns: ["a", 1] }],
  requests: [{ request: "POST /things", json: [], status: 400 }],
};
