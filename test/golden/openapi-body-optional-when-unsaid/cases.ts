import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body !== undefined },
  calls: [
    { call: ["send", { body: { a: "x" } }], received: ["send", { body: { a: "x" } }], returns: true },
    { call: ["send", {}], received: ["send", {}], returns: false },
  ],
  requests: [
    { request: "POST /things", json: {}, status: 400 },
    { request: "POST /things", status: 200 },
  ],
  values: { SendInput: { valid: [{ body: { a: "" } }, {}], invalid: [{ body: {} }, { body: null }] } },
};
