import type { DiagnosticCatalogue } from "./diagnostic.ts";

/** Diagnostics of files, their syntax and their `$ref`s, by the code without its prefix. */
export const sourceDiagnostics = {
  "file-not-found": {
    severity: "error",
    message: "Cannot read {path}: {reason}.",
    hint: "Check the path; it is taken from the file that names it.",
  },
  "not-utf-8": {
    severity: "error",
    message: "This file is not valid UTF-8: {format}.",
    hint: "Save it as UTF-8.",
  },
  "json-syntax": { severity: "error", message: "{problem}" },
  "yaml-syntax": { severity: "error", message: "{problem}" },
  "duplicate-key": {
    severity: "error",
    message: 'The key "{name}" stands twice in this object.',
    hint: "Keep one of the two; the first is on line {line}.",
  },
  "too-deep": { severity: "error", message: "Values are nested more than {depth} levels deep." },
  "recursive-alias": { severity: "error", message: 'The alias "*{name}" stands inside the value that it repeats.' },
  "unknown-alias": {
    severity: "error",
    message: 'No anchor "&{name}" stands before the alias "*{name}".',
  },
  "unknown-tag": {
    severity: "warning",
    message: "This tag has no meaning here; the value is read without it.",
    hint: "JSON has no tags: write a text, a number, true, false, null, a list or an object.",
  },
  "key-is-no-text": { severity: "error", message: "A key is a text, not a list or an object." },
  "number-too-large": {
    severity: "error",
    message: "The number {number} is larger than any that a double holds.",
  },
  "too-many-aliases": {
    severity: "error",
    message: 'With the alias "*{name}" the document holds more than {limit} values.',
    hint: "Aliases of aliases multiply. Write the value out where it is needed, or refer to it with $ref.",
  },
  "unresolved-reference": {
    severity: "error",
    message: 'The reference "{reference}" leads nowhere: {reason}.',
  },
  "remote-reference": {
    severity: "error",
    message: 'The reference "{reference}" is a URL, and is not followed.',
    hint: "References are resolved offline: save the document next to this one and refer to the file.",
  },
  "outside-reference": {
    severity: "error",
    message: "{file} is outside of the document's folder, at {place}, and was not read.",
    hint: 'Move it below the document, or allow its folder: --allow-ref {folder}, or referenceFolders: ["{folder}"] in the configuration.',
  },
  "circular-reference": {
    severity: "error",
    message: 'The reference "{reference}" only leads back to itself.',
  },
} as const;

sourceDiagnostics satisfies DiagnosticCatalogue;
