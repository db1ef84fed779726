import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  values: {
    Thing: {
      valid: [{ total: "x", a: 1 }, {}, { a: 0 }],
      invalid: [{ total: 1 }, { a: "x" }, []],
    },
  },
  calls: [{ call: ["send", { body: { total: "x", a: 1 } }], returns: { total: "x", a: 1 } }],
  requests: [{ request: "POST /things", json: { total: 1 }, status: 400 }],
};
