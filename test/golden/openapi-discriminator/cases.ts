import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  calls: [{ call: ["send", { body: { kind: "dog", name: "a" } }], returns: { kind: "dog", name: "a" } }],
  requests: [{ request: "POST /things", json: { kind: "cow" }, status: 400 }],
  values: {
    Pet: {
      valid: [{ kind: "cat" }, { kind: "cat", lives: 9 }, { kind: "dog", name: "" }],
      invalid: [{ kind: "cat", lives: "9" }, { kind: "dog" }, { kind: "cow" }, {}, null],
    },
  },
};
