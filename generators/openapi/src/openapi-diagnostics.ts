import type { DiagnosticCatalogue } from "@nodewright/source";

/** Hint for something that is not supported. */
const waysAround =
  'Leave the operation out: "skip: true" for it under "operations" in the configuration, or "skipUnsupported: true" for all such.';

/** Diagnostics of OpenAPI documents, by the code without its prefix. */
export const openapiDiagnostics = {
  "not-openapi": {
    severity: "error",
    message: "This is not an OpenAPI document: {problem}.",
    hint: 'An OpenAPI document begins with "openapi: 3.1.0" (or another 3.x version).',
  },
  "unsupported-version": {
    severity: "error",
    message: "OpenAPI {version} is not supported.",
    hint: "Supported are the versions 3.0, 3.1 and 3.2.",
  },
  "schema-violation": { severity: "error", message: "{problem}." },
  "path-without-slash": { severity: "error", message: 'The path "{path}" does not begin with "/".' },
  "malformed-path": {
    severity: "error",
    message: 'The path "{path}" {problem}.',
    hint: "A path parameter is a name in braces.",
  },
  "repeated-hole": { severity: "error", message: 'The path "{path}" has the path parameter "{name}" twice.' },
  "duplicate-path": {
    severity: "error",
    message: "{origin} matches the same requests as {firstUse}.",
    hint: "Names of path parameters do not distinguish paths.",
  },
  "missing-operation-id": {
    severity: "warning",
    message: "{origin} has no operationId; it is called {name}{others}.",
    hint: "Give it an operationId: names in generated code then survive a change of its path.",
  },
  "duplicate-operation-id": {
    severity: "error",
    message: 'Operation id "{operationId}" is already used by {firstUse}.',
  },
  "operation-name-clash": {
    severity: "warning",
    message: "The name {wanted} is already that of {firstUse}; {origin} is called {name}.",
    hint: 'Give it another operationId, or a "name" under "operations" in the configuration.',
  },
  "unsupported-method": {
    severity: "error",
    message: "Requests with the method {method} are not supported.",
    hint: waysAround as string,
  },
  "unsupported-path": {
    severity: "error",
    message: 'The path "{path}" holds "{character}", which no server matches in a path.',
    hint: waysAround as string,
  },
  "unsupported-parameter": {
    severity: "error",
    message: "A parameter for the complete query string as {mediaType} is not supported.",
    hint: waysAround as string,
  },
  "unsupported-parts": {
    severity: "error",
    message: "Parts of {mediaType} that are known by their position are not supported.",
    hint: waysAround as string,
  },
  "unknown-parameter-location": {
    severity: "error",
    message: '"{location}" is not a location of parameters{suggestion}.',
    hint: "Parameters are located in {locations}.",
  },
  "duplicate-parameter": { severity: "error", message: 'The {location} parameter "{name}" is described twice.' },
  "undescribed-path-parameter": {
    severity: "error",
    message: 'The path contains the parameter "{name}", and the operation has no path parameter of that name.',
    hint: "Add the parameter to the operation or to its path item.",
  },
  "unused-path-parameter": {
    severity: "error",
    message: 'The path "{path}" does not contain the path parameter "{name}".',
  },
  "optional-path-parameter": {
    severity: "error",
    message: 'The path parameter "{name}" is without "required: true".',
    hint: "A path without the value would be another path.",
  },
  "unknown-style": {
    severity: "error",
    message: '{owner} cannot have the style "{style}"{suggestion}.',
    hint: "Its styles are {styles}.",
  },
  "schema-and-content": {
    severity: "error",
    message: '{owner} has either "schema" or "content", not both.',
  },
  "wrong-target": {
    severity: "error",
    message: 'The reference "{reference}" leads to {found}, where an object has to be.',
  },
  "unknown-dialect": {
    severity: "warning",
    message: 'The dialect "{dialect}" is not known; schemas that name no other are read as JSON Schema 2020-12.',
  },
  "component-name": {
    severity: "warning",
    message:
      'OpenAPI allows only letters, digits, ".", "-" and "_" in the name of a component, unlike "{name}"{others}.',
  },
  "several-parameter-contents": {
    severity: "error",
    message: 'The parameter "{name}" is written in one media type, not in {count}.',
  },
  "no-success": {
    severity: "warning",
    message: "{origin} declares no success: any 2xx response is read as one without a body{others}.",
    hint: "Add a response for 200 or another 2xx status.",
  },
  "wrong-status": {
    severity: "error",
    message: '"{status}" is not an HTTP status{suggestion}.',
    hint: 'Use three digits, 1XX to 5XX, or "default".',
  },
  "wrong-media-type": {
    severity: "error",
    message: '"{mediaType}" is not a media type.',
    hint: "A media type has two parts, as in application/json.",
  },
  "repeated-media-type": {
    severity: "error",
    message: '"{mediaType}" is the same media type as "{firstUse}".',
  },
  "opaque-content": {
    severity: "warning",
    message: "Bodies of {mediaType} are handed over as {form}: their schema is not applied{others}.",
  },
  "body-of-get": {
    severity: "warning",
    message: "The body of a {method} request has no meaning in HTTP and is left out{others}.",
  },
  "null-schema": {
    severity: "warning",
    message: "This schema is null; the body is read as one that may be anything{others}.",
    hint: "Describe the body, or remove the member.",
  },
  "unknown-encoding": {
    severity: "warning",
    message: 'The encoding of "{name}" has no effect: the body has no such property.',
  },
  "unpaired-example": {
    severity: "warning",
    message: 'The example "{name}" of {origin} has no response example of that name.',
    hint: "An example of a parameter and an example of a response with the same name make a case.",
  },
  "example-lacks-input": {
    severity: "warning",
    message: 'The example "{name}" of {origin} gives no value for the required "{parameter}".',
  },
  "unknown-security-scheme": {
    severity: "warning",
    message: 'There is no security scheme "{name}"{suggestion}; an alternative that requires it cannot be met.',
    hint: "Describe it under components/securitySchemes.",
  },
  "unknown-scheme-type": {
    severity: "error",
    message: '"{type}" is not a type of security scheme{suggestion}.',
    hint: "The types are {types}.",
  },
  "wrong-key-location": {
    severity: "error",
    message: '"{location}" is not a location of API keys.',
    hint: "API keys are located in query, header or cookie.",
  },
  "unknown-flow": {
    severity: "error",
    message: '"{flow}" is not a flow of OAuth 2{suggestion}.',
    hint: "The flows are {flows}.",
  },
  "missing-flow-url": { severity: "error", message: 'The flow "{flow}" has no "{name}".' },
  "undescribed-server-variable": {
    severity: "error",
    message: 'The URL contains the variable "{name}", which the server does not declare.',
    hint: 'Describe it under "variables", with a default.',
  },
  "wrong-server-default": {
    severity: "error",
    message: 'The default "{value}" is not one of the values of the variable "{name}".',
  },
  "servers-of-operations": {
    severity: "warning",
    message: "Servers of single paths and operations are not read{others}: clients take a URL.",
    hint: "Create a client with the other URL for them.",
  },
  "duplicate-tag": { severity: "error", message: 'The tag "{name}" is described twice.' },
  "unknown-link-target": {
    severity: "error",
    message: 'The link "{name}" leads to an operation "{operationId}" that does not exist{suggestion}.',
  },
  "link-without-target": {
    severity: "error",
    message: 'The link "{name}" {problem}.',
    hint: "A link has either an operationId or an operationRef.",
  },
  "unknown-link-parameter": {
    severity: "warning",
    message: 'The link "{name}" has a value for "{parameter}", which is not a parameter of {target}.',
  },
  "wrong-callback-expression": {
    severity: "error",
    message: 'The expression "{expression}" is not a URL with runtime expressions: {problem}.',
  },
} as const;

openapiDiagnostics satisfies DiagnosticCatalogue;
