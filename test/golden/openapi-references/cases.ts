import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { replace: ({ body }) => body },
  values: { Thing: { valid: [{ name: "a" }], invalid: [{}, { name: 1 }] } },
  calls: [
    {
      call: ["replace", { id: 1, body: { name: "a" } }],
      received: ["replace", { id: 1, body: { name: "a" } }],
      returns: { name: "a" },
    },
  ],
  requests: [
    { request: "PUT /things/x", json: { name: "a" }, status: 400 },
    { request: "PUT /things/1", json: {}, status: 400 },
  ],
};
