import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: {
    block: () => ({ number: "0x4b0" }),
    records: ({ filter }) => [{ block: filter.fromBlock, text: String(filter.toBlock) }],
  },
  calls: [
    {
      call: ["pages.records", { filter: { fromBlock: "0x1", kind: "a" } }],
      yields: [
        { found: [{ block: "0x1", text: "0x1f4" }] },
        { found: [{ block: "0x1f5", text: "0x3e8" }] },
        { found: [{ block: "0x3e9", text: "0x4b0" }] },
      ],
    },
  ],
};
