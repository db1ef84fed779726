import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { block: () => ({ number: 2, parent: { number: 1, parent: null } }) },
  calls: [{ call: ["block", {}], returns: { block: { number: 2, parent: { number: 1 } } } }],
};
