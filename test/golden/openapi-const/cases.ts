import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  values: {
    Thing: { valid: [{ kind: "a" }], invalid: [{ kind: "b" }, {}, { kind: null }] },
  },
  calls: [{ call: ["send", { body: { kind: "a" } }], returns: { kind: "a" } }],
  requests: [{ request: "POST /things", json: { kind: "b" }, status: 400 }],
};
