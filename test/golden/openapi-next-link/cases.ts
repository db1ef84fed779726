import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { list: ({ after = 0 }) => (after < 4 ? [after + 1, after + 2] : [after + 1]) },
  calls: [
    { call: ["list", {}], returns: [1, 2] },
    { call: ["pages.list", {}], yields: [[1, 2], [3, 4], [5]] },
  ],
};
