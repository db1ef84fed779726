import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  values: {
    Thing: { valid: ["abc", 1, null, true, [1], { a: 1 }], invalid: ["abcd", 1.5, ["a"], {}, { a: "1" }] },
    Nullable: {
      valid: [null, { a: null }, { a: "b", inner: [null, { a: "c" }] }, { a: "b", inner: null }],
      invalid: [{}, { a: 1 }, { a: "b", inner: [1] }, { a: "b", inner: {} }],
    },
    Overlapping: { valid: [2, 3], invalid: [6, 1, "a"] },
    Several: { valid: ["a", "b", [], [1, 2, 3]], invalid: ["c", [1, 2], 1] },
    Anything: { valid: [1, "a", null], invalid: [] },
    Never: { valid: [], invalid: [1, null] },
    Nested: {
      valid: [{ value: { a: "x" } }, { value: { b: "x" } }],
      invalid: [{ value: { a: "x", b: "y" } }, { value: {} }, {}],
    },
    Values: { valid: [1, "a", null, [1], { a: 1 }, true], invalid: [2, "b", [2], {}, false] },
  },
  calls: [{ call: ["send", { body: { a: 1 } }], returns: { a: 1 } }],
};
