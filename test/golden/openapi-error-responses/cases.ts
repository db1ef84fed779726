import { HttpFailure } from "@nodewright/runtime";
import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: {
    getThing: ({ id }) => {
      if (id === 1) return 1;
      throw new HttpFailure(404, { body: { reason: "gone" } });
    },
  },
  calls: [
    { call: ["getThing", { id: 1 }], returns: 1 },
    { call: ["getThing", { id: 2 }], rejects: "404" },
  ],
  requests: [{ request: "GET /things/2", status: 404, response: '{"reason":"gone"}' }],
};
