import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: {
    replace: ({ id }) => {
      if (id === 1) return { status: 200, body: "one" };
      return id === 2 ? { status: 201, body: 2 } : { status: 204 };
    },
  },
  calls: [
    { call: ["replace", { id: 1 }], returns: "one" },
    { call: ["replace", { id: 2 }], returns: 2 },
    { call: ["replace", { id: 3 }], returns: undefined },
  ],
  requests: [
    { request: "PUT /things/2", status: 201, response: "2" },
    { request: "PUT /things/3", status: 204, response: "" },
  ],
};
