import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { getThing: () => undefined },
  calls: [
    { call: ["getThing", { id: 1, tags: ["a/b", "c d"] }], received: ["getThing", { id: 1, tags: ["a/b", "c d"] }] },
  ],
  requests: [
    { request: "GET /things/1/a,b", status: 204 },
    { request: "GET /things/0/a", status: 400 },
    { request: "GET /things/x/a", status: 400 },
    { request: "POST /things/1/a", status: 405 },
    { request: "GET /things/1", status: 404 },
  ],
};
