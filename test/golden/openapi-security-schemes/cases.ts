import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { open: () => undefined, closed: () => undefined },
  options: { security: { key: ({ value }: { value: string }) => value === "right" } },
  requests: [
    { request: "GET /open", status: 204 },
    { request: "GET /closed", status: 401 },
  ],
  calls: [{ call: ["open", {}], received: ["open", {}] }],
};
