import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => ({ id: 7, name: body.name }) },
  calls: [
    {
      call: ["send", { body: { name: "a", password: "b" } }],
      received: ["send", { body: { name: "a", password: "b" } }],
      returns: { id: 7, name: "a" },
    },
  ],
  requests: [{ request: "POST /things", json: { id: 1, name: "a" }, status: 400 }],
  values: {
    SendInput: {
      valid: [{ body: { name: "a", password: "b" } }, { body: { id: 1, name: "a", password: "b" } }],
      invalid: [{ body: { id: 1, name: "a" } }, { body: { password: "b" } }],
    },
    SendOutput: { valid: [{ id: 1, name: "a" }], invalid: [{ name: "a", password: "b" }, { id: 1 }] },
  },
};
