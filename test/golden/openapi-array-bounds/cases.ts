import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  values: {
    Thing: {
      valid: [[1], [2, 3, 1]],
      invalid: [[], [1, 1], [1, 2, 3, 4], [2], ["1"]],
    },
  },
  calls: [{ call: ["send", { body: [1] }], returns: [1] }],
  requests: [{ request: "POST /things", json: [], status: 400 }],
};
