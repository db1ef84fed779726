import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { find: (input) => JSON.stringify(input) },
  calls: [
    {
      call: ["find", { filter: { name: "a" } }],
      received: ["find", { filter: { name: "a", limit: 5, order: "UP" }, first: 3 }],
    },
    {
      call: ["find", { filter: { name: "a", limit: 1, order: "DOWN", note: null }, first: 2 }],
      received: ["find", { filter: { name: "a", limit: 1, order: "DOWN", note: null }, first: 2 }],
    },
  ],
  requests: [
    { request: "POST /", json: { query: '{ find(filter: { name: "a" }) }' }, status: 200, includes: '\\"first\\":10' },
    { request: "POST /", json: { query: "{ find(filter: {}) }" }, status: 400, includes: "name" },
    { request: "POST /", json: { query: '{ find(filter: { name: "a", limit: null }) }' }, status: 400 },
    { request: "POST /", json: { query: '{ find(filter: { name: "a" }, first: null) }' }, status: 400 },
  ],
  values: {
    Filter: {
      valid: [{ name: "a" }, { name: "a", limit: 1, order: "DOWN", note: null }],
      invalid: [{}, { name: null }, { name: "a", limit: null }, { name: "a", order: "LEFT" }],
    },
  },
};
