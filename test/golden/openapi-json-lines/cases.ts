import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: {
    ticks: async function* () {
      yield { n: 1 };
      yield { n: 2 };
    },
  },
  calls: [{ call: ["ticks", {}], yields: [{ n: 1 }, { n: 2 }] }],
  requests: [{ request: "GET /ticks", status: 200, response: '{"n":1}\n{"n":2}\n' }],
};
