export type IndexerErrorCode =
  /** Another indexer works on the data directory. */
  | "directory-locked"
  /** The data directory was written by another version of the layout. */
  | "directory-layout"
  /** The data directory holds the index of another network. */
  | "directory-network"
  /** The data directory can't be read or written. */
  | "directory-unusable"
  /** A file that holds the bytes of an indexed block was deleted, cut or changed. */
  | "block-unreadable"
  /** The tables of the index hold what nothing wrote. */
  | "tables-damaged"
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

/** What is wrong in a file, for its operator. */
export interface DamagedPlace {
  readonly file: string;
  /** 0-based, in bytes; absent where only the file is known. */
  readonly offset?: number;
}

export interface IndexerErrorOptions {
  readonly place?: DamagedPlace | undefined;
  /** Whether trying again later may help. */
  readonly retry?: boolean | undefined;
  /** For logs alone. */
  readonly cause?: unknown;
}

/** Why an index can't be opened or an indexer can't go on: one sentence with the way out, for a person, without secrets. */
export class IndexerError extends Error {
  override readonly name = "IndexerError";
  readonly code: IndexerErrorCode;
  readonly place: DamagedPlace | undefined;
  readonly retry: boolean;

  constructor(code: IndexerErrorCode, message: string, options: IndexerErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.place = options.place;
    this.retry = options.retry ?? false;
  }

  /** What callers of a service see, as its runtime reads it: the message is the operator's, because it names files of this machine. */
  get publicFailure(): {
    readonly code: "upstream_unavailable";
    readonly message: string;
    readonly retryAfterSeconds: number;
  } {
    return {
      code: "upstream_unavailable",
      message: publicMessages[this.code] ?? "The index of this node can't be read now",
      // A block may be repaired in a moment, or only when its file is put back.
      retryAfterSeconds: this.retry && this.place === undefined ? soonSeconds : laterSeconds,
    };
  }
}

const publicMessages: Partial<Record<IndexerErrorCode, string>> = {
  "block-unreadable": "The data of a block is damaged: it is not served before it is repaired",
  "tables-damaged": "The index of this node is damaged: this part of it is not served before it is repaired",
  reorganised: "The chain was reorganised while its answer was given: ask again",
};

const soonSeconds = 1;
const laterSeconds = 60;

/** Compares the name, because `instanceof` fails when two copies of this package are installed. */
export function isIndexerError(value: unknown): value is IndexerError {
  return value instanceof Error && value.name === "IndexerError";
}
