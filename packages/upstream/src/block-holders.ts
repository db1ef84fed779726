import { findBlockNeed, saysLacking } from "./block-need.ts";
import type { Head } from "./head-judgement.ts";
import type { NodeLink } from "./node-link.ts";
import type { UpstreamCall, UpstreamResult } from "./upstream.ts";

/** What is known of the nodes' heads. */
export interface KnownHeads {
  /** Of the best of all. */
  readonly head: Head | undefined;
  headOf(node: NodeLink): Head | undefined;
}

/** A block as far as it is known; without a hash, any of that height. */
interface LocatedBlock {
  readonly height: number;
  readonly hash?: string;
  /** Who has named it. */
  readonly node?: NodeLink;
}

/** Latest blocks by whose hash requests may ask on. */
const remembered = 128;

/**
 * Knows which of several execution clients have a block.
 *
 * A new block comes to one node before the others, and whoever was told of it there asks by its hash for the rest.
 */
export class BlockHolders {
  readonly #nodes: readonly NodeLink[];
  readonly #heads: KnownHeads;
  /** By hash: blocks that not all nodes were known to have when one has named them. */
  readonly #named = new Map<string, LocatedBlock>();

  constructor(nodes: readonly NodeLink[], heads: KnownHeads) {
    this.#nodes = nodes;
    this.#heads = heads;
  }

  /** Says which nodes have what all these calls need; `undefined` when any may be asked. */
  findHolders(calls: readonly UpstreamCall[]): ((node: NodeLink) => boolean) | undefined {
    let needed: LocatedBlock | undefined;
    for (const call of calls) {
      const block = this.#locate(call);
      if (block !== undefined && (needed === undefined || block.height > needed.height)) needed = block;
    }
    return needed && ((node) => this.#has(node, needed));
  }

  /** Remembers who has named a new block. */
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

  /** True when another node may have what this one has answered that it lacks. */
  isLacking(call: UpstreamCall, result: UpstreamResult): boolean {
    return saysLacking(call, result, this.#heads.head?.height ?? -1);
  }

  /** Blocks of one height may be those of a fork. */
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
