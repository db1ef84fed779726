import type { Explanations } from "./explanation.ts";

export const configurationExplanations: Explanations = {
  syntax: {
    cause: "The configuration is a TypeScript module, and this one cannot be parsed.",
    example: "export default defineConfig({ documents: [ );",
    remedy: "Correct the text at the place that is shown.",
  },
  failed: {
    cause: "The configuration threw an error while it ran, or imports something that is not there.",
    example: 'import emitter from "./emiter.ts";   // the file is emitter.ts',
    remedy: "Follow the message. Types are stripped and not compiled: enums and parameter properties do not run.",
  },
  "no-configuration": {
    cause: "The module does not export an object with documents as its default export.",
    example: "export const config = { documents: [] };",
    remedy: "export default defineConfig({ documents: [{ source, package }] });",
  },
  "missing-member": {
    cause: "A member without which there is nothing to generate, or nowhere to put it, is left out.",
    example: '{ source: "openapi.yaml" }   // no package',
    remedy: "Add the member that is named.",
  },
  "wrong-member": {
    cause: "A member holds something else than it takes.",
    example: 'artefacts: "types"   // a list',
    remedy: "Write the value that the message names. With defineConfig an editor reports it while you type.",
  },
  "unknown-member": {
    cause: "A member that nodewright does not know would silently do nothing.",
    example: '{ source: "openapi.yaml", packge: "petstore" }',
    remedy: "Correct the name; the message lists what there is.",
  },
  "unknown-artefact": {
    cause: "artefacts lists what is generated, and this is nothing that can be.",
    example: 'artefacts: ["typings"]',
    remedy: "Use types, validators, client, server or conformance.",
  },
  "shared-directory": {
    cause:
      "Two documents would write into one directory, or one into that of the other, and each would remove the other's files.",
    example: '[{ source: "a.yaml", package: "api" }, { source: "b.yaml", package: "api" }]',
    remedy:
      'Give each a package, or at least an output of its own: { package: "api", output: "src/gen/b" } beside "src/gen/a".',
  },
  "input-in-output": {
    cause:
      "A document or a directory of handlers lies where everything belongs to the generator, and what is not generated is removed.",
    example: '{ source: "petstore/src/gen/openapi.yaml", package: "petstore" }',
    remedy: "Move the file out of the generated directory.",
  },
  "unknown-operation": {
    cause:
      "operations decides about an operation that the document does not have: it was renamed, or the name is misspelt.",
    example: 'operations: { listPet: { name: "pets" } }   // the operation is listPets',
    remedy: "Correct the name, or remove the entry.",
  },
  "unknown-declaration": {
    cause: "declarations renames a schema that the document does not have.",
    example: 'declarations: { "pet-modle": "Pet" }',
    remedy: "Write the name as the document spells it, or remove the entry.",
  },
  "wrong-emitter": {
    cause: "An entry of emitters is not an emitter for this version, or it rejects its options.",
    example: "emitters: [{ emitter: zod }]   // zod is a function that makes an emitter",
    remedy: "Follow the message. The interface is documented in nodewright/emitter.",
  },
  "clashing-files": {
    cause:
      "Two emitters write the same file, or files whose names differ only in case, which some file systems do not distinguish.",
    example: 'emit: () => ({ files: [{ path: "types.ts", text }] })   // types.ts is nodewright\'s',
    remedy: "Let the emitter name its file otherwise, or leave one of the two out.",
  },
  "file-outside": {
    cause:
      "An emitter wants to write outside of the generated directory, or under a name that is hidden or no relative path.",
    example: 'files: [{ path: "../index.ts", text }]',
    remedy: "Write below the generated directory, and re-export from a file of your own.",
  },
};
