import type { DiagnosticCatalogue } from "@nodewright/source";

export const jsonSchemaDiagnostics = {
  "not-a-schema": { severity: "error", message: "A schema is an object or a boolean, not {found}." },
  "wrong-keyword-value": { severity: "error", message: 'The keyword "{keyword}" takes {expected}, not {found}.' },
  "unknown-type": {
    severity: "error",
    message: '"{type}" is no type of JSON Schema{suggestion}.',
    hint: "The types are null, boolean, object, array, number, integer and string.",
  },
  "invalid-pattern": { severity: "error", message: "This pattern is no regular expression: {problem}." },
  "contradictory-bounds": { severity: "error", message: "Nothing can match: {lower} is above {upper}." },
  "empty-enumeration": { severity: "error", message: "An enum without values matches nothing." },
  "impossible-value": {
    severity: "error",
    message: "The value {value} is not of type {types}, so nothing can match it.",
    hint: "Remove the value, or change the type.",
  },
  "endless-reference": {
    severity: "error",
    message: "This reference leads back to the schema that it stands in: no value can be held against it.",
    hint: "A schema may refer to itself from a member or an item.",
  },
  "unsupported-keyword": {
    severity: "error",
    message: 'The keyword "{keyword}" is not supported yet.',
    hint: "Say the same with the other keywords, or leave the operation out.",
  },
  "unknown-keyword": {
    severity: "warning",
    message: 'The keyword "{keyword}" is not known{suggestion}; it has no effect.',
    hint: "Names of your own begin with x-.",
  },
  "implied-type": {
    severity: "warning",
    message: 'A schema with "{keyword}" and without "type" is read as one of type {type}.',
    hint: 'Add "type: {type}".',
  },
} as const;

jsonSchemaDiagnostics satisfies DiagnosticCatalogue;
