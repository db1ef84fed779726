import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  values: {
    Thing: {
      valid: [{ value: { a: "x" } }, { value: { b: "x" } }],
      invalid: [{ value: { a: "x", b: "y" } }, { value: {} }, {}],
    },
  },
  calls: [{ call: ["send", { body: { value: { a: "x" } } }], returns: { value: { a: "x" } } }],
};
