import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  values: {
    Thing: {
      valid: [
        {},
        { text: 1, count: "a", list: {}, record: [], any: null },
        { text: "ab", count: 1, list: [3, "x"], record: { a: "xy" } },
      ],
      invalid: [{ text: "a" }, { count: 0 }, { list: [4] }, { record: {} }, { record: { a: "y" } }, { none: 1 }],
    },
    Several: { valid: ["ab", 5, [1], { a: 1 }, true, null], invalid: ["a", 4, [1, 2], {}] },
    Length: { valid: ["ab", 1], invalid: ["a"] },
    Elements: { valid: [[], ["a", 2, "b"], 5], invalid: [[1], ["a", 1]] },
    Members: { valid: [{}, { a: "b", c: 5 }, []], invalid: [{ a: "bc" }] },
    Either: { valid: [4], invalid: [5, "a"] },
    Choice: { valid: [6, 4], invalid: [7, 4.5] },
  },
  calls: [{ call: ["send", { body: { text: "ab", list: [1] } }], returns: { text: "ab", list: [1] } }],
};
