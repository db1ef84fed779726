import type { Explanations } from "./explanation.ts";

export const extensionExplanations: Explanations = {
  unknown: {
    cause:
      "A member that begins with x- is almost one that nodewright reads. Taken for somebody else's, it would silently do nothing.",
    example: "x-unit: 5   # the extension is x-units",
    remedy: "Correct the name, or choose one that is further away.",
  },
  "wrong-value": {
    cause: "An extension that nodewright reads has an invalid value.",
    example: 'x-safe: "yes"   # true or false',
    remedy: "Write a value of the type that the message names.",
  },
};

export const relationExplanations: Explanations = {
  "not-a-relation": {
    cause:
      "A relation is checked against responses in conformance runs. Without a name it could not be reported, and without an expression it could not be checked.",
    example: "x-relations:\n  - because: blocks link   # what is it called, and what holds?",
    remedy: 'Give it a "name" and a JSONata expression under "holds", and if you like a sentence under "because".',
  },
  "unknown-member": {
    cause: "A relation has a member that is not read. It would silently have no effect.",
    example: "x-relations:\n  - { name: own-hash, holds: hash = $input.hash, reason: It was requested. }   # because",
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
      "A default replaces a value that a client leaves out. One that its own schema rejects would turn a valid request into an invalid one.",
    example: "type: integer\nminimum: 1\ndefault: 0",
    remedy: "Change the default, or what the schema allows.",
  },
  "unfit-default": {
    cause: "A default inside a schema documents the value of a missing member. This one does not match its own schema.",
    example: "type: object\nproperties:\n  size: { type: integer, default: large }",
    remedy: "Change the default, or what the schema allows. Generated code does not apply it.",
  },
};

export const exampleExplanations: Explanations = {
  "does-not-match-schema": {
    cause:
      "An example of the document is refused by the schema that it illustrates. One of the two is wrong, and the conformance suite leaves the example out.",
    example: 'schema: { type: integer }\nexample: "12"',
    remedy: "Correct the example, or the schema where the example is what the API really returns.",
  },
};
