import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  values: {
    Thing: {
      valid: [
        { a: 1, b: 5, c: 0.3 },
        { a: 1.999, b: 10, c: 0 },
      ],
      invalid: [{ a: 2 }, { a: 0.999 }, { b: 0 }, { b: 15 }, { b: 4 }, { b: 5.5 }, { c: 0.25 }],
    },
  },
  calls: [{ call: ["send", { body: { a: 1, b: 5, c: 0.3 } }], returns: { a: 1, b: 5, c: 0.3 } }],
  requests: [{ request: "POST /things", json: { a: 2 }, status: 400 }],
};
