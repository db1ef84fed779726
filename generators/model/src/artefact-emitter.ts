import type { EmittedFile } from "./emitter.ts";
import type { ApiModel, Operation } from "./read-model.ts";
import type { JsonValue } from "./read-model.ts";

/** Where generated code meets people's code. Module specifiers are as the emitted file has to write them. */
export interface HandlerTarget {
  /** Directory of the handlers, from the repository's root. */
  readonly directory: string;
  /** Module and exported type of the context that handlers are called with, seen from the directory. */
  readonly context: { readonly module: string; readonly name: string };
  /** Names of the operations that have a handler there, or get a stub in this run. */
  readonly present: ReadonlySet<string>;
  /** Names of the operations that are gone from the document while their handlers are still there. */
  readonly removed?: readonly string[];
  /** GraphQL: type name → module and exported type of the value that its resolvers get as parent. */
  readonly parents: Readonly<Record<string, { readonly module: string; readonly name: string }>>;
}

export interface ArtefactRequest {
  readonly model: ApiModel;
  /** npm name of the generated package. */
  readonly packageName: string;
  readonly handlers?: HandlerTarget;
  /** Where the model is a part of a document: what this emitter settled over the whole of it (`ArtefactResult.settled`). */
  readonly settled?: JsonValue;
}

/** What a file says of one operation: a part of its text, by offsets. */
export interface FilePiece {
  /** `Operation.name`. */
  readonly operation: string;
  readonly start: number;
  /** Offset one past the last character. */
  readonly end: number;
}

/** A generated file that knows which parts of its text stand for single operations. */
export interface PiecedFile extends EmittedFile {
  /** In their order. Absent: everything in the file may depend on everything. */
  readonly pieces?: readonly FilePiece[];
}

/** A handler stub: written when its file does not exist, never touched afterwards. */
export interface HandlerStub {
  readonly operation: Operation;
  readonly path: string;
  readonly text: string;
}

export interface ArtefactResult {
  /** Owned by the generator, under the package's `src/gen/`. */
  readonly files: readonly PiecedFile[];
  /** Owned by people, under the handlers' directory. */
  readonly stubs?: readonly HandlerStub[];
  /** Owned by the generator, under the handlers' directory: the folder's index. */
  readonly handlerFiles?: readonly EmittedFile[];
  /** What was settled over the whole document and decides what is written for one operation. */
  readonly settled?: JsonValue;
}

/**
 * A change that is confined to some operations. The two models hold these alone, with all that they refer to, as the document had
 * and has them; nothing else in it has changed.
 */
export interface ArtefactChange {
  readonly before: ApiModel;
  readonly after: ApiModel;
  readonly packageName: string;
  /** What the emitter wrote for the whole document as it was, by path, and what it settled. */
  readonly files: ReadonlyMap<string, PiecedFile>;
  readonly settled?: JsonValue;
}

/** The files of the whole document as it is now, all of them; or why they cannot be made from those before. */
export type ArtefactUpdate = ArtefactResult | { readonly doubt: string };

/** Model in, files out: what the toolkit itself emits. What people write is an `Emitter`. */
export interface ArtefactEmitter {
  readonly name: string;
  emit(request: ArtefactRequest): ArtefactResult;
  /** Gives what `emit` would give for the whole changed document, byte for byte, or a doubt. */
  update(change: ArtefactChange): ArtefactUpdate;
}
