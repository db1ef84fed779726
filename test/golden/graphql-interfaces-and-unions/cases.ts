import type { GoldenCases } from "../golden-cases.ts";

export const cases: GoldenCases = {
  handlers: {
    nodes: () => [
      { __typename: "Cat", id: "1", lives: 9 },
      { __typename: "Dog", id: "2", name: null },
    ],
    any: () => ({ __typename: "Dog", id: "2", name: "a" }),
  },
  calls: [
    {
      call: ["nodes", {}],
      returns: {
        nodes: [
          { __typename: "Cat", id: "1", lives: 9 },
          { __typename: "Dog", id: "2" },
        ],
        any: { name: "a" },
      },
    },
  ],
};
