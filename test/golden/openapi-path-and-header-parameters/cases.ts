import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { getThing: () => undefined },
  calls: [
    {
      call: ["getThing", { id: 1, tags: ["a/b", "c d"], xDepth: 2, xNote: "n" }],
      received: ["getThing", { id: 1, tags: ["a/b", "c d"], xDepth: 2, xNote: "n" }],
    },
  ],
  requests: [
    { request: "GET /things/1/a,b", headers: { "x-depth": "2" }, status: 204 },
    { request: "GET /things/1/a,b", status: 400 },
    { request: "GET /things/0/a", headers: { "x-depth": "2" }, status: 400 },
    { request: "GET /things/x/a", headers: { "x-depth": "2" }, status: 400 },
    { request: "GET /things/1/a", headers: { "x-depth": "deep" }, status: 400 },
    { request: "POST /things/1/a", status: 405 },
    { request: "GET /things/1", status: 404 },
  ],
};
