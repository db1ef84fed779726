import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  values: {
    Thing: {
      valid: ["ab", "😀😀😀"],
      invalid: ["", "a", "😀", "abcd", 1],
    },
  },
  calls: [{ call: ["send", { body: "ab" }], returns: "ab" }],
  requests: [{ request: "POST /things", json: "", status: 400 }],
};
