import { displayHash, parseBlockHeader, toHex } from "@nodewright/bitcoin-primitives";
import { FaultyNode, NodeRefusal } from "@nodewright/upstream/testing";
import type { RegtestTip } from "./regtest-chain.ts";

/** A node that serves a chain over HTTP, and lies or fails on demand. */
export class StubNode extends FaultyNode {
  chain: readonly RegtestTip[];
  /** Replaces a result; returns `undefined` to leave it. */
  lie: (method: string, params: readonly unknown[]) => unknown = () => undefined;
  #known: { readonly chain?: readonly RegtestTip[]; readonly blocks: ReadonlyMap<string, RegtestTip> } = {
    blocks: new Map(),
  };

  constructor(chain: readonly RegtestTip[]) {
    super({
      respond: (method, params) => {
        const result = this.lie(method, params) ?? this.#truth(method, params);
        if (result === undefined) throw new NodeRefusal(-5, "Block not found");
        return result;
      },
    });
    this.chain = chain;
  }

  #blocks(): ReadonlyMap<string, RegtestTip> {
    if (this.#known.chain !== this.chain) {
      this.#known = { chain: this.chain, blocks: new Map(this.chain.map((tip) => [displayHash(tip.hash), tip])) };
    }
    return this.#known.blocks;
  }

  #truth(method: string, [first, second]: readonly unknown[]): unknown {
    const block = this.#blocks().get(String(first));
    switch (method) {
      case "getblockcount":
        return this.chain.length - 1;
      case "getbestblockhash":
        return hashText(this.chain.at(-1));
      case "getblockhash":
        return hashText(this.chain[Number(first)]);
      case "getblockheader":
        if (second === false) return block && toHex(block.bytes.subarray(0, 80));
        return block && { hash: first, height: block.height };
      case "getblock":
        return block && toHex(block.bytes);
      default:
        return undefined;
    }
  }
}

/** Returns a chain for a node to serve, of blocks from the genesis block on; without their spendable outputs. */
export function tipsOf(blocks: readonly Uint8Array[]): readonly RegtestTip[] {
  return blocks.map((bytes, height) => {
    const { hash, time } = parseBlockHeader(bytes.subarray(0, 80));
    return { bytes, hash, height, time, coins: [] };
  });
}

/** Returns the hash of a block of the chain; `undefined` where it has none. */
export function hashText(tip: RegtestTip | undefined): string | undefined {
  return tip && displayHash(tip.hash);
}
