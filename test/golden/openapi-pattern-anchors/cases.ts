import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  values: {
    Thing: {
      valid: [{ within: "abc", start: "bc", either: "bc", some: "aab" }],
      invalid: [{ within: "" }, { start: "ab" }, { start: "" }, { either: "abc" }, { either: "" }, { some: "b" }],
    },
  },
  calls: [
    {
      call: ["send", { body: { within: "abc", start: "bc", either: "bc", some: "aab" } }],
      returns: { within: "abc", start: "bc", either: "bc", some: "aab" },
    },
  ],
  requests: [{ request: "POST /things", json: { within: "" }, status: 400 }],
};
