import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  values: {
    Thing: {
      valid: [{ a: 1 }, { a: 1, b: 2, "x-c": null }],
      invalid: [{ b: 2 }, { a: 1, c: 3 }, { a: 1, b: "2" }, []],
    },
    Chosen: {
      valid: [{ a: 1 }, { b: 1, kind: "k" }, { a: 1, more: true }, { a: 1, b: 2 }],
      invalid: [{}, { a: 1, b: "x" }, { a: 1, more: 1 }],
    },
    Conditional: {
      valid: [{ a: 1, b: 2 }, { a: 2, c: 3 }, {}],
      invalid: [{ a: 1, c: 3 }, { a: 2, b: 2 }, { b: 2 }, 1],
    },
    Dependent: { valid: [{}, { a: 1, b: 2 }], invalid: [{ b: 2 }, { a: 1, b: "2" }, { a: 1, c: 1 }] },
    Referring: { valid: [{ a: 1 }], invalid: [{}, { a: 1, other: 1 }] },
    Nested: { valid: [{}, { inner: { a: 1 } }], invalid: [{ inner: {} }, { other: 1 }, { n: "x" }] },
  },
  calls: [{ call: ["send", { body: { a: 1, b: 2 } }], returns: { a: 1, b: 2 } }],
};
