import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  values: {
    Thing: { valid: [{}, { b: 1 }, { a: 1, b: 2, c: 3 }], invalid: [{ a: 1 }, { a: 1, b: 2 }] },
    Excluding: { valid: [{}, { b: 1 }, { c: 1 }], invalid: [{ a: 1 }, { c: 1, b: "x" }] },
  },
  calls: [{ call: ["send", { body: { a: 1, b: 2, c: 3 } }], returns: { a: 1, b: 2, c: 3 } }],
};
