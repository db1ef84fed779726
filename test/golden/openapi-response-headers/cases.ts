import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { list: () => ({ headers: { xTotal: 2 }, body: [1] }) },
  calls: [{ call: ["list", {}], received: ["list", {}], returns: [1] }],
  requests: [{ request: "GET /things", status: 200, response: "[1]" }],
};
