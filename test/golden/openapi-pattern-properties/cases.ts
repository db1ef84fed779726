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
  },
  calls: [{ call: ["send", { body: { id: "a", "x-b": 1 } }], returns: { id: "a", "x-b": 1 } }],
  requests: [{ request: "POST /things", json: { id: "a", "x-a": "1" }, status: 400 }],
};
