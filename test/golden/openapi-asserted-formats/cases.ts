import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: { send: ({ body }) => body },
  values: {
    Thing: {
      valid: [
        {
          day: "2024-02-29",
          at: "2024-02-29T00:00:00Z",
          id: "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
          from: "192.0.2.1",
        },
        {},
      ],
      invalid: [{ day: "2023-02-29" }, { day: "" }, { at: "2024-02-29" }, { id: "" }, { from: "256.0.0.1" }],
    },
  },
  calls: [
    {
      call: [
        "send",
        {
          body: {
            day: "2024-02-29",
            at: "2024-02-29T00:00:00Z",
            id: "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
            from: "192.0.2.1",
          },
        },
      ],
      returns: {
        day: "2024-02-29",
        at: "2024-02-29T00:00:00Z",
        id: "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
        from: "192.0.2.1",
      },
    },
  ],
  requests: [{ request: "POST /things", json: { day: "2023-02-29" }, status: 400 }],
};
