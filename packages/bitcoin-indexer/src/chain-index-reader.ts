import type { Network } from "@nodewright/bitcoin-primitives";
import { PublishedMempool } from "./mempool/mempool-directory.ts";
import { openOptionalIndexes, type OptionalIndexes, type OptionalIndexesReader } from "./optional/optional-indexes.ts";
import type { OptionalIndexSelection } from "./optional/optional-progress.ts";
import type { ChainQueries } from "./query/chain-queries.ts";
import { EmbeddedMempoolQueries } from "./query/embedded-mempool-queries.ts";
import { type EmbeddedIndex, EmbeddedQueries } from "./query/embedded-queries.ts";
import type { MempoolQueries } from "./query/mempool-queries.ts";
import { BlockFileReader, type RepairHint } from "./store/block-files.ts";
import { type DataDirectory, dataDirectory, hasIndex, keepsAddresses } from "./store/data-directory.ts";
import { LateEnvironment } from "./store/late-environment.ts";
import { sourceFiles } from "./store/layout.ts";

/** Read side of an index that another process writes. */
export interface ChainIndexReader extends ChainQueries {
  /** Unconfirmed transactions of the upstream node; empty without one. */
  readonly mempool: MempoolQueries;
  /** Optional indexes that were selected when it was opened. */
  readonly optional: OptionalIndexes;
  /** Closes the reader. No further queries are allowed. */
  close(): Promise<void>;
}

/** Options of a reader of the index. */
export interface ChainIndexOptions {
  readonly network: Network;
  /** Optional indexes that are read as well. */
  readonly optional?: OptionalIndexSelection | undefined;
  /** Description of how damaged blocks are repaired, for the message of the error that reports one. */
  readonly repairHint?: RepairHint | undefined;
}

/**
 * Opens the index of a data directory for reading, in any process, also while it is written.
 *
 * The index need not exist yet: until it does, nothing is found. The first query opens it. Throws `IndexerError` when the directory holds
 * the index of another network or layout; so does every query when such an index appears later, or when it is damaged.
 */
export function openChainIndex(
  path: string,
  { network, optional = {}, repairHint }: ChainIndexOptions,
): ChainIndexReader {
  const directory = dataDirectory(path);
  hasIndex(directory, network.name);
  const index = new LateIndex(directory, network, repairHint);
  return new EmbeddedReader(network, index, new PublishedMempool(path), openOptionalIndexes(path, optional));
}

class EmbeddedReader extends EmbeddedQueries implements ChainIndexReader {
  readonly mempool: MempoolQueries;
  readonly optional: OptionalIndexesReader;
  readonly #index: LateIndex;
  readonly #published: PublishedMempool;

  constructor(network: Network, index: LateIndex, published: PublishedMempool, optional: OptionalIndexesReader) {
    super(network, () => index.open());
    this.mempool = new EmbeddedMempoolQueries(() => published.open());
    this.#index = index;
    this.#published = published;
    this.optional = optional;
  }

  async close(): Promise<void> {
    await this.optional.close();
    await this.#published.close();
    await this.#index.close();
  }
}

/** An index that is opened once it exists. */
class LateIndex {
  readonly #directory: DataDirectory;
  readonly #tables: LateEnvironment;
  readonly #repairHint: RepairHint | undefined;
  #index: EmbeddedIndex | undefined;

  constructor(directory: DataDirectory, { name }: Network, repairHint: RepairHint | undefined) {
    this.#directory = directory;
    this.#repairHint = repairHint;
    this.#tables = new LateEnvironment(directory.index, () => hasIndex(directory, name));
  }

  open(): EmbeddedIndex | Promise<EmbeddedIndex | undefined> {
    return this.#index ?? this.#open();
  }

  async close(): Promise<void> {
    await this.#tables.close();
    this.#index?.files.close();
    this.#index = undefined;
  }

  async #open(): Promise<EmbeddedIndex | undefined> {
    const environment = await this.#tables.open();
    if (environment === undefined) return undefined;
    this.#index ??= {
      environment,
      files: new BlockFileReader(this.#directory, (file) => environment.get(sourceFiles, file), this.#repairHint),
      keepsAddresses: keepsAddresses(this.#directory),
      directory: this.#directory,
    };
    return this.#index;
  }
}
