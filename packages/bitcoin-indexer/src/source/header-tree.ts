import { displayHash, type Network, parseBlockHeader } from "@nodewright/bitcoin-primitives";
import { bytesKey } from "../chain/bytes-key.ts";
import { HeaderWork } from "../chain/header-work.ts";
import type { KnownChain, SourceChain, SourceHeader } from "./block-source.ts";
import { findForkHeight } from "./fork-height.ts";

const headerLength = 80;
const hashLength = 32;
/** Byte offset of the parent's hash in a header. */
const previousHashStart = 4;
const previousHashEnd = 36;

/** Maximum headers of one result of `chain`. */
const chunkLength = 2_000;

const none = -1;

/**
 * Tree of headers in any order, as in block files, with the best chain among them.
 *
 * A header is identified by its entry: its 0-based position in the order of arrival.
 */
export class HeaderTree {
  readonly #network: Network;
  readonly #entryByHash = new Map<string, number>();
  #headers = Buffer.alloc(1_024 * headerLength);
  #hashes = Buffer.alloc(1_024 * hashLength);
  #length = 0;
  /** Entries by height. */
  #bestChain: readonly number[] = [];
  #firstUnattached: number | undefined;

  constructor(network: Network) {
    this.#network = network;
  }

  /** Adds a header of 80 bytes and returns its entry; `undefined` when it is already present. */
  add(header: Uint8Array, hash: Uint8Array): number | undefined {
    const key = bytesKey(hash);
    if (this.#entryByHash.has(key)) return undefined;
    const entry = this.#length;
    if ((entry + 1) * headerLength > this.#headers.length) {
      this.#headers = Buffer.concat([this.#headers, Buffer.alloc(this.#headers.length)]);
      this.#hashes = Buffer.concat([this.#hashes, Buffer.alloc(this.#hashes.length)]);
    }
    this.#headers.set(header, entry * headerLength);
    this.#hashes.set(hash, entry * hashLength);
    this.#entryByHash.set(key, entry);
    this.#length += 1;
    return entry;
  }

  /** Selects the chain with the most work from the network's genesis block; of equals the one that arrived first. */
  chooseBestChain(): void {
    const parents = this.#parents();
    const order = this.#orderFromGenesis(parents);
    const headerWork = new HeaderWork(this.#network);
    const works: bigint[] = [];
    let best = none;
    let bestWork = 0n;
    for (const entry of order) {
      const bits = this.#headers.readUInt32LE(entry * headerLength + 72);
      const work = (works[parents[entry] ?? none] ?? 0n) + headerWork.workOf(bits);
      works[entry] = work;
      if (work > bestWork || (work === bestWork && entry < best)) {
        best = entry;
        bestWork = work;
      }
    }
    const chain: number[] = [];
    for (let entry = best; entry !== none; entry = parents[entry] ?? none) chain.push(entry);
    this.#bestChain = chain.toReversed();
    const attached = new Set(order);
    this.#firstUnattached = undefined;
    for (let entry = 0; entry < this.#length && this.#firstUnattached === undefined; entry += 1) {
      if (!attached.has(entry)) this.#firstUnattached = entry;
    }
  }

  /** Height of the best chain; -1 without the network's genesis block. */
  get height(): number {
    return this.#bestChain.length - 1;
  }

  /** First header in the order of arrival that is not connected to the genesis block. */
  get firstUnattached(): number | undefined {
    return this.#firstUnattached;
  }

  entryAt(height: number): number | undefined {
    return this.#bestChain[height];
  }

  /** Returns a bounded number of the best chain's headers above its fork point with `known`. */
  async chainAbove(known: KnownChain): Promise<SourceChain> {
    const fork = await findForkHeight(known, this.height, async (height) => displayHash(this.hashAt(height)));
    const headers: SourceHeader[] = [];
    const end = Math.min(this.height, fork + chunkLength);
    for (let height = fork + 1; height <= end; height += 1) {
      const header = parseBlockHeader(this.headerAt(height));
      headers.push({ hash: displayHash(this.hashAt(height)), height, header });
    }
    return { headers, height: this.height };
  }

  /** Returns the hash of the best chain's header at a height, in wire order. */
  hashAt(height: number): Buffer {
    const entry = this.#entryOnChain(height);
    return this.#hashes.subarray(entry * hashLength, (entry + 1) * hashLength);
  }

  /** Returns a header, 80 bytes. */
  headerAt(height: number): Buffer {
    const entry = this.#entryOnChain(height);
    return this.#headers.subarray(entry * headerLength, (entry + 1) * headerLength);
  }

  #entryOnChain(height: number): number {
    const entry = this.#bestChain[height];
    if (entry === undefined) throw new Error(`No header at height ${height}`);
    return entry;
  }

  #parents(): Int32Array {
    const parents = new Int32Array(this.#length);
    for (let entry = 0; entry < this.#length; entry += 1) {
      const start = entry * headerLength;
      const previousHash = this.#headers.subarray(start + previousHashStart, start + previousHashEnd);
      parents[entry] = this.#entryByHash.get(bytesKey(previousHash)) ?? none;
    }
    return parents;
  }

  /** Returns every entry that is connected to the genesis block, parents before children. */
  #orderFromGenesis(parents: Int32Array): readonly number[] {
    const genesis = this.#genesisEntry();
    if (genesis === undefined) return [];
    const firstChild = new Int32Array(this.#length).fill(none);
    const nextSibling = new Int32Array(this.#length).fill(none);
    for (let entry = 0; entry < this.#length; entry += 1) {
      const parent = parents[entry] ?? none;
      if (parent === none) continue;
      nextSibling[entry] = firstChild[parent] ?? none;
      firstChild[parent] = entry;
    }
    const order = [genesis];
    for (let index = 0; index < order.length; index += 1) {
      const parent = order[index] ?? none;
      for (let child = firstChild[parent] ?? none; child !== none; child = nextSibling[child] ?? none)
        order.push(child);
    }
    return order;
  }

  #genesisEntry(): number | undefined {
    const hash = Buffer.from(this.#network.genesisHash, "hex").reverse();
    return this.#entryByHash.get(bytesKey(hash));
  }
}
