import type { EmittedFile } from "./emitter.ts";
import type { ApiModel, Operation } from "./read-model.ts";
import type { JsonValue } from "./read-model.ts";

/** Handlers that generated code imports. Module specifiers are as the emitted file must write them. */
export interface HandlerTarget {
  /** Directory of the handlers, relative to the root of the repository. */
  readonly directory: string;
  /** Module and exported type of the handler context, relative to the directory. */
  readonly context: { readonly module: string; readonly name: string };
  /** Names of the operations that have a handler, or get a stub in this run. */
  readonly present: ReadonlySet<string>;
  /** Names of the operations that were removed from the document while their handlers still exist. */
  readonly removed?: readonly string[];
  /** GraphQL: module and exported type of the parent value of resolvers, by type name. */
  readonly parents: Readonly<Record<string, { readonly module: string; readonly name: string }>>;
}

/** Input of an artefact emitter. */
export interface ArtefactRequest {
  readonly model: ApiModel;
  /** npm name of the generated package. */
  readonly packageName: string;
  readonly handlers?: HandlerTarget;
  /** If the model is a part of a document: the `ArtefactResult.settled` of the complete document. */
  readonly settled?: JsonValue;
}

/** Part of a file that belongs to one operation, by offsets. */
export interface FilePiece {
  /** `Operation.name`. */
  readonly operation: string;
  readonly start: number;
  /** Offset one past the last character. */
  readonly end: number;
}

/** A generated file with the parts of its text that belong to single operations. */
export interface PiecedFile extends EmittedFile {
  /** Pieces in the order of the text. If absent, everything in the file may depend on everything. */
  readonly pieces?: readonly FilePiece[];
}

/** A handler stub: written if its file does not exist, never changed afterwards. */
export interface HandlerStub {
  readonly operation: Operation;
  readonly path: string;
  readonly text: string;
}

/** Files of an artefact for one document. */
export interface ArtefactResult {
  /** Files that the generator owns, under the package's `src/gen/`. */
  readonly files: readonly PiecedFile[];
  /** Files that users own, under the handlers' directory. */
  readonly stubs?: readonly HandlerStub[];
  /** Files that the generator owns under the handlers' directory: the index of the folder. */
  readonly handlerFiles?: readonly EmittedFile[];
  /** Facts about the complete document that affect the output for single operations. */
  readonly settled?: JsonValue;
}

/**
 * A change that is confined to some operations. The two models contain only these, with everything they refer to, before and after the
 * change; the rest of the document is unchanged.
 */
export interface ArtefactChange {
  readonly before: ApiModel;
  readonly after: ApiModel;
  readonly packageName: string;
  /** Files that the emitter wrote for the complete document before the change, by path; `settled` is from the same result. */
  readonly files: ReadonlyMap<string, PiecedFile>;
  readonly settled?: JsonValue;
}

/** All files of the complete document after the change; or the reason why they cannot be derived from the files before. */
export type ArtefactUpdate = ArtefactResult | { readonly doubt: string };

/** Emitter of the toolkit: creates files from the model. Third-party emitters implement `Emitter`. */
export interface ArtefactEmitter {
  readonly name: string;
  emit(request: ArtefactRequest): ArtefactResult;
  /** Returns the same bytes as `emit` would for the complete changed document, or a doubt. */
  update(change: ArtefactChange): ArtefactUpdate;
}
