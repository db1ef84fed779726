import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { turn: ({ to }) => to },
  calls: [{ call: ["turn", { to: "LEFT" }], received: ["turn", { to: "LEFT" }], returns: { turn: "LEFT" } }],
  requests: [{ request: "POST /", json: { query: "{ turn(to: UP) }" }, status: 400 }],
  values: { Direction: { valid: ["LEFT", "RIGHT"], invalid: ["UP", "", "left", null] } },
};
