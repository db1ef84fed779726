import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  values: {
    Thing: {
      valid: [{}, { first: { a: 1, b: [1] }, second: { a: 2, b: [] } }],
      invalid: [{ first: {} }, { second: { a: 1, b: ["x"] } }],
    },
  },
  calls: [{ call: ["send", { body: { first: { a: 1, b: [] } } }], returns: { first: { a: 1, b: [] } } }],
};
