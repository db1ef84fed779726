import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  values: {
    Thing: { valid: [{ a: 1 }, { abc: 1, b: 2 }], invalid: [{}, { a: 1, b: 2, c: 3 }, []] },
    Closed: { valid: [], invalid: [{}, { constructor: 1, "a/b~c": 2 }, { toString: 1, constructor: 2 }] },
    WithoutType: { valid: [{ a: 1, b: 2 }, 1, []], invalid: [{ a: 1 }] },
  },
  calls: [{ call: ["send", { body: { a: 1, b: 2 } }], returns: { a: 1, b: 2 } }],
};
