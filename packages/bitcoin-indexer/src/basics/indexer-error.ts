/** Code of an error that the operator of the index can act on. */
export type IndexerErrorCode =
  /** Another indexer uses the data directory. */
  | "directory-locked"
  /** The data directory was written by another version of the layout. */
  | "directory-layout"
  /** The data directory holds the index of another network. */
  | "directory-network"
  /** The data directory can't be read or written. */
  | "directory-unusable"
  /** A file that contains the bytes of an indexed block was deleted, truncated or changed. */
  | "block-unreadable"
  /** The tables of the index contain data that was never written. */
  | "tables-damaged"
  /** Blocks were disconnected during a response in several parts. */
  | "reorganised"
  /** The source serves another network. */
  | "source-network"
  /** The source can't be read. */
  | "source-unusable"
  /** The source has less than the index: nothing is changed. */
  | "source-behind"
  /** The upstream node of the source does not respond. */
  | "source-unavailable"
  /** Bytes of the source are not a valid block. */
  | "bad-block";

/** Damaged position in a file, for its operator. */
export interface DamagedPlace {
  readonly file: string;
  /** 0-based byte offset; absent where only the file is known. */
  readonly offset?: number;
}

/** Further facts of an `IndexerError`. */
export interface IndexerErrorOptions {
  readonly place?: DamagedPlace | undefined;
  /** Whether a later retry may help. */
  readonly retry?: boolean | undefined;
  /** Cause for logs only. */
  readonly cause?: unknown;
}

/**
 * Error that describes why an index can't be opened or an indexer can't continue: one sentence with the remedy, for a person, without
 * secrets.
 */
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

  /**
   * Failure that clients of a service see, as its runtime reads it: the message is for the operator, because it contains file names of this
   * machine.
   */
  get publicFailure(): {
    readonly code: "upstream_unavailable";
    readonly message: string;
    readonly retryAfterSeconds: number;
  } {
    return {
      code: "upstream_unavailable",
      message: publicMessages[this.code] ?? "The index of this node can't be read now",
      // A block may be repaired in a moment, or only when its file is restored.
      retryAfterSeconds: this.retry && this.place === undefined ? soonSeconds : laterSeconds,
    };
  }
}

const publicMessages: Partial<Record<IndexerErrorCode, string>> = {
  "block-unreadable": "The data of a block is damaged: it is not served before it is repaired",
  "tables-damaged": "The index of this node is damaged: this part of it is not served before it is repaired",
  reorganised: "The chain was reorganized during the request: try again",
};

const soonSeconds = 1;
const laterSeconds = 60;

/**
 * Returns whether a value is an `IndexerError`. Compares the name, because `instanceof` fails when two copies of this package are
 * installed.
 */
export function isIndexerError(value: unknown): value is IndexerError {
  return value instanceof Error && value.name === "IndexerError";
}
