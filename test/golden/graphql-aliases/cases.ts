import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { block: ({ number }) => ({ number }) },
  calls: [{ call: ["range", { from: 1, to: 2 }], returns: { first: { number: 1 }, last: { height: 2 } } }],
};
