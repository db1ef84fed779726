import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: {
    ticks: async function* () {
      yield { data: "one" };
      yield { data: "two\nlines", event: "tick", id: "2" };
    },
  },
  calls: [{ call: ["ticks", {}], yields: [{ data: "one" }, { data: "two\nlines", event: "tick", id: "2" }] }],
};
