import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  values: {
    Thing: {
      valid: [{ "x-a": 1, abc: "d" }, {}],
      invalid: [{ "x-a": "1" }, { ab: "d" }, { "": "d" }, { abc: 1 }],
    },
  },
  calls: [{ call: ["send", { body: { "x-a": 1, abc: "d" } }], returns: { "x-a": 1, abc: "d" } }],
  requests: [{ request: "POST /things", json: { "x-a": "1" }, status: 400 }],
};
