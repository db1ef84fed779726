import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  values: {
    Thing: { valid: [{}, { a: 1 }, { abc: 1, b: 2 }], invalid: [{ A: 1 }, { abcd: 1 }, []] },
    Nameless: { valid: [{}], invalid: [{ a: 1 }] },
    Named: { valid: [{}, { a: 1, b: 2 }], invalid: [{ c: 1 }, { a: "1" }] },
    WithPatterns: {
      valid: [{ "x-a": 1, abc: "d" }, {}],
      invalid: [{ "x-a": "1" }, { ab: "d" }, { "": "d" }, { abc: 1 }],
    },
  },
  calls: [{ call: ["send", { body: { a: 1, b: 2 } }], returns: { a: 1, b: 2 } }],
};
