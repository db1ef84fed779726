import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { text: ({ body }) => `${body}!`, bytes: ({ body }) => body.toReversed() },
  calls: [
    { call: ["text", { body: "é\n" }], returns: "é\n!" },
    { call: ["bytes", { body: new Uint8Array([1, 0, 255]) }], returns: new Uint8Array([255, 0, 1]) },
  ],
};
