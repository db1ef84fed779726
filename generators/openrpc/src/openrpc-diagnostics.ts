import type { DiagnosticCatalogue } from "@nodewright/source";

/** Diagnostics of OpenRPC documents, by the code without its prefix. */
export const openrpcDiagnostics = {
  "not-openrpc": {
    severity: "error",
    message: "This is not an OpenRPC document: {problem}.",
    hint: 'An OpenRPC document begins with "openrpc: 1.3.2" (or another 1.x version).',
  },
  "unsupported-version": {
    severity: "error",
    message: "OpenRPC {version} is not supported.",
    hint: "Supported are the versions 1.0 to 1.4.",
  },
  "schema-violation": { severity: "error", message: "{problem}." },
  "duplicate-method": { severity: "error", message: 'The method "{method}" is already described at line {line}.' },
  "duplicate-parameter": { severity: "error", message: 'The parameter "{name}" of {method} is described twice.' },
  "required-after-optional": {
    severity: "warning",
    message: 'The required parameter "{name}" of {method} stands after an optional one.',
    hint: "Callers by position cannot leave out a parameter that is followed by another; they give null, or call by name.",
  },
  "unknown-structure": {
    severity: "error",
    message: '"{structure}" is not a parameter structure.',
    hint: "It is by-name, by-position or either.",
  },
  "wrong-error-code": { severity: "error", message: "The code of an error must be an integer." },
  "unknown-example-parameter": {
    severity: "error",
    message: 'The example "{name}" of {method} has a value for "{parameter}", which is not one of its parameters.',
  },
  "too-many-example-parameters": {
    severity: "error",
    message: 'The example "{name}" of {method} gives more values than it has parameters.',
  },
  "wrong-envelope": { severity: "error", message: '"x-envelope" is an object whose "members" is "both" or "one".' },
  "unknown-link-target": {
    severity: "warning",
    message: 'The link "{name}" leads to a method "{method}" that does not exist; it is left out.',
  },
} as const;

openrpcDiagnostics satisfies DiagnosticCatalogue;
