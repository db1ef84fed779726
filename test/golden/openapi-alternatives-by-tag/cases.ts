import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  values: {
    Thing: {
      valid: [{ kind: "box", size: 1 }, { kind: "bag" }, { kind: "sack", label: "a" }],
      invalid: [{}, { kind: "box" }, { kind: "bag", label: "" }, { kind: "tin" }, null, { kind: 1 }],
    },
    Maybe: {
      valid: [null, { kind: "a", size: 1 }, { kind: "b" }],
      invalid: [{}, { kind: "a", size: "1" }, { kind: "c" }, 1],
    },
    Mapped: { valid: [{ type: "c" }, { type: "d", name: "a" }], invalid: [{}, { type: "c", lives: "9", name: 5 }] },
    Holder: {
      valid: [{}, { one: { type: "c" }, many: [{ kind: "bag" }] }],
      invalid: [{ many: [{ kind: "box" }] }, { one: 1 }],
    },
    Same: {
      valid: [{}, { first: { a: 1, b: [1] }, second: { a: 2, b: [] } }],
      invalid: [{ first: {} }, { second: { a: 1, b: ["x"] } }],
    },
  },
  calls: [{ call: ["send", { body: { kind: "bag", label: "a" } }], returns: { kind: "bag", label: "a" } }],
};
