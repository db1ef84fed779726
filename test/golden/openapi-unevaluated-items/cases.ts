import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  values: {
    Thing: { valid: [[], ["a"], ["a", 1, 2]], invalid: [[1], ["a", "b"], {}] },
    Closed: {
      valid: [[], ["a", 1]],
      invalid: [
        ["a", "b"],
        ["a", 1, 2],
      ],
    },
    Chosen: {
      valid: [[], ["a"], ["b", 1]],
      invalid: [
        ["a", 1],
        ["b", "c"],
        ["b", 1, 2],
      ],
    },
    Containing: { valid: [[1], ["a", 1, "b"]], invalid: [["a"], [], [1, null]] },
    Open: { valid: [[], ["a", "b"]], invalid: [[1]] },
  },
  calls: [{ call: ["send", { body: ["a", 1] }], returns: ["a", 1] }],
};
