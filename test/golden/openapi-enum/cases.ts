import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  values: {
    Thing: {
      valid: [{ size: null, name: "" }, { size: 1, any: [1] }, { any: { a: 1 } }, { any: true }],
      invalid: [{ size: 3 }, { size: "1" }, { name: "c" }, { name: null }, { any: [2] }, { any: {} }, { any: false }],
    },
  },
  calls: [{ call: ["send", { body: { size: null, name: "" } }], returns: { size: null, name: "" } }],
  requests: [{ request: "POST /things", json: { size: 3 }, status: 400 }],
};
