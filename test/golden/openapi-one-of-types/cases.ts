import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  values: {
    Thing: { valid: ["abc", 1, null, true, [1], { a: 1 }], invalid: ["abcd", 1.5, ["a"], {}, { a: "1" }] },
  },
  calls: [{ call: ["send", { body: { a: 1 } }], returns: { a: 1 } }],
};
