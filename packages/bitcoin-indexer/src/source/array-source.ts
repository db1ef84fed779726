import { type Network, parseBlockHeader } from "@nodewright/bitcoin-primitives";
import type { BlockSource, KnownChain, SourceBlock, SourceChain, SourceHeader } from "./block-source.ts";
import { HeaderTree } from "./header-tree.ts";

/** A source whose blocks are added by hand. */
export interface ArraySource extends BlockSource {
  /** Adds serialized blocks. The source has the best chain among all that were added. */
  add(...blocks: readonly Uint8Array[]): void;
}

/** Creates a source over serialized blocks in any order, for tests and for chains built in memory. */
export function createArraySource(network: Network, blocks: readonly Uint8Array[] = []): ArraySource {
  const source = new InMemorySource(network);
  source.add(...blocks);
  return source;
}

class InMemorySource implements ArraySource {
  readonly network: Network;
  readonly name = "an array of blocks";
  readonly #tree: HeaderTree;
  /** Blocks by entry of the tree. */
  readonly #blocks: Uint8Array[] = [];

  constructor(network: Network) {
    this.network = network;
    this.#tree = new HeaderTree(network);
  }

  add(...blocks: readonly Uint8Array[]): void {
    for (const block of blocks) {
      const { bytes, hash } = parseBlockHeader(block.subarray(0, 80));
      if (this.#tree.add(bytes, hash) !== undefined) this.#blocks.push(block);
    }
    this.#tree.chooseBestChain();
  }

  async chain(known: KnownChain): Promise<SourceChain> {
    return await this.#tree.chainAbove(known);
  }

  async *blocks(headers: readonly SourceHeader[]): AsyncIterable<SourceBlock> {
    for (const { height } of headers) {
      const bytes = this.#blocks[this.#tree.entryAt(height) ?? -1];
      if (bytes === undefined) throw new Error(`No block at height ${height}`);
      yield { bytes, origin: { name: this.name } };
    }
  }

  async close(): Promise<void> {}
}
