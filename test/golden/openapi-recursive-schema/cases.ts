import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  values: {
    Thing: {
      valid: [{ name: "a", parts: [{ name: "b", parts: [] }] }, { name: "a" }],
      invalid: [
        { name: "a", parts: [{}] },
        { name: "a", parts: [{ name: "b", parts: [1] }] },
      ],
    },
    Tree: {
      valid: [{ left: null, right: { left: null, right: null, label: "a" } }],
      invalid: [{}, { left: null }, { left: null, right: { left: null } }, { left: null, right: null, label: 1 }],
    },
  },
  calls: [
    {
      call: ["send", { body: { name: "a", parts: [{ name: "b", parts: [] }] } }],
      returns: { name: "a", parts: [{ name: "b", parts: [] }] },
    },
  ],
  requests: [{ request: "POST /things", json: { name: "a", parts: [{}] }, status: 400 }],
};
