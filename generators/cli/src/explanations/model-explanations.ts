import type { Explanations } from "./explanation.ts";

export const markExplanations: Explanations = {
  unknown: {
    cause:
      "A member that begins with x- is almost one that nodewright reads. Taken for somebody else's, it would silently do nothing.",
    example: "x-unit: 5   # the mark is x-units",
    remedy: "Correct the name, or choose one that is further away.",
  },
  "wrong-value": {
    cause: "A mark that nodewright reads holds a value that it cannot hold.",
    example: 'x-safe: "yes"   # true or false',
    remedy: "Write a value of the type that the message names.",
  },
};

export const valueExplanations: Explanations = {
  "wrong-default": {
    cause:
      "A default stands for a value that a caller left out. One that its own schema refuses would turn a right request into a wrong one.",
    example: "type: integer\nminimum: 1\ndefault: 0",
    remedy: "Change the default, or what the schema allows.",
  },
  "unfit-default": {
    cause:
      "A default inside a schema tells readers what a missing member stands for. This one is no value of its own schema.",
    example: "type: object\nproperties:\n  size: { type: integer, default: large }",
    remedy: "Change the default, or what the schema allows. Generated code does not apply it.",
  },
};

export const exampleExplanations: Explanations = {
  "does-not-match-schema": {
    cause:
      "An example of the document is refused by the schema that it illustrates. One of the two is wrong, and the conformance suite leaves the example out.",
    example: 'schema: { type: integer }\nexample: "12"',
    remedy: "Correct the example, or the schema where the example is what the API really answers.",
  },
};
