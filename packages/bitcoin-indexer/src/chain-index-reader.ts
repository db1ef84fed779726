import type { Network } from "@nodewright/bitcoin-primitives";
import { PublishedMempool } from "./mempool/mempool-directory.ts";
import { openOptionalIndexes, type OptionalIndexes, type OptionalIndexesReader } from "./optional/optional-indexes.ts";
import type { OptionalIndexChoice } from "./optional/optional-progress.ts";
import type { ChainQueries } from "./query/chain-queries.ts";
import { EmbeddedMempoolQueries } from "./query/embedded-mempool-queries.ts";
import { type EmbeddedIndex, EmbeddedQueries } from "./query/embedded-queries.ts";
import type { MempoolQueries } from "./query/mempool-queries.ts";
import { BlockFileReader } from "./store/block-files.ts";
import { type DataDirectory, dataDirectory, holdsIndex, keepsAddresses } from "./store/data-directory.ts";
import { Environment } from "./store/environment.ts";
import { sourceFiles } from "./store/layout.ts";
import { assertLmdbFile } from "./store/lmdb-file.ts";
import { assertSoundPages } from "./store/lmdb-pages.ts";

/** The read side of an index that another process writes. */
export interface ChainIndexReader extends ChainQueries {
  /** The unconfirmed transactions of the node behind the index; empty without one. */
  readonly mempool: MempoolQueries;
  /** Those that were asked for when it was opened. */
  readonly optional: OptionalIndexes;
  /** Nothing may be asked any more. */
  close(): Promise<void>;
}

export interface ChainIndexOptions {
  readonly network: Network;
  /** Which of the optional indexes are read as well. */
  readonly optional?: OptionalIndexChoice | undefined;
}

/**
 * Opens the index of a data directory for reading, in any process, also while it is written.
 *
 * The index need not be there yet: until it is, nothing is found. Throws `IndexerError` when the directory holds the index of another
 * network or layout; so does every query when such an index appears later.
 */
export function openChainIndex(path: string, { network, optional = {} }: ChainIndexOptions): ChainIndexReader {
  const index = new LateIndex(dataDirectory(path), network);
  index.open();
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

interface OpenIndex extends EmbeddedIndex {
  readonly environment: Environment;
}

/** An index that is opened once it is there. */
class LateIndex {
  readonly #directory: DataDirectory;
  readonly #network: Network;
  #index: OpenIndex | undefined;

  constructor(directory: DataDirectory, network: Network) {
    this.#directory = directory;
    this.#network = network;
  }

  open(): EmbeddedIndex | undefined {
    if (this.#index === undefined && holdsIndex(this.#directory, this.#network.name)) {
      assertLmdbFile(this.#directory.index, false);
      assertSoundPages(this.#directory.index);
      const environment = new Environment(this.#directory.index, "read");
      this.#index = {
        environment,
        files: new BlockFileReader(this.#directory, (file) => environment.get(sourceFiles, file)),
        keepsAddresses: keepsAddresses(this.#directory),
        directory: this.#directory,
      };
    }
    return this.#index;
  }

  async close(): Promise<void> {
    const index = this.#index;
    this.#index = undefined;
    index?.files.close();
    await index?.environment.close();
  }
}
