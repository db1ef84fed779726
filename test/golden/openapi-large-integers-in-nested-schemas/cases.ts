import type { GoldenCases } from "../golden-cases.ts";

const thing = {
  id: 9007199254740993n,
  amount: 2_100_000_000_000_000n,
  list: [1n, -2n],
  pairs: ["a", 150_000_000n, 3n],
  fixed: [4n, "b", "c"],
  either: [{ of: 5n }],
  parent: { id: 6n, either: { id: 1n }, parent: null },
  both: { a: 7n, b: 8n, c: "d" },
  small: 9,
  other: 10n,
};

const wire =
  '{"id":9007199254740993,"amount":21000000.00000000,"list":[1,-2],"pairs":["a",1.50000000,3],"fixed":[4,"b","c"],' +
  '"either":[{"of":5}],"parent":{"id":6,"either":{"id":0.00000001},"parent":null},"both":{"a":7,"b":0.00000008,"c":"d"},' +
  '"small":9,"other":0.00000010}';

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  calls: [{ call: ["send", { body: thing }], received: ["send", { body: thing }], returns: thing }],
  requests: [
    { request: "POST /things", text: wire, status: 200, response: wire },
    { request: "POST /things", text: '{"id":"1"}', status: 400 },
    { request: "POST /things", text: '{"id":1,"list":[0.5]}', status: 400 },
    { request: "POST /things", text: '{"id":1,"parent":{"id":true}}', status: 400 },
  ],
  values: { Totals: { valid: [{ "x-a": 1, b: "c" }], invalid: [{ "x-a": "1" }, { b: 1 }] } },
};
