import type { EmittedFile } from "./emitter.ts";
import type { ApiModel, Operation } from "./operation.ts";

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
}

/** A handler stub: written when its file does not exist, never touched afterwards. */
export interface HandlerStub {
  readonly operation: Operation;
  readonly path: string;
  readonly text: string;
}

export interface ArtefactResult {
  /** Owned by the generator, under the package's `src/gen/`. */
  readonly files: readonly EmittedFile[];
  /** Owned by people, under the handlers' directory. */
  readonly stubs?: readonly HandlerStub[];
  /** Owned by the generator, under the handlers' directory: the folder's index. */
  readonly handlerFiles?: readonly EmittedFile[];
}

/** Model in, files out: what the toolkit itself emits. What people write is an `Emitter`. */
export interface ArtefactEmitter {
  readonly name: string;
  emit(request: ArtefactRequest): ArtefactResult;
}
