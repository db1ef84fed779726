import type { Explanations } from "./explanation.ts";

export const openrpcExplanations: Explanations = {
  "not-openrpc": {
    cause: "The document was read as OpenRPC, and its top level is not that of an OpenRPC document.",
    example: "openrpc: true",
    remedy: 'Begin it with "openrpc: 1.3.2", an info object and a list of methods.',
  },
  "unsupported-version": {
    cause:
      "The document names a version of OpenRPC that this reader does not know, so its members could mean anything.",
    example: "openrpc: 2.0.0",
    remedy: "Use one of the versions that the message names.",
  },
  "schema-violation": {
    cause: "The document breaks the official meta-schema of its version of OpenRPC.",
    example: "methods: { eth_blockNumber: {} }   # methods is a list",
    remedy: "Follow the message. Members of your own begin with x-.",
  },
  "duplicate-method": {
    cause: "Two methods have one name, and a call could mean either.",
    example: "- name: getPet\n- name: getPet",
    remedy: "Rename or remove one of the two.",
  },
  "duplicate-parameter": {
    cause: "A method has two parameters of one name; a call by name could give only one of them.",
    example: "params: [{ name: id, … }, { name: id, … }]",
    remedy: "Rename one of the two.",
  },
  "required-after-optional": {
    cause: "A caller by position cannot leave out a parameter that is followed by one that has to be given.",
    example: "params: [{ name: limit }, { name: id, required: true }]",
    remedy: "Put required parameters first, or let the method be called by name.",
  },
  "unknown-structure": {
    cause: "paramStructure defines how parameters are passed, and has three values.",
    example: "paramStructure: named",
    remedy: "Use by-name, by-position or either.",
  },
  "wrong-error-code": {
    cause: "In JSON-RPC 2.0 (section 5.1) error codes are integers.",
    example: 'errors: [{ code: "404", message: Not found }]',
    remedy: "Write the code as a number.",
  },
  "unknown-example-parameter": {
    cause: "An example gives a value by a name that no parameter of its method has.",
    example: "examples: [{ params: [{ name: petID, value: 1 }] }]   # the parameter is petId",
    remedy: "Correct the name in the example.",
  },
  "too-many-example-parameters": {
    cause: "An example gives more values than its method has parameters.",
    example: "params: [a]   # and an example with two values",
    remedy: "Remove the values, or describe the parameter.",
  },
  "wrong-envelope": {
    cause: "x-envelope defines the members of a response, and this is not a valid value.",
    example: "x-envelope: both",
    remedy: "Write x-envelope: { members: both }, or leave it out.",
  },
  "unknown-link-target": {
    cause: "A link names a method that the document does not describe. It is left out.",
    example: "links: [{ name: next, method: getNextPet }]   # the method getNextPet does not exist",
    remedy: "Correct the name, or describe the method.",
  },
};
