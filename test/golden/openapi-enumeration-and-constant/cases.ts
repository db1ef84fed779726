import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  values: {
    Thing: {
      valid: [
        { kind: "a", size: null, name: "" },
        { kind: "a", size: 1 },
      ],
      invalid: [
        { kind: "b" },
        {},
        { kind: "a", size: 3 },
        { kind: "a", size: "1" },
        { kind: "a", name: "c" },
        { kind: "a", name: null },
      ],
    },
  },
  calls: [
    { call: ["send", { body: { kind: "a", size: null, name: "" } }], returns: { kind: "a", size: null, name: "" } },
  ],
  requests: [{ request: "POST /things", json: { kind: "b" }, status: 400 }],
};
