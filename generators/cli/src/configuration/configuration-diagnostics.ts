import type { DiagnosticCatalogue } from "@nodewright/source";

/** Diagnostics of `nodewright.config.ts`, by itself or together with the documents that it names. */
export const configurationDiagnostics = {
  syntax: { severity: "error", message: "This is not valid TypeScript: {problem}" },
  failed: { severity: "error", message: "The configuration could not be run: {problem}" },
  "no-configuration": {
    severity: "error",
    message: "The file does not export a configuration as default.",
    hint: "export default defineConfig({ documents: [{ source, package }] });",
  },
  "missing-member": { severity: "error", message: '{owner} has no "{name}".', hint: "It has to be {expected}." },
  "wrong-member": { severity: "error", message: '"{name}" has to be {expected}, not {found}.' },
  "unknown-member": {
    severity: "error",
    message: '"{name}" has no meaning here{suggestion}.',
    hint: "There are {known}.",
  },
  "unknown-artefact": {
    severity: "error",
    message: '"{artefact}" is not an artefact{suggestion}.',
    hint: "There are {known}.",
  },
  "shared-directory": {
    severity: "error",
    message: '"{directory}" is written by {owner} too.',
    hint: "Each document needs a directory of its own.",
  },
  "input-in-output": {
    severity: "error",
    message: '"{path}" lies in "{directory}", where everything belongs to the generator.',
    hint: "Keep files of your own elsewhere: what is not generated would be removed.",
  },
  "unknown-operation": {
    severity: "error",
    message: '{document} has no operation "{operation}"{suggestion}.',
    hint: "Operations are named by their operationId, by the name of their method, or as GET /path.",
  },
  "unknown-declaration": { severity: "error", message: '{document} has no schema "{name}"{suggestion}.' },
  "wrong-emitter": { severity: "error", message: "{problem}" },
  "clashing-files": {
    severity: "error",
    message: '"{path}" is written by {first} and by {second}.',
    hint: "Leave one of the two out, or let your emitter name its file otherwise.",
  },
  "file-outside": {
    severity: "error",
    message: '{emitter} returned the file "{path}", which is not inside the generated directory.',
    hint: "Paths of emitted files are relative and take no step up.",
  },
} as const;

configurationDiagnostics satisfies DiagnosticCatalogue;
