import type { Explanations } from "./explanation.ts";

export const sourceExplanations: Explanations = {
  "file-not-found": {
    cause: "A file that the configuration, the command line or a $ref names is not there, or may not be read.",
    example: '$ref: "./schemas/pets.yaml#/Pet"   # and schemas/pets.yaml does not exist next to this file',
    remedy:
      "Correct the path. A path in a $ref starts at the file that holds it, one in the configuration at the configuration.",
  },
  "not-utf-8": {
    cause:
      "JSON, YAML and GraphQL documents are UTF-8, and this file has invalid bytes: it was saved in another encoding, or is not a text file.",
    example: "nodewright explain > document.yaml   # in a Windows shell that writes UTF-16",
    remedy: "Save the file as UTF-8; an editor offers it under 'save with encoding'.",
  },
  "json-syntax": {
    cause:
      "The text is not JSON (RFC 8259), so nothing in it can be trusted. The place is the first character that does not fit.",
    example: '{ "openapi": "3.1.0", }   // a comma before the brace',
    remedy: "Correct the syntax there. JSON has no comments, trailing commas or single quotes; YAML allows them.",
  },
  "yaml-syntax": {
    cause: "The text is not YAML 1.2. Indentation that went wrong often shows only a few lines later.",
    example: "info:\n  title: Pets: all of them   # a second colon needs quotes",
    remedy: "Correct the indentation, or put the text into quotes.",
  },
  "duplicate-key": {
    cause:
      "An object gives the same key twice. JSON leaves open which one counts, so tools disagree about the document.",
    example: "get: { operationId: listPets }\nget: { operationId: findPets }",
    remedy: "Keep one of the two, or rename one.",
  },
  "too-deep": {
    cause:
      "Values are nested deeper than any description of an API needs. Such a document would exhaust the memory of its readers.",
    example: "[[[[[[[[[[ … ]]]]]]]]]]   # many thousands of levels",
    remedy: "Flatten the value. Recursive types are written with a $ref, not by repeating them.",
  },
  "recursive-alias": {
    cause: "A YAML alias is inside the value of its own anchor. Expanded, the value would be infinite.",
    example: "Node: &node\n  child: *node",
    remedy: "Refer to the schema with a $ref: references may lead in circles, values may not.",
  },
  "unknown-alias": {
    cause: "A YAML alias repeats a value that no anchor before it has named.",
    example: "schema: *pet   # and nothing above is marked &pet",
    remedy: "Correct the name, or put the anchor in front of the first use.",
  },
  "unknown-tag": {
    cause: "A YAML tag has a type that JSON does not have. The tag is ignored.",
    example: "released: !date 2024-01-01",
    remedy: "Remove the tag; say what a text means with the format of its schema.",
  },
  "key-is-no-text": {
    cause: "YAML allows lists and objects as keys, JSON only texts. Descriptions of APIs are JSON in either spelling.",
    example: "? [a, b]\n: value",
    remedy: "Use a text as the key.",
  },
  "number-too-large": {
    cause:
      "The number is beyond the range of IEEE 754 doubles, which represent JSON numbers; it would become infinite.",
    example: "maximum: 1e999",
    remedy: "Leave a bound out that bounds nothing, or describe the value as a text with a pattern.",
  },
  "too-many-aliases": {
    cause:
      "Aliases that repeat aliases multiply: a few lines can expand to billions of values. Reading stops before that.",
    example: "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]   # and so on",
    remedy: "Put shared parts under components and refer to them with $ref: a reference costs nothing.",
  },
  "unresolved-reference": {
    cause: "A $ref names a value that does not exist. Everything that depends on it is unknown.",
    example: '$ref: "#/components/schemas/Pett"   # the schema is called Pet',
    remedy: "Correct the name. In a JSON Pointer, / is written ~1 and ~ is written ~0.",
  },
  "remote-reference": {
    cause:
      "A $ref is a URL, of whatever scheme. Documents are read offline, so that the same input gives the same output everywhere.",
    example: '$ref: "https://example.com/schemas/pet.json"',
    remedy: "Save the document next to this one and refer to the file.",
  },
  "outside-reference": {
    cause:
      "A reference leaves the folder of the document, with .. or through a symbolic link. A third-party document could read any file of this machine that way, and messages would show its first lines.",
    example: '$ref: "../../../etc/hostname"',
    remedy:
      "Move the file below the document's folder. Where several documents share files, allow their folder: --allow-ref DIR on the command line, or referenceFolders in the configuration.",
  },
  "circular-reference": {
    cause: "A $ref leads to a $ref that leads back to it, so it never reaches a value.",
    example: 'A: { $ref: "#/components/schemas/B" }\nB: { $ref: "#/components/schemas/A" }',
    remedy: "Describe one of them. A schema that holds itself in a member or an item is fine.",
  },
};

export const documentExplanations: Explanations = {
  "missing-member": {
    cause: "The specification requires a member that is not there, and what is generated depends on it.",
    example: 'info: { title: Pets }   # info has no "version"',
    remedy: "Add the member; the message describes its purpose.",
  },
  "wrong-member": {
    cause: "A member holds a value of another type than the specification gives it.",
    example: "required: yes please   # true or false",
    remedy: "Write a value of that type. YAML reads unquoted yes, 1.0 and 2024-01-01 in ways of its own: quote texts.",
  },
  "unknown-language": {
    cause:
      "The language of a document is identified by its member openapi or openrpc, and a GraphQL schema by its file name. This document has neither.",
    example: "swagger-ui: true\npaths: {}",
    remedy:
      'Begin an OpenAPI document with "openapi: 3.1.0", an OpenRPC document with "openrpc: 1.3.2"; call a GraphQL schema *.graphql.',
  },
};
