import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  values: {
    Thing: {
      valid: [null, { a: null }, { a: "b", inner: [null, { a: "c" }] }, { a: "b", inner: null }],
      invalid: [{}, { a: 1 }, { a: "b", inner: [1] }, { a: "b", inner: {} }],
    },
  },
  calls: [
    { call: ["send", { body: null }], returns: null },
    { call: ["send", { body: { a: null } }], returns: { a: null } },
  ],
};
