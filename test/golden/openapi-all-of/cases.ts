import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  calls: [{ call: ["send", { body: { id: 1, name: "abc" } }], returns: { id: 1, name: "abc" } }],
  requests: [{ request: "POST /things", json: { name: "abc" }, status: 400 }],
  values: {
    Base: { valid: [{ id: 1 }, { id: 1, name: 2 }], invalid: [{}, { id: "1" }] },
    Thing: { valid: [{ id: 1, name: "" }], invalid: [{ id: 1 }, { name: "a" }, { id: 1, name: "abcd" }] },
  },
};
