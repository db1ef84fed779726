import type { DiagnosticCatalogue } from "@nodewright/source";

export const openapiDiagnostics = {
  "not-openapi": {
    severity: "error",
    message: "This is no OpenAPI document: {problem}.",
    hint: 'An OpenAPI document begins with "openapi: 3.1.0" (or another 3.x version).',
  },
  "unsupported-version": {
    severity: "error",
    message: "OpenAPI {version} is not supported.",
    hint: "Supported are the versions 3.0, 3.1 and 3.2.",
  },
  "schema-violation": { severity: "error", message: "{problem}." },
  "path-without-slash": { severity: "error", message: 'The path "{path}" does not begin with "/".' },
  "duplicate-path": { severity: "error", message: 'The path "{path}" matches the same requests as {firstUse}.' },
  "missing-operation-id": {
    severity: "warning",
    message: "{origin} has no operationId; it is called {name}.",
    hint: "Give it an operationId: names in generated code then survive a change of its path.",
  },
  "duplicate-operation-id": {
    severity: "error",
    message: 'Operation id "{operationId}" is already used by {firstUse}.',
  },
  "unknown-parameter-location": {
    severity: "error",
    message: '"{location}" is no place for a parameter{suggestion}.',
    hint: "Parameters stand in path, query, header or cookie.",
  },
  "duplicate-parameter": { severity: "error", message: 'The {location} parameter "{name}" is described twice.' },
  "undescribed-path-parameter": {
    severity: "error",
    message: 'The path has a hole "{name}" and no path parameter of that name.',
    hint: "Add the parameter to the operation or to its path item.",
  },
  "unused-path-parameter": {
    severity: "error",
    message: 'The path "{path}" has no hole for the path parameter "{name}".',
  },
  "optional-path-parameter": {
    severity: "error",
    message: 'The path parameter "{name}" has to be required.',
    hint: 'Add "required: true".',
  },
  "unknown-style": { severity: "error", message: 'A {location} parameter cannot have the style "{style}".' },
  "no-success": {
    severity: "error",
    message: "{origin} describes no success.",
    hint: "Add a response for 200 or another 2xx status.",
  },
  "wrong-status": {
    severity: "error",
    message: '"{status}" is no HTTP status.',
    hint: 'Use three digits, 1XX to 5XX, or "default".',
  },
  "unsupported-content": {
    severity: "error",
    message: "Bodies of {mediaType} are not supported yet.",
    hint: "Supported are JSON, text and binary bodies.",
  },
  "unpaired-example": {
    severity: "warning",
    message: 'The example "{name}" of {origin} has no answer of that name.',
    hint: "An example of a parameter and an example of a response with the same name make a case.",
  },
  "example-lacks-input": {
    severity: "warning",
    message: 'The example "{name}" of {origin} gives no value for the required "{parameter}".',
  },
  "unknown-security-scheme": {
    severity: "error",
    message: 'There is no security scheme "{name}".',
    hint: "Describe it under components/securitySchemes.",
  },
  "unknown-link-target": {
    severity: "error",
    message: 'The link "{name}" leads to an operation "{operationId}" that does not exist.',
  },
} as const;

openapiDiagnostics satisfies DiagnosticCatalogue;
