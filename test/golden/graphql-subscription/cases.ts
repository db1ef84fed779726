import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: {
    count: () => 0,
    ticks: async function* ({ to }) {
      for (let count = 1; count <= to; count += 1) yield count;
    },
  },
  calls: [{ call: ["ticks", { to: 2 }], yields: [{ ticks: 1 }, { ticks: 2 }] }],
};
