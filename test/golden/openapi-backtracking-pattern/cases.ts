import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { getName: ({ name }) => name },
  calls: [{ call: ["getName", { name: "aaa" }], returns: "aaa" }],
  requests: [
    { request: `GET /names/${"a".repeat(60)}b`, status: 400 },
    { request: `GET /names/a?tail=${"a".repeat(10_000)}1`, status: 400 },
    { request: `GET /names/a?tail=1${"a".repeat(10_000)}`, status: 200 },
  ],
  values: { GetNameInput: { valid: [{ name: "a".repeat(100_000) }], invalid: [{ name: `${"a".repeat(100_000)}b` }] } },
};
