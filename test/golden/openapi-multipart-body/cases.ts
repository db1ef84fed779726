import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { upload: ({ body }) => `${body.name} ${body.size} ${new TextDecoder().decode(body.file)}` },
  calls: [
    {
      call: ["upload", { body: { name: "a b", size: 3, file: new TextEncoder().encode("xyz") } }],
      returns: "a b 3 xyz",
    },
  ],
  requests: [{ request: "POST /files", json: { name: "a" }, status: 415 }],
};
