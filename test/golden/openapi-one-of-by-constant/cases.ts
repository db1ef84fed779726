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
  },
  calls: [{ call: ["send", { body: { kind: "bag", label: "a" } }], returns: { kind: "bag", label: "a" } }],
};
