import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  values: {
    Thing: {
      valid: [{ id: "a" }, { id: "a", note: "b", "x-a": 1, "x-a-y": 2, other: true }],
      invalid: [
        {},
        { id: 1 },
        { id: "a", note: "abcdef" },
        { id: "a", "x-a": "1" },
        { id: "a", "x-y": 1 },
        { id: "a", other: 1 },
      ],
    },
    Closed: {
      valid: [{ a: 1 }, { a: 1, b: 2, c: {} }],
      invalid: [{}, { a: 1, d: 1 }, { a: 1, b: 2, d: 1 }, { a: 1, c: { d: 1 } }, { a: 1, b: "2" }],
    },
    Counted: { valid: [{ a: null, b: 1 }], invalid: [{ b: 1 }, { a: 1 }, { a: 1, b: 2, c: 3 }] },
    Undescribed: {
      valid: [{ "x-a": 1, other: null }],
      invalid: [{ "x-a": 1 }, { other: 1 }, { "x-a": "1", other: 1 }],
    },
    PatternsAlone: { valid: [{}, { "x-a": 1 }], invalid: [{ "x-a": "1" }, { a: 1 }] },
    Deep: {
      valid: [{ left: null, right: { left: null, right: null, label: "a" } }],
      invalid: [{}, { left: null }, { left: null, right: { left: null } }, { left: null, right: null, label: 1 }],
    },
  },
  calls: [{ call: ["send", { body: { id: "a", "x-b": 1 } }], returns: { id: "a", "x-b": 1 } }],
};
