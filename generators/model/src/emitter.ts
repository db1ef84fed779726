import type { SourceRange } from "@nodewright/source";
import type { ApiModel } from "./read-model.ts";

/** A file as a value. `path` is relative to the owner's directory and uses forward slashes. */
export interface EmittedFile {
  readonly path: string;
  readonly text: string;
}

/** What an emitter finds wrong with a document. `source` is that of the type, field, operation or parameter that it speaks of. */
export interface EmitterDiagnostic {
  /** kebab-case; shown with the emitter's name in front: `zod/unsupported-type`. */
  readonly code: string;
  /** An error writes nothing, of any document; a warning is shown. */
  readonly severity: "error" | "warning";
  /** One sentence about what is wrong. */
  readonly message: string;
  /** One sentence about what to do. */
  readonly hint?: string;
  readonly source: SourceRange;
}

/** What an emitter is called with, once for each document that names it. */
export interface EmitRequest<Options = unknown> {
  /** The whole API. Read it, never change it: all emitters are handed the same. */
  readonly model: ApiModel;
  /** npm name of the generated package, for imports from outside of it. */
  readonly packageName: string;
  /** What `parseOptions` returned. */
  readonly options: Options;
  /** Tells a mistake of the document, or something that this emitter cannot express. */
  report(diagnostic: EmitterDiagnostic): void;
}

export interface EmitResult {
  /** Written under the package's `src/gen/`, removed again when a later run does not return them. */
  readonly files: readonly EmittedFile[];
}

/**
 * Model in, files out: what people write to generate more than the toolkit does.
 *
 * An emitter is a function of its request: it reads no file, asks no clock and no network, so that the same document gives the
 * same files everywhere, and an unchanged run may leave it out.
 */
export interface Emitter<Options = unknown> {
  /** Version of this interface. A member that emitters have to have, or one that they may no longer read, makes another one. */
  readonly apiVersion: 2;
  /** kebab-case; names the emitter in messages and in front of its diagnostics. */
  readonly name: string;
  /** Of the emitter; its files are written again when it changes. */
  readonly version: string;
  /**
   * Checks what the configuration gives as `options` and completes it; `undefined` when it gives none. Throws an `Error` whose
   * message says what is wrong. An emitter without it takes no options.
   */
  parseOptions?(options: unknown): Options;
  emit(request: EmitRequest<Options>): EmitResult;
}

/** The version of `Emitter` that this toolkit calls. */
export const emitterApiVersion = 2;
