import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  calls: [
    {
      call: ["send", { body: { wide: 18446744073709551615n, narrow: -1, long: -9223372036854775808n } }],
      received: ["send", { body: { wide: 18446744073709551615n, narrow: -1, long: -9223372036854775808n } }],
      returns: { wide: 18446744073709551615n, narrow: -1, long: -9223372036854775808n },
    },
  ],
  requests: [
    { request: "POST /things", text: '{"wide":18446744073709551616,"narrow":1}', status: 400 },
    {
      request: "POST /things",
      text: '{"wide":18446744073709551615,"narrow":1}',
      status: 200,
      response: '{"wide":18446744073709551615,"narrow":1}',
    },
    { request: "POST /things", text: '{"wide":-1,"narrow":1}', status: 400 },
    { request: "POST /things", text: '{"wide":1,"narrow":0.5}', status: 400 },
  ],
};
