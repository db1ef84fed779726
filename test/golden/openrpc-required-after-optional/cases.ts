import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { move: ({ from = "here", to, by, speed = 1 }) => `${from} ${to} ${by} ${speed}` },
  calls: [
    {
      call: ["move", { from: "a", to: "b", by: "c" }],
      received: ["move", { from: "a", to: "b", by: "c" }],
      returns: "a b c 1",
    },
    { call: ["move", { from: "a", to: "b", by: "c", speed: 2 }], returns: "a b c 2" },
    { call: ["move", { to: "b", by: "c" }], returns: "here b c 1" },
  ],
  requests: [
    { request: "POST /", json: { id: 1, method: "move", params: ["a"] }, status: 200, includes: "-32602" },
    { request: "POST /", json: { id: 1, method: "move", params: ["a", "b"] }, status: 200, includes: "-32602" },
    { request: "POST /", json: { id: 1, method: "move", params: [] }, status: 200, includes: "-32602" },
    { request: "POST /", json: { id: 1, method: "move", params: ["a", "b", "c"] }, status: 200, includes: "a b c 1" },
    {
      request: "POST /",
      json: { id: 1, method: "move", params: [null, "b", "c"] },
      status: 200,
      includes: "here b c 1",
    },
  ],
  values: {
    MoveInput: {
      valid: [
        { to: "b", by: "c" },
        { from: "a", to: "b", by: "c", speed: 1 },
      ],
      invalid: [{ from: "a", by: "c" }, { to: "b" }, {}, { to: null, by: "c" }],
    },
  },
};
