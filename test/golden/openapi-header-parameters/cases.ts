import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { getThing: () => undefined },
  calls: [{ call: ["getThing", { xDepth: 2, xNote: "n" }], received: ["getThing", { xDepth: 2, xNote: "n" }] }],
  requests: [
    { request: "GET /things", headers: { "x-depth": "2" }, status: 204 },
    { request: "GET /things", status: 400 },
    { request: "GET /things", headers: { "x-depth": "deep" }, status: 400 },
  ],
};
