import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  values: {
    Thing: {
      valid: [{ a: 1 }, { b: 1 }, { a: 1, b: 1 }, { a: "x", b: 1 }],
      invalid: [{}, { a: "x" }, []],
    },
  },
  calls: [{ call: ["send", { body: { a: 1 } }], returns: { a: 1 } }],
  requests: [{ request: "POST /things", json: {}, status: 400 }],
};
