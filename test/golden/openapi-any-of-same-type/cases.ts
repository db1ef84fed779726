import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  values: {
    Thing: { valid: ["a", "b", [], [1, 2, 3]], invalid: ["c", [1, 2], 1] },
  },
  calls: [{ call: ["send", { body: "ab" }], returns: "ab" }],
};
