export type IndexerErrorCode =
  /** Another indexer works on the data directory. */
  | "directory-locked"
  /** The data directory was written by another version of the layout. */
  | "directory-layout"
  /** The data directory holds the index of another network. */
  | "directory-network"
  /** The data directory can't be read or written. */
  | "directory-unusable"
  /** A file that holds the bytes of an indexed block was deleted or cut. */
  | "block-unreadable"
  /** Blocks were disconnected while an answer in several parts was given. */
  | "reorganised"
  /** The source serves another network. */
  | "source-network"
  /** The source can't be read. */
  | "source-unusable"
  /** The source has less than the index: nothing is done. */
  | "source-behind"
  /** The node behind the source does not answer. */
  | "source-unavailable"
  /** Bytes of the source are no valid block. */
  | "bad-block";

export interface IndexerErrorOptions {
  readonly place?: { readonly file: string; readonly offset: number } | undefined;
  /** Whether trying again later may help. */
  readonly retry?: boolean | undefined;
  /** For logs alone. */
  readonly cause?: unknown;
}

/** Why an index can't be opened or an indexer can't go on: one sentence with the way out, for a person, without secrets. */
export class IndexerError extends Error {
  override readonly name = "IndexerError";
  readonly code: IndexerErrorCode;
  readonly place: { readonly file: string; readonly offset: number } | undefined;
  readonly retry: boolean;

  constructor(code: IndexerErrorCode, message: string, options: IndexerErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.place = options.place;
    this.retry = options.retry ?? false;
  }
}

/** Compares the name, because `instanceof` fails when two copies of this package are installed. */
export function isIndexerError(value: unknown): value is IndexerError {
  return value instanceof Error && value.name === "IndexerError";
}
