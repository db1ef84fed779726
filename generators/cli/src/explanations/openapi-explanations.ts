import type { Explanations } from "./explanation.ts";

export const openapiExplanations: Explanations = {
  "not-openapi": {
    cause: "The document was read as OpenAPI, and its top level is not that of an OpenAPI document.",
    example: "openapi: 3   # a text such as 3.1.0",
    remedy: 'Begin it with "openapi: 3.1.0", an info object and paths.',
  },
  "unsupported-version": {
    cause: "The version of the document is not supported. Swagger 2.0 differs too much from 3.x to be read like it.",
    example: 'swagger: "2.0"',
    remedy: "Convert the document to OpenAPI 3.0 or later; converters for Swagger 2.0 are widely available.",
  },
  "schema-violation": {
    cause:
      "The document breaks the official schema of its version of OpenAPI, in a way that no more specific diagnostic describes.",
    example: "responses: []   # an object, status by status",
    remedy: "Follow the message. Members of your own begin with x-.",
  },
  "path-without-slash": {
    cause: "Paths are appended to the URL of a server and begin with a slash (OpenAPI, Paths Object).",
    example: "paths: { pets: { … } }",
    remedy: "Write /pets.",
  },
  "malformed-path": {
    cause: "The braces of a path do not form path parameters: one is open, empty or inside another.",
    example: "/pets/{id",
    remedy: "Close each brace around a name: /pets/{id}.",
  },
  "repeated-hole": {
    cause: "A path has two path parameters of one name.",
    example: "/pets/{id}/toys/{id}",
    remedy: "Name them apart: /pets/{petId}/toys/{toyId}.",
  },
  "duplicate-path": {
    cause: "Two paths match the same requests, since names of path parameters do not count. A server could not choose.",
    example: "/pets/{id} and /pets/{name}",
    remedy: "Merge the two path items, or change one of the paths.",
  },
  "missing-operation-id": {
    cause:
      "An operation has no operationId. Its name in generated code is made from its method and path and changes with them.",
    example: "get: { responses: { … } }",
    remedy: "Add an operationId, or a name under operations in the configuration.",
  },
  "duplicate-operation-id": {
    cause:
      "Two operations have one operationId, which has to be unique (OpenAPI, Operation Object): generated functions would clash.",
    example: "operationId: getPet   # under /pets/{id} and under /animals/{id}",
    remedy: "Rename one of the two.",
  },
  "operation-name-clash": {
    cause: "Two different operationIds give one name in generated code, so one of them has got another name.",
    example: "operationId: get-pet and operationId: getPet",
    remedy: "Give one another operationId, or choose the name under operations in the configuration.",
  },
  "unsupported-method": {
    cause: "The operation has an HTTP method that clients and servers of this version are not generated for.",
    example: "connect: { … }",
    remedy: "Skip the operation in the configuration, or set skipUnsupported to leave out all that is not supported.",
  },
  "unsupported-path": {
    cause: "The path holds a character that never arrives in a path, such as ? or #: no request would match.",
    example: "/pets?kind=dog",
    remedy: "Describe what follows ? as query parameters; or skip the operation, or set skipUnsupported.",
  },
  "unsupported-parameter": {
    cause: "A parameter for the complete query string has a media type whose encoding is not supported.",
    example: "in: querystring\ncontent: { application/xml: { … } }",
    remedy: "Describe query parameters one by one; or skip the operation, or set skipUnsupported.",
  },
  "unsupported-parts": {
    cause: "A multipart body describes its parts by position. Parts are known by their names here.",
    example: "multipart/mixed: { prefixEncoding: [ … ] }",
    remedy: "Use multipart/form-data with properties; or skip the operation, or set skipUnsupported.",
  },
  "unknown-parameter-location": {
    cause: "in is the location of a parameter, and this is not one.",
    example: "in: body   # Swagger 2.0",
    remedy: "Use path, query, header or cookie; a body is described as requestBody.",
  },
  "duplicate-parameter": {
    cause: "Two parameters have the same name and place (OpenAPI, Operation Object), so one would overwrite the other.",
    example: "parameters: [{ name: id, in: query }, { name: id, in: query }]",
    remedy: "Remove one. A parameter of an operation replaces that of its path item without being a duplicate.",
  },
  "undescribed-path-parameter": {
    cause: "The path contains a path parameter that is not declared, so no request can be built.",
    example: "/pets/{id}: { get: { parameters: [] } }",
    remedy: "Add { name: id, in: path, required: true, schema: … } to the operation or to the path item.",
  },
  "unused-path-parameter": {
    cause: "A path parameter is not part of the path, so its value would never be sent.",
    example: "/pets: { parameters: [{ name: id, in: path }] }",
    remedy: "Add the parameter in braces to the path, or remove it.",
  },
  "optional-path-parameter": {
    cause:
      "Without a value for each path parameter there is no path: they are always required (OpenAPI, Parameter Object).",
    example: "{ name: id, in: path }",
    remedy: "Add required: true.",
  },
  "unknown-style": {
    cause:
      "A style defines how a value is serialized, and each location allows only some of them (OpenAPI, Style Values).",
    example: "in: header\nstyle: form",
    remedy: "Use one of the styles that the message lists.",
  },
  "schema-and-content": {
    cause:
      "A parameter or header is serialized by a style (schema) or by a media type (content). With both it would be ambiguous.",
    example: "name: filter\nin: query\nschema: { type: object }\ncontent: { application/json: … }",
    remedy: "Keep one of the two.",
  },
  "wrong-target": {
    cause: "The reference leads to a text, a number or a list, where a thing with members has to be.",
    example: '$ref: "#/info/title"',
    remedy: "Refer to the thing itself.",
  },
  "null-schema": {
    cause: "A key without a value is null in YAML, which is not a schema. The body may then be anything.",
    example: "content:\n  application/json:\n    schema:",
    remedy: "Describe the body, or remove the key.",
  },
  "unknown-dialect": {
    cause: "The document declares a dialect of JSON Schema that is not supported.",
    example: "jsonSchemaDialect: https://example.com/our-dialect",
    remedy: "Name one of the dialects from draft-04 to 2020-12, if the schemas are written in it.",
  },
  "component-name": {
    cause:
      "OpenAPI allows few characters in the names of components. Other tools may refuse the document; here nothing is lost.",
    example: "components: { schemas: { Page of pets: … } }",
    remedy: "Rename the component, and what refers to it.",
  },
  "several-parameter-contents": {
    cause: "A parameter with content has exactly one media type; with several it would be ambiguous which was used.",
    example: "content: { application/json: …, text/plain: … }",
    remedy: "Keep one.",
  },
  "no-success": {
    cause: "An operation declares only failures. Its success is read as a response without a body.",
    example: "responses: { 404: { description: Not found } }",
    remedy: "Describe the response for 200 or another 2xx status.",
  },
  "wrong-status": {
    cause: "Responses are keyed by HTTP status codes.",
    example: "responses: { ok: { … } }",
    remedy: "Use three digits, a class such as 4XX, or default.",
  },
  "wrong-media-type": {
    cause: "The key under content is not a media type (RFC 9110, section 8.3.1).",
    example: "content: { json: { … } }",
    remedy: "Write both parts: application/json.",
  },
  "repeated-media-type": {
    cause: "Two keys under content are one media type, since capitals and the order of parameters do not count.",
    example: "application/json and Application/JSON",
    remedy: "Merge the two.",
  },
  "opaque-content": {
    cause:
      "Bodies of this media type are not taken apart: they are handed over as text or bytes, and their schema is not asserted.",
    example: "content: { application/xml: { schema: … } }",
    remedy: "Offer JSON as well where types and validation matter; otherwise nothing needs to be done.",
  },
  "body-of-get": {
    cause:
      "A body of GET, HEAD or DELETE has no defined meaning (RFC 9110, section 9.3), and intermediaries drop it. It is left out.",
    example: "get: { requestBody: { … } }",
    remedy: "Send the values as query parameters, or use POST.",
  },
  "unknown-encoding": {
    cause: "encoding refers to a property that the schema of the body does not have, so it has no effect.",
    example: "schema: { properties: { file: … } }\nencoding: { fle: { … } }",
    remedy: "Correct the name.",
  },
  "unpaired-example": {
    cause:
      "An example of a parameter and one of a response with the same name make a case of the conformance suite. This one has no partner.",
    example: "parameters: examples: { rex: … }   # and no response has an example rex",
    remedy: "Name the example of the response alike, or leave it: this is a warning alone.",
  },
  "example-lacks-input": {
    cause: "A case of the conformance suite cannot be sent: a required parameter has no example of its name.",
    example: "examples: { rex: … } for one of two required parameters",
    remedy: "Add an example of that name to the parameter.",
  },
  "unknown-security-scheme": {
    cause:
      "A security requirement names a scheme that is not declared, so clients can't know which credentials to send.",
    example: "security: [{ apikey: [] }]   # the scheme is apiKey",
    remedy: "Correct the name, or describe the scheme under components/securitySchemes.",
  },
  "unknown-scheme-type": {
    cause: "A security scheme has a type that OpenAPI does not have.",
    example: "type: basic   # Swagger 2.0: now type: http, scheme: basic",
    remedy: "Use one of the types that the message lists.",
  },
  "wrong-key-location": {
    cause: "An API key is sent in the query, in a header or in a cookie.",
    example: "type: apiKey\nin: body",
    remedy: "Use query, header or cookie.",
  },
  "unknown-flow": {
    cause: "OAuth 2 has a fixed set of flows, and this is not one of them.",
    example: "flows: { accessCode: { … } }   # Swagger 2.0: now authorizationCode",
    remedy: "Use one of the flows that the message lists.",
  },
  "missing-flow-url": {
    cause: "An OAuth 2 flow lacks a URL without which no token can be got.",
    example: "flows: { clientCredentials: { scopes: {} } }   # no tokenUrl",
    remedy: "Add the URL.",
  },
  "undescribed-server-variable": {
    cause: "The URL of a server contains a variable that is not declared.",
    example: 'url: "https://{region}.example.com"',
    remedy: "Describe the variable under variables, with a default.",
  },
  "wrong-server-default": {
    cause: "The default of a server variable is not among the values that its enum allows.",
    example: "enum: [eu, us]\ndefault: asia",
    remedy: "Correct the default, or add the value.",
  },
  "servers-of-operations": {
    cause:
      "A path or an operation has servers of its own. A client takes one URL when it is created, so they are not read.",
    example: "/upload: { servers: [{ url: https://files.example.com }] }",
    remedy: "Create a second client with that URL for those operations.",
  },
  "duplicate-tag": {
    cause: "Two tags have one name (OpenAPI Object, tags), and only one description could be shown.",
    example: "tags: [{ name: pets }, { name: pets }]",
    remedy: "Remove one of the two.",
  },
  "unknown-link-target": {
    cause: "A link leads to an operation that the document does not describe.",
    example: "links: { next: { operationId: nextPets } }   # the operation nextPets does not exist",
    remedy: "Correct the operationId, or describe the operation.",
  },
  "link-without-target": {
    cause: "A link has neither operationId nor operationRef, or both, so its target is not defined.",
    example: "links: { next: { parameters: { … } } }",
    remedy: "Give it exactly one of the two.",
  },
  "unknown-link-parameter": {
    cause: "A link gives a value to a parameter that its operation does not have. The value would never be sent.",
    example: "parameters: { petID: … }   # the parameter is petId",
    remedy: "Correct the name; where two parameters have the same name, write path.id or query.id.",
  },
  "wrong-callback-expression": {
    cause:
      "The key of a callback is a URL with runtime expressions (OpenAPI, Runtime Expressions), and this one cannot be evaluated.",
    example: "'{$request.bodyy#/url}': { post: … }",
    remedy: "Write expressions such as {$request.body#/callbackUrl} or {$request.query.url}.",
  },
};
