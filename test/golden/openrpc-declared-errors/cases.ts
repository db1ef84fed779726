import { ServiceError } from "@nodewright/runtime";
import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: {
    find: ({ id }) => {
      if (id === 1) return true;
      throw new ServiceError("unprocessable", "Out of range", { rpcCode: -8 });
    },
  },
  calls: [
    { call: ["find", { id: 1 }], returns: true },
    { call: ["find", { id: 2 }], rejects: "Out of range" },
  ],
  requests: [
    { request: "POST /", json: { id: 1, method: "find", params: [2] }, status: 200, includes: '"code":-8' },
    { request: "POST /", json: { id: 1, method: "none", params: [] }, status: 200, includes: "-32601" },
  ],
};
