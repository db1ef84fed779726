import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  values: {
    Thing: {
      valid: [{ a: "" }, { a: "x", b: null, empty: {} }],
      invalid: [{}, { a: "x", c: 1 }, { a: "x", b: 1 }, { a: null }, { a: "x", empty: { d: 1 } }],
    },
    RequiredOnly: { valid: [{ a: null, b: 1 }], invalid: [{ b: 1 }, { a: 1 }, { a: 1, b: 2, c: 3 }] },
    PatternsOnly: { valid: [{}, { "x-a": 1 }], invalid: [{ "x-a": "1" }, { a: 1 }] },
    NameOfPrototype: { valid: [{}, { a: 1 }], invalid: [{ d: 1 }, { a: 1, d: 1 }] },
  },
  calls: [{ call: ["send", { body: { a: "" } }], returns: { a: "" } }],
  requests: [{ request: "POST /things", json: {}, status: 400 }],
};
