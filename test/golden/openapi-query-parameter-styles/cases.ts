import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { list: () => undefined },
  calls: [
    {
      call: ["list", { each: [1, 2], commas: ["a", "b"], pipes: ["c", "d"], deep: { a: 1, b: "x y" }, flag: false }],
      received: [
        "list",
        { each: [1, 2], commas: ["a", "b"], pipes: ["c", "d"], deep: { a: 1, b: "x y" }, flag: false },
      ],
    },
    { call: ["list", {}], received: ["list", {}] },
  ],
  requests: [
    { request: "GET /things?each=1&each=2&deep[a]=1&flag=true", status: 204 },
    { request: "GET /things?each=x", status: 400 },
    { request: "GET /things?deep[a]=x", status: 400 },
    { request: "GET /things?flag=yes", status: 400 },
  ],
};
