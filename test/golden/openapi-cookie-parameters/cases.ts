import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { getThing: () => undefined },
  calls: [{ call: ["getThing", { depth: 2, note: "a b" }], received: ["getThing", { depth: 2, note: "a b" }] }],
  requests: [
    { request: "GET /things", headers: { cookie: "note=a; depth=2" }, status: 204 },
    { request: "GET /things", status: 400 },
    { request: "GET /things", headers: { cookie: "depth=deep" }, status: 400 },
  ],
};
