import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { getBlocks: () => [{ height: 0, hash: "00", previous: null }] },
  calls: [
    { call: ["getBlocks", { from: 5 }], received: ["getBlocks", { from: 5 }] },
    { call: ["getBlocks", { from: "tip" }], received: ["getBlocks", { from: "tip" }] },
    { call: ["getBlocks", {}], received: ["getBlocks", {}], returns: [{ height: 0, hash: "00", previous: null }] },
  ],
  requests: [
    { request: "GET /blocks?from=genesis", status: 200 },
    { request: "GET /blocks?from=-1", status: 400 },
    { request: "GET /blocks?from=other", status: 400 },
  ],
  values: {
    Block: {
      valid: [
        { height: 0, hash: "", previous: null },
        { height: 1, hash: "0f", previous: "" },
      ],
      invalid: [
        { height: 0, hash: "g", previous: null },
        { height: 0, hash: "0" },
        { height: -1, hash: "", previous: null },
      ],
    },
    GetBlocksInput: {
      valid: [{}, { from: null }, { from: 0 }, { from: "tip" }],
      invalid: [{ from: "" }, { from: 1.5 }, { from: true }],
    },
  },
};
