import type { Explanations } from "./explanation.ts";

export const jsonSchemaExplanations: Explanations = {
  "not-a-schema": {
    cause: "Where a schema is expected stands something that is neither an object nor true or false.",
    example: "properties:\n  name: string   # a schema is { type: string }",
    remedy: "Write the schema as an object.",
  },
  "wrong-keyword-value": {
    cause:
      "A keyword that decides what matches holds a value of the wrong type; ignoring it would let wrong values through.",
    example: "required: true   # a list of names, in the schema around it",
    remedy: "Write the value that JSON Schema 2020-12 gives the keyword.",
  },
  "wrong-annotation": {
    cause:
      "A keyword that only describes, such as a title, holds a value of the wrong type. It is left out of comments.",
    example: "description: [first, second]",
    remedy: "Write a text.",
  },
  "unknown-type": {
    cause: "JSON Schema has seven types, and this is not one of them.",
    example: "type: int",
    remedy: "Use integer, number, string, boolean, array, object or null. Dates and files are strings with a format.",
  },
  "invalid-pattern": {
    cause: "The pattern is not a regular expression of ECMA-262 with Unicode, which JSON Schema prescribes.",
    example: 'pattern: "[a-z"',
    remedy:
      "Correct the expression. Flags, possessive quantifiers and named classes of other languages do not exist here.",
  },
  "costly-pattern": {
    cause:
      "A pattern can match the same text in many ways, and engines that backtrack try them all before they give up. The text in the message shows it: with an exponential pattern each further character doubles the time, with a polynomial one twice the text takes four times as long, or more.",
    example: 'pattern: "^(a+)+$"   # means the same as ^a+$',
    remedy:
      "Write the pattern so that there is one way to match each text: no repetition inside a repetition that can take the same characters, anchors at both ends. A polynomial pattern is harmless with a maxLength of 1000 or less. Generated validators match such patterns with a matcher that takes linear time, except that a back-reference may then match any text of its group.",
  },
  "contradictory-bounds": {
    cause: "A lower bound is above the upper one. No value would ever match.",
    example: "minLength: 10\nmaxLength: 5",
    remedy: "Swap or correct the bounds.",
  },
  "empty-enumeration": {
    cause: "An enum lists what may be; an empty one allows nothing.",
    example: "enum: []",
    remedy: "List the values, or leave the keyword out.",
  },
  "impossible-value": {
    cause: "A value of an enum or const has another type than the schema, so it can never match.",
    example: "type: string\nenum: [on, off]   # YAML 1.1 habit: here they are texts; true and false are not",
    remedy: "Remove or quote the value, or widen the type. For null, add null to the types.",
  },
  "endless-reference": {
    cause:
      "Validating a value against the schema requires validating the same value against the same schema, without end.",
    example: 'Pet: { allOf: [{ $ref: "#/components/schemas/Pet" }] }',
    remedy: "Remove the step back. A schema may refer to itself from a member or an item: there the value is another.",
  },
  "too-deep": {
    cause:
      "Deciding about one value would lead through an unreasonable chain of schemas; generated code for it could overflow the stack.",
    example: "A: { allOf: [{ $ref: B }] }, B: { allOf: [{ $ref: C }] }, …   # hundreds of them",
    remedy: "Refer to the schema at the end of the chain.",
  },
  "duplicate-id": {
    cause:
      "Two schemas say that they are the same resource. References to it would be ambiguous (JSON Schema Core, section 8.2).",
    example: "$id: https://example.com/pet   # in two places",
    remedy: "Give one of the two another $id, or none.",
  },
  "unknown-vocabulary": {
    cause:
      "The metaschema of the schema requires a vocabulary with meanings that are not known here (JSON Schema Core, section 8.1.2).",
    example: "$vocabulary: { https://example.com/vocabulary/units: true }",
    remedy: "Mark the vocabulary as optional with false, or use the standard metaschema.",
  },
  "unknown-mapping": {
    cause:
      "A discriminator maps a value to a schema that does not exist, so values of that name cannot be distinguished.",
    example: "mapping: { dog: Hund }   # the schema Hund does not exist",
    remedy: 'Name a schema of the components, or write a reference such as "#/components/schemas/Dog".',
  },
  "foreign-mapping": {
    cause:
      "A discriminator maps a value to a schema that is not among the alternatives of oneOf or anyOf. It would never be chosen.",
    example: "oneOf: [Cat, Dog]\nmapping: { fish: Fish }",
    remedy: "Add the schema to the alternatives, or remove the mapping.",
  },
  "extended-alternatives": {
    cause:
      "A schema lists its alternatives, and one of them extends that schema again: read literally, no value could be validated. It is read as an alternative with the members next to the list.",
    example:
      "Pet:\n  properties: { name: { type: string } }\n  oneOf: [{ $ref: '#/Cat' }]\nCat:\n  allOf: [{ $ref: '#/Pet' }]   # endless",
    remedy: "Move what all share into a schema of its own, such as PetBase, and let the alternatives extend that one.",
  },
  "unknown-keyword": {
    cause: "JSON Schema ignores keywords that it does not know. A slip of the pen would silently assert nothing.",
    example: "maxlength: 10   # maxLength",
    remedy: "Correct the name. Begin keywords of your own with x-.",
  },
  "null-default": {
    cause:
      "A default applies where a value is left out. Null does not match the type, so leaving the value out would be invalid.",
    example: "type: string\ndefault: null",
    remedy: "Leave the default out, or allow null.",
  },
  "foreign-nullable": {
    cause:
      "nullable is a keyword of OpenAPI 3.0. From 3.1 on, and in JSON Schema, it means nothing, so null is refused.",
    example: "openapi: 3.1.0 … type: string\nnullable: true",
    remedy: "Write type: [string, 'null'], or anyOf with { type: 'null' }.",
  },
  "implied-type": {
    cause:
      "Without a type, a keyword such as properties holds only for values of its own type, and all others match. Most authors mean only objects.",
    example: "properties: { name: { type: string } }   # 12 matches as well",
    remedy: "Add the type. Where other values are really allowed, nothing needs to be done.",
  },
};
