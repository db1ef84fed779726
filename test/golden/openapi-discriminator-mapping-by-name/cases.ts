import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  values: {
    Pet: { valid: [{ type: "c" }, { type: "d", name: "a" }], invalid: [{}, { type: "c", lives: "9", name: 5 }] },
    Holder: {
      valid: [{}, { one: { type: "c" }, many: [{ type: "d", name: "a" }] }],
      invalid: [{ many: [{ kind: "c" }] }, { one: 1 }],
    },
  },
  calls: [{ call: ["send", { body: { one: { type: "c" } } }], returns: { one: { type: "c" } } }],
};
