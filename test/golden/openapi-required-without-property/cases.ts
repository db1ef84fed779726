import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  values: {
    Thing: { valid: [{ "x-a": 1, other: null }], invalid: [{ "x-a": 1 }, { other: 1 }, { "x-a": "1", other: 1 }] },
  },
  calls: [{ call: ["send", { body: { "x-a": 1, other: 2 } }], returns: { "x-a": 1, other: 2 } }],
};
