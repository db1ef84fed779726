import type { SourceRange } from "@nodewright/source";
import type { ApiModel } from "./read-model.ts";

/** A file to write. `path` is relative to the owner's directory and uses forward slashes. */
export interface EmittedFile {
  readonly path: string;
  readonly text: string;
}

/** A problem of a document that an emitter reports. `source` is that of the type, field, operation or parameter concerned. */
export interface EmitterDiagnostic {
  /** Code in kebab-case; shown with the emitter's name as a prefix: `zod/unsupported-type`. */
  readonly code: string;
  /** An error prevents writing any file of any document; a warning is only shown. */
  readonly severity: "error" | "warning";
  /** One sentence that states the problem. */
  readonly message: string;
  /** One sentence that states how to fix it. */
  readonly hint?: string;
  readonly source: SourceRange;
}

/** Argument of an emitter, which is called once for each document that configures it. */
export interface EmitRequest<Options = unknown> {
  /** The complete API. Do not modify it: all emitters receive the same object. */
  readonly model: ApiModel;
  /** npm name of the generated package, for imports from outside of it. */
  readonly packageName: string;
  /** Result of `parseOptions`. */
  readonly options: Options;
  /** Reports a problem of the document, or something that this emitter cannot express. */
  report(diagnostic: EmitterDiagnostic): void;
}

/** Files of one emitter for one document. */
export interface EmitResult {
  /** Files written under the package's `src/gen/`; removed when a later run does not return them. */
  readonly files: readonly EmittedFile[];
}

/**
 * Interface for third-party emitters: creates files from the model, in addition to those of the toolkit.
 *
 * An emitter is a pure function of its request: it reads no files, no clock and no network, so that the same document gives the same files
 * everywhere, and an unchanged run may skip it.
 */
export interface Emitter<Options = unknown> {
  /** Version of this interface. It changes when emitters need a new member, or must no longer read one. */
  readonly apiVersion: 2;
  /** Name in kebab-case; identifies the emitter in messages and prefixes its diagnostic codes. */
  readonly name: string;
  /** Version of the emitter; its files are written again when it changes. */
  readonly version: string;
  /**
   * Validates the `options` of the configuration and completes them; `undefined` without options. Throws an `Error` whose message states
   * the problem. An emitter without this method takes no options.
   */
  parseOptions?(options: unknown): Options;
  emit(request: EmitRequest<Options>): EmitResult;
}

/** Version of `Emitter` that this toolkit calls. */
export const emitterApiVersion = 2;
