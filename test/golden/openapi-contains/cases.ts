import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  values: {
    Thing: {
      valid: [
        [1, 2],
        ["a", 1, 2, 3],
      ],
      invalid: [[1], [1, 2, 3, 4], {}],
    },
    AtMost: { valid: [[], [{ a: 1 }, {}]], invalid: [[{ a: 1 }, { a: 2 }]] },
    Some: { valid: [[1], [1, 2]], invalid: [[], [1, 2, 3]] },
    NoMore: { valid: [[], [1]], invalid: [null] },
    Never: { valid: [], invalid: [[], [1]] },
    Wherever: { valid: [1, [[1, 2]]], invalid: [[], [[1]]] },
  },
  calls: [{ call: ["send", { body: [1, 2, "a"] }], returns: [1, 2, "a"] }],
};
