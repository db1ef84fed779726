import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  values: {
    Thing: {
      valid: [
        {},
        { only: "ab", unless: "a", either: "abc", list: [2, "a"], other: 1 },
        { only: 1, unless: 5, either: true, never: null },
      ],
      invalid: [
        { only: "a" },
        { unless: true },
        { either: "abcd" },
        { either: 1 },
        { never: 1 },
        { list: [1] },
        { other: "a" },
      ],
    },
    Alternatives: { valid: ["a", 1, null, []], invalid: ["b"] },
    Twice: { valid: [{ c: 1 }, { b: 1 }, { a: 1, b: 2 }, 1], invalid: [{ a: 1, c: 1 }, { b: "x" }, {}] },
  },
  calls: [{ call: ["send", { body: { only: "ab", list: [2] } }], returns: { only: "ab", list: [2] } }],
};
