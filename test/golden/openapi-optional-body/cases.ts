import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body !== undefined, sendByDefault: ({ body }) => body !== undefined },
  values: {
    SendInput: { valid: [{ body: { a: "" } }, {}], invalid: [{ body: {} }, { body: null }] },
    SendByDefaultInput: { valid: [{ body: { a: "" } }, {}], invalid: [{ body: {} }, { body: null }] },
  },
  calls: [
    { call: ["send", { body: { a: "x" } }], received: ["send", { body: { a: "x" } }], returns: true },
    { call: ["send", {}], received: ["send", {}], returns: false },
    { call: ["sendByDefault", {}], received: ["sendByDefault", {}], returns: false },
  ],
  requests: [
    { request: "POST /things", json: {}, status: 400 },
    { request: "POST /things", status: 200 },
    { request: "PUT /things", json: {}, status: 400 },
    { request: "PUT /things", status: 200 },
  ],
};
