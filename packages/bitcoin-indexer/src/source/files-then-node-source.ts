import type { Network } from "@nodewright/bitcoin-primitives";
import { type IndexerError, type IndexerErrorCode, isIndexerError } from "../basics/indexer-error.ts";
import type {
  BlockSource,
  ChainConfirmation,
  KnownChain,
  SourceBlock,
  SourceChain,
  SourceHeader,
} from "./block-source.ts";
import type { ChainInFiles } from "./chain-in-files.ts";

/** Number of blocks up to which they are requested from the node rather than searched in all block files. */
const blocksSoonerRequested = 1_000;

const problemsOfFiles: ReadonlySet<IndexerErrorCode> = new Set(["bad-block", "source-network", "source-unusable"]);

/**
 * Creates a source that reads the blocks in a node's files from there, and all others from the node.
 *
 * It switches to the node by itself: when the files have no more, when something is wrong in them, or at once when the index has nearly all
 * blocks already. It never switches back. Closes both when it is closed itself.
 */
export function createFilesThenNodeSource(files: BlockSource, node: BlockSource): BlockSource {
  return new FilesThenNodeSource(files, node);
}

class FilesThenNodeSource implements BlockSource {
  readonly network: Network;
  readonly #node: BlockSource;
  /** Block file source; absent once it is no longer read. */
  #files: BlockSource | undefined;
  /** Whether the height of the node has been requested. */
  #isCompared = false;

  constructor(files: BlockSource, node: BlockSource) {
    this.network = node.network;
    this.#files = files;
    this.#node = node;
  }

  get name(): string {
    return (this.#files ?? this.#node).name;
  }

  get isRemote(): boolean {
    return this.#files === undefined;
  }

  get respondedAt(): number | undefined {
    return this.#node.respondedAt;
  }

  /** Confirmation by the node. Files contain every block that the node has ever had: only the node knows which chain is its best. */
  get confirmChain(): ((signal: AbortSignal) => Promise<ChainConfirmation>) | undefined {
    return this.#files === undefined ? this.#node.confirmChain : undefined;
  }

  async chain(known: KnownChain, signal: AbortSignal): Promise<SourceChain> {
    if (known.height >= 0 && !this.#isCompared) await this.#compare(known, signal);
    this.#isCompared = true;
    const chain = await this.#files?.chain(known, signal);
    if (chain !== undefined && chain.headers.length > 0) return chain;
    await this.#leaveFiles();
    return await this.#node.chain(known, signal);
  }

  blocks(headers: readonly SourceHeader[], signal: AbortSignal): AsyncIterable<SourceBlock> {
    return (this.#files ?? this.#node).blocks(headers, signal);
  }

  readonly inFiles = (): ChainInFiles | undefined => this.#files?.inFiles?.();

  readonly changed = async (signal: AbortSignal): Promise<void> => {
    if (this.#files === undefined) await this.#node.changed?.(signal);
  };

  readonly turnElsewhere = async (reason?: IndexerError): Promise<boolean> => {
    if (this.#files === undefined || (reason !== undefined && !problemsOfFiles.has(reason.code))) return false;
    await this.#leaveFiles();
    return true;
  };

  async close(): Promise<void> {
    await this.#leaveFiles();
    await this.#node.close();
  }

  /** Skips the files when the node's height shows that they could add little. */
  async #compare(known: KnownChain, signal: AbortSignal): Promise<void> {
    try {
      const { headers, height } = await this.#node.chain(known, signal);
      if (height - known.height <= blocksSoonerRequested && headers.length <= 2 * blocksSoonerRequested) {
        await this.#leaveFiles();
      }
    } catch (reason) {
      // A failure of the node is reported when it is used.
      if (!isIndexerError(reason)) throw reason;
    }
  }

  async #leaveFiles(): Promise<void> {
    const files = this.#files;
    this.#files = undefined;
    await files?.close();
  }
}
