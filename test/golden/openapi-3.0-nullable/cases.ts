import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  calls: [{ call: ["send", { body: { a: null } }], returns: { a: null } }],
  requests: [{ request: "POST /things", json: { a: "x", b: 0 }, status: 400 }],
  values: {
    Thing: { valid: [{ a: null }, { a: "", b: 1 }], invalid: [{}, { a: 1 }, { a: "", b: null }, { a: "", b: 0 }] },
  },
};
