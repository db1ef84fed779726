import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { move: ({ from = "here", to, speed = 1 }) => `${from} ${to} ${speed}` },
  calls: [
    { call: ["move", { from: "a", to: "b" }], received: ["move", { from: "a", to: "b" }], returns: "a b 1" },
    { call: ["move", { from: "a", to: "b", speed: 2 }], returns: "a b 2" },
    { call: ["move", { to: "b" }], returns: "here b 1" },
  ],
  requests: [
    { request: "POST /", json: { id: 1, method: "move", params: ["a"] }, status: 200, includes: "-32602" },
    { request: "POST /", json: { id: 1, method: "move", params: [] }, status: 200, includes: "-32602" },
    { request: "POST /", json: { id: 1, method: "move", params: ["a", "b"] }, status: 200, includes: "a b 1" },
    { request: "POST /", json: { id: 1, method: "move", params: [null, "b"] }, status: 200, includes: "here b 1" },
  ],
  values: {
    MoveInput: { valid: [{ to: "b" }, { from: "a", to: "b", speed: 1 }], invalid: [{ from: "a" }, {}, { to: null }] },
  },
};
