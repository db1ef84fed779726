import { findBlockNeed, indicatesMissingBlock } from "./block-need.ts";
import type { Head } from "./node-standing.ts";
import type { NodeLink } from "./node-link.ts";
import type { UpstreamCall, UpstreamResult } from "./upstream.ts";

/** Heads of the nodes, as far as they are known. */
export interface KnownHeads {
  /** Best head of all nodes. */
  readonly head: Head | undefined;
  headOf(node: NodeLink): Head | undefined;
}

/** A block as far as it is known. Without a hash, any block of that height. */
interface LocatedBlock {
  readonly height: number;
  readonly hash?: string;
  /** Node that has returned the block. */
  readonly node?: NodeLink;
}

/** Number of latest blocks whose hash later requests may refer to. */
const remembered = 128;

/**
 * Index of which execution clients have a block.
 *
 * A new block reaches one node before the others, and a client that learned of it from that node fetches the rest by its hash.
 */
export class BlockHolders {
  readonly #nodes: readonly NodeLink[];
  readonly #heads: KnownHeads;
  /** Blocks by hash that not all nodes were known to have when a node returned them. */
  readonly #named = new Map<string, LocatedBlock>();

  constructor(nodes: readonly NodeLink[], heads: KnownHeads) {
    this.#nodes = nodes;
    this.#heads = heads;
  }

  /** Returns a predicate for the nodes that have what all these calls need; `undefined` when any node may be called. */
  findHolders(calls: readonly UpstreamCall[]): ((node: NodeLink) => boolean) | undefined {
    let needed: LocatedBlock | undefined;
    for (const call of calls) {
      const block = this.#locate(call);
      if (block !== undefined && (needed === undefined || block.height > needed.height)) needed = block;
    }
    return needed && ((node) => this.#has(node, needed));
  }

  /** Records which node has returned a new block. */
  note(node: NodeLink, result: UpstreamResult): void {
    if (!result.ok || typeof result.result !== "object" || result.result === null) return;
    const { hash, number, parentHash } = result.result as Readonly<Record<string, unknown>>;
    if (typeof hash !== "string" || typeof number !== "string" || typeof parentHash !== "string") return;
    const height = Number(number);
    if (this.#named.has(hash) || this.#nodes.every((other) => this.#has(other, { height, hash }))) return;
    this.#named.set(hash, { height, hash, node });
    if (this.#named.size <= remembered) return;
    for (const oldest of this.#named.keys()) {
      this.#named.delete(oldest);
      return;
    }
  }

  /** Returns whether another node may have what this result shows to be missing. */
  isLacking(call: UpstreamCall, result: UpstreamResult): boolean {
    return indicatesMissingBlock(call, result, this.#heads.head?.height ?? -1);
  }

  /** Returns whether the node has the block. Blocks of one height may belong to a fork. */
  #has(node: NodeLink, block: LocatedBlock): boolean {
    const head = this.#heads.headOf(node);
    if (node === block.node || head === undefined) return node === block.node;
    return head.height > block.height || (head.height === block.height && (block.hash ?? head.hash) === head.hash);
  }

  #locate(call: UpstreamCall): LocatedBlock | undefined {
    const need = findBlockNeed(call);
    if (need === undefined) return undefined;
    if (need === "latest") return this.#heads.head;
    return "hash" in need ? this.#named.get(need.hash) : need;
  }
}
