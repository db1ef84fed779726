import type { DiagnosticCatalogue } from "@nodewright/source";

/** Diagnostics of GraphQL schemas and operation documents, by the code without its prefix. */
export const graphqlDiagnostics = {
  syntax: { severity: "error", message: "{problem}" },
  "too-deep": { severity: "error", message: "Brackets are nested more than {depth} levels deep." },
  "operation-in-schema": {
    severity: "error",
    message: "A schema holds no operations and no fragments.",
    hint: 'Put it into a file of its own in the directory that the configuration names as "operationDocuments".',
  },
  "wrong-default": { severity: "error", message: "The default {value} of {place} is not a value of {type}." },
  "circular-default": {
    severity: "error",
    message: "The default {value} of {place} contains a value of {type}, of which this field is a part.",
    hint: "A default that contains itself has no end (section 3.10); leave it out, or give it to the arguments.",
  },
  "invalid-schema": { severity: "error", message: "{problem}" },
  "invalid-operation": { severity: "error", message: "{problem}" },
  "repeated-field": {
    severity: "warning",
    message: "{field} is described twice, in the same words; the second is left out.",
    hint: "Section 3.6 allows a field once in each type.",
  },
  "only-extended": {
    severity: "warning",
    message: 'The type "{name}" is extended here and not defined; the extension is read as its definition.',
    hint: "Leave out the word extend where nothing else defines it.",
  },
  "unknown-directive": {
    severity: "warning",
    message: 'The directive "@{name}" is not defined in this document; it changes nothing here.',
    hint: "Define it, as in: directive @{name} on FIELD_DEFINITION.",
  },
  "no-query": {
    severity: "error",
    message: "The schema has no Query type.",
    hint: "Every GraphQL schema needs one (section 3.3.1).",
  },
  "anonymous-operation": {
    severity: "error",
    message: "This operation has no name.",
    hint: "The name becomes a method of the client.",
  },
  "duplicate-operation": { severity: "error", message: 'The operation "{name}" is already described in {file}.' },
  "not-an-example": { severity: "error", message: 'An example has a name, variables, and either "data" or "errors".' },
  "unused-fragment": {
    severity: "warning",
    message: 'No operation uses the fragment "{name}".',
    hint: "It is sent with none of them.",
  },
  "unclaimed-example": {
    severity: "error",
    message: "This example does not say to which operation of {file} it belongs.",
    hint: 'Add "operation" with the name of one: {operations}.',
  },
  "not-relations": {
    severity: "error",
    message: 'The relations of operations are a list, in which each has its "name" and what "holds".',
  },
  "unclaimed-relation": {
    severity: "error",
    message: "This relation does not say to which operation of {file} it belongs.",
    hint: 'Add "operation" with the name of one: {operations}.',
  },
  "unknown-variable": { severity: "error", message: 'The operation "{operation}" has no variable "{variable}".' },
  "not-a-range": {
    severity: "error",
    message: 'Each entry must have "from", "to" and "items", and may have "length", "end" and "operation".',
    hint: "The first three are paths, as in filter.fromBlock.",
  },
  "unclaimed-pages": {
    severity: "error",
    message: "These pages do not say to which operation of {file} they belong.",
    hint: 'Add "operation" with the name of one: {operations}.',
  },
  "duplicate-pages": { severity: "error", message: 'The pages of the operation "{operation}" are described twice.' },
  "pages-of-no-query": {
    severity: "error",
    message: 'The operation "{operation}" is a {root}, and only a query has pages.',
  },
  "wrong-page-length": { severity: "error", message: "The length of a page is an integer of at least 1." },
  "unknown-range-variable": {
    severity: "error",
    message: 'The operation "{operation}" has no variable, or member of one, at "{path}".',
  },
  "no-integer-variable": {
    severity: "error",
    message: 'The input "{path}" of the operation "{operation}" is not an integer: its type is {type}.',
    hint: "Int and scalars of the schema's own are.",
  },
  "unknown-range-items": {
    severity: "error",
    message: 'The response of the operation "{operation}" has no list at "{path}".',
  },
  "unknown-range-end": {
    severity: "error",
    message: "The end of a range needs a query without required variables and the path of an integer in its response.",
    hint: "As in LatestBlock.block.number.",
  },
  "unknown-scalar": {
    severity: "error",
    message: 'The configuration describes a scalar "{scalar}" that the schema does not declare.',
  },
} as const;

graphqlDiagnostics satisfies DiagnosticCatalogue;
