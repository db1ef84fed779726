import { HttpFailure } from "@nodewright/runtime";
import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: {
    getThing: ({ id }) => {
      if (id === 1) return 1;
      if (id === 2) throw new HttpFailure(404, { body: "gone" });
      throw new HttpFailure(503, { body: { reason: "busy" } });
    },
  },
  calls: [
    { call: ["getThing", { id: 1 }], returns: 1 },
    { call: ["getThing", { id: 2 }], rejects: "404" },
    { call: ["getThing", { id: 3 }], rejects: "503" },
  ],
  requests: [
    { request: "GET /things/2", status: 404, response: '"gone"' },
    { request: "GET /things/3", status: 503, response: '{"reason":"busy"}' },
  ],
};
