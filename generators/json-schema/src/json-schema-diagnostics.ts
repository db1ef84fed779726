import type { DiagnosticCatalogue } from "@nodewright/source";

/** Diagnostics of schemas in OpenAPI and OpenRPC documents, by the code without its prefix. */
export const jsonSchemaDiagnostics = {
  "not-a-schema": { severity: "error", message: "A schema is an object or a boolean, not {found}." },
  "wrong-keyword-value": { severity: "error", message: 'The keyword "{keyword}" takes {expected}, not {found}.' },
  "wrong-annotation": {
    severity: "warning",
    message: 'The keyword "{keyword}" takes {expected}, not {found}; it has no effect.',
  },
  "unknown-type": {
    severity: "error",
    message: '"{type}" is not a type of JSON Schema{suggestion}.',
    hint: "The types are null, boolean, object, array, number, integer and string.",
  },
  "invalid-pattern": { severity: "error", message: "This pattern is not a regular expression: {problem}." },
  "costly-pattern": {
    severity: "warning",
    message: "Matching this pattern takes {growth} time where engines backtrack, for example with {attack}.",
    hint: "Generated validators match {linear}; write it so that a text can be matched in one way only.",
  },
  "contradictory-bounds": { severity: "error", message: "Nothing can match: {lower} is above {upper}." },
  "empty-enumeration": { severity: "warning", message: "An enum without values matches nothing." },
  "impossible-value": {
    severity: "warning",
    message: "The value {value} is not of type {types}, so nothing can match it.",
    hint: "Remove the value, or change the type.",
  },
  "endless-reference": {
    severity: "error",
    message:
      "Circular reference: this schema refers to itself without consuming any part of the value, so no value can be validated.",
    hint: "A schema may refer to itself from a member or an item.",
  },
  "too-deep": {
    severity: "error",
    message: "This schema refers to more than {depth} nested schemas that apply to the same value.",
    hint: "Refer to what is meant without so many steps between.",
  },
  "duplicate-id": {
    severity: "error",
    message: 'The identifier "{id}" is given to two schemas.',
    hint: "The first is in {file} on line {line}; change one of the two.",
  },
  "unknown-vocabulary": {
    severity: "error",
    message: 'The metaschema requires the vocabulary "{vocabulary}", which is not known.',
    hint: "A schema may not be read without a vocabulary that its metaschema requires.",
  },
  "unknown-mapping": {
    severity: "error",
    message: 'The discriminator maps "{value}" to "{target}", which does not exist.',
    hint: "Name a schema of the components, or refer to one.",
  },
  "foreign-mapping": {
    severity: "warning",
    message: 'The discriminator maps "{value}" to "{target}", which is not one of the alternatives; it has no effect.',
  },
  "extended-alternatives": {
    severity: "warning",
    message: '"{name}" has what extends it among its own alternatives: here it is read without them.',
    hint: "Put what both share into a schema of its own, and extend that.",
  },
  "unknown-keyword": {
    severity: "warning",
    message: 'The keyword "{keyword}" is not known{suggestion}; it has no effect.',
    hint: "Names of your own begin with x-.",
  },
  "null-default": {
    severity: "warning",
    message: "The default null does not match its schema; it is ignored.",
    hint: "Leave the default out, or allow null.",
  },
  "foreign-nullable": {
    severity: "warning",
    message: '"nullable" has no effect here: it belongs to OpenAPI 3.0.',
    hint: 'Say "type: [..., null]", or give null as an alternative.',
  },
  "implied-type": {
    severity: "warning",
    message: 'Without "type", "{keyword}" holds for values of type {type} alone: all others match.',
    hint: 'Add "type: {type}" if nothing else is meant.',
  },
} as const;

jsonSchemaDiagnostics satisfies DiagnosticCatalogue;
