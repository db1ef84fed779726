import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  values: {
    Thing: {
      valid: [
        { some: "x", any: "", two: "ab", pairs: "abcd", most: "" },
        { some: "xxx", any: "0f", most: "ab" },
      ],
      invalid: [
        { some: "" },
        { some: "xy" },
        { any: "g" },
        { two: "" },
        { two: "abc" },
        { pairs: "" },
        { pairs: "abc" },
        { most: "abc" },
      ],
    },
  },
  calls: [
    {
      call: ["send", { body: { some: "x", any: "", two: "ab", pairs: "abcd", most: "" } }],
      returns: { some: "x", any: "", two: "ab", pairs: "abcd", most: "" },
    },
  ],
  requests: [{ request: "POST /things", json: { some: "" }, status: 400 }],
};
