import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  values: {
    Thing: {
      valid: [{ a: 1, b: 2 }, { c: 1 }, { a: 2, c: 1 }],
      invalid: [{ a: 1 }, { a: 1, c: 1 }, {}, { a: 2, b: 1 }],
    },
  },
  calls: [{ call: ["send", { body: { a: 1, b: 2 } }], returns: { a: 1, b: 2 } }],
  requests: [{ request: "POST /things", json: { a: 1 }, status: 400 }],
};
