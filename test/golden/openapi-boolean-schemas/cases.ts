import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  values: {
    Anything: { valid: [1, "a", null], invalid: [] },
    Never: { valid: [], invalid: [1, null] },
    Numbers: { valid: [2, 3], invalid: [6, 1, "a"] },
  },
  calls: [{ call: ["send", { body: [1] }], returns: [1] }],
};
