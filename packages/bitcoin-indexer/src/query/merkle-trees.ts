import { doubleSha256 } from "@nodewright/bitcoin-primitives";
import { LRUCache } from "lru-cache";

/** Levels of a merkle tree, leaves first, each with its hashes one after the other. */
type MerkleLevels = readonly Buffer[];

const hashLength = 32;

const maximumBytes = 32 * 1024 * 1024;

/** Cache of merkle trees of recently queried blocks: a proof from one of them costs no hash. */
export class MerkleTrees {
  /** Trees by block hash, which identifies the tree whatever the best chain is. */
  readonly #trees = new LRUCache<string, MerkleLevels>({
    maxSize: maximumBytes,
    sizeCalculation: (levels) => levels.reduce((size, level) => size + level.length, 0),
  });

  /**
   * Returns the sibling hashes along the path from the leaf at the 0-based `position` up to the root. `readIds` returns all txids of the
   * block.
   */
  branch(blockHash: string, position: number, readIds: () => Buffer): Uint8Array[] {
    let levels = this.#trees.get(blockHash);
    if (levels === undefined) {
      const ids = readIds();
      // Reading them for the first time has checked them, and cached the tree.
      levels = this.#trees.get(blockHash) ?? this.#keep(blockHash, levelsOf(ids));
    }
    const branch: Uint8Array[] = [];
    let index = position;
    for (const level of levels.slice(0, -1)) {
      const sibling = (index ^ 1) * hashLength < level.length ? index ^ 1 : index;
      branch.push(level.subarray(sibling * hashLength, (sibling + 1) * hashLength));
      index >>>= 1;
    }
    return branch;
  }

  /** Returns whether all txids of a block match its merkle root. Caches their tree when they do. */
  areUnder(merkleRoot: Uint8Array, blockHash: string, ids: Buffer): boolean {
    const levels = levelsOf(ids);
    if (levels.at(-1)?.equals(merkleRoot) !== true) return false;
    this.#keep(blockHash, levels);
    return true;
  }

  #keep(blockHash: string, levels: MerkleLevels): MerkleLevels {
    this.#trees.set(blockHash, levels);
    return levels;
  }
}

function levelsOf(leaves: Buffer): MerkleLevels {
  const levels = [leaves];
  for (let level = leaves; level.length > hashLength; ) {
    level = parentsOf(level);
    levels.push(level);
  }
  return levels;
}

/** Returns the level above. A level of odd length repeats its last hash. */
function parentsOf(level: Buffer): Buffer {
  const count = level.length / hashLength;
  const pairs = count % 2 === 0 ? level : Buffer.concat([level, level.subarray(-hashLength)]);
  const parents = Buffer.allocUnsafeSlow(pairs.length / 2);
  for (let start = 0; start < pairs.length; start += 2 * hashLength) {
    parents.set(doubleSha256(pairs.subarray(start, start + 2 * hashLength)), start / 2);
  }
  return parents;
}
