import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  values: {
    Thing: {
      valid: [{ a: "" }, { a: "x", b: null }],
      invalid: [{}, { a: "x", c: 1 }, { a: "x", b: 1 }, { a: null }],
    },
  },
  calls: [{ call: ["send", { body: { a: "" } }], returns: { a: "" } }],
  requests: [{ request: "POST /things", json: {}, status: 400 }],
};
