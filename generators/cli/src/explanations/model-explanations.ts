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

export const relationExplanations: Explanations = {
  "not-a-relation": {
    cause:
      "A relation is something that conformance runs hold answers against. Without a name it could not be reported, and without an expression not be held.",
    example: "x-relations:\n  - because: blocks link   # what is it called, and what holds?",
    remedy: 'Give it a "name" and a JSONata expression under "holds", and if you like a sentence under "because".',
  },
  "unknown-member": {
    cause: "A relation says something under a name that nothing reads. It would silently do nothing.",
    example: "x-relations:\n  - { name: own-hash, holds: hash = $input.hash, reason: It was asked for. }   # because",
    remedy: "Correct the name, or leave the member out.",
  },
  "duplicate-name": {
    cause:
      "Two relations of one operation have the same name, or names that are the same in kebab-case. A report could not say which of them is broken.",
    example:
      "x-relations:\n  - { name: own-hash, holds: hash = $input.hash }\n  - { name: ownHash, holds: id = $input.hash }",
    remedy: "Give each a name of its own.",
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
