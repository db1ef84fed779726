import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  calls: [
    {
      call: ["send", { body: { name: "a&b=c", size: 3, tags: ["x", "y z"] } }],
      received: ["send", { body: { name: "a&b=c", size: 3, tags: ["x", "y z"] } }],
      returns: { name: "a&b=c", size: 3, tags: ["x", "y z"] },
    },
  ],
  requests: [
    {
      request: "POST /things",
      text: "name=a&tags=x",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      status: 200,
    },
    {
      request: "POST /things",
      text: "size=1",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      status: 400,
    },
  ],
};
