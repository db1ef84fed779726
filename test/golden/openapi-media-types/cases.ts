import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ accept, body }) => ({ contentType: accept, body: accept === "text/plain" ? body.a : body }) },
  calls: [
    { call: ["send", { body: { a: "x" }, accept: "application/json" }], returns: { a: "x" } },
    { call: ["send", { body: { a: "x" }, accept: "text/plain" }], returns: "x" },
  ],
  requests: [
    {
      request: "POST /things",
      headers: { accept: "text/plain" },
      json: { a: "x" },
      status: 200,
      response: "x",
    },
    { request: "POST /things", json: {}, status: 400 },
    { request: "POST /things", headers: { "content-type": "image/png" }, text: "x", status: 415 },
  ],
};
