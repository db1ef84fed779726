import { concatBytes, equalBytes } from "./bytes.ts";
import { doubleSha256, type HashBytes } from "./hash.ts";

/** A merkle tree reduced to the parts that a verifier needs. */
export interface MerkleTree {
  readonly root: HashBytes;
  /**
   * Whether two neighbors with a common parent are equal: then another list of transactions has the same root, one with transactions
   * repeated, and neither may be remembered as the invalid one (CVE-2012-2459).
   */
  readonly mutated: boolean;
}

/** Returns the tree over hashes in block order, in wire order. Root of no hashes: zero. A level of odd length repeats its last hash. */
export function merkleTree(hashes: readonly HashBytes[]): MerkleTree {
  const steps = growMerkleTree(hashes);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/** Computes the same in steps, one for each level, between which other work can run. */
export function* growMerkleTree(hashes: readonly HashBytes[]): Generator<void, MerkleTree> {
  let level = hashes;
  let mutated = false;
  while (level.length > 1) {
    mutated ||= hasEqualNeighbours(level);
    level = parentsOf(level);
    yield;
  }
  return { root: level[0] ?? new Uint8Array(32), mutated };
}

/** Returns only the root. */
export function merkleRoot(hashes: readonly HashBytes[]): HashBytes {
  return merkleTree(hashes).root;
}

/** Returns the sibling hashes along the path from the leaf at the 0-based `position` up to the root, lowest first. */
export function merkleBranch(hashes: readonly HashBytes[], position: number): HashBytes[] {
  if (!Number.isInteger(position) || position < 0 || position >= hashes.length) {
    throw new Error(`No leaf ${position} among ${hashes.length}`);
  }
  const branch: HashBytes[] = [];
  let level = hashes;
  for (let index = position; level.length > 1; index >>>= 1) {
    const sibling = level[index ^ 1] ?? level[index];
    if (sibling !== undefined) branch.push(sibling);
    level = parentsOf(level);
  }
  return branch;
}

/** Returns the root that a leaf and its branch lead to: equal to the header's when the leaf is in the block. */
export function merkleRootOfBranch(leaf: HashBytes, branch: readonly HashBytes[], position: number): HashBytes {
  let node = leaf;
  let index = position;
  for (const sibling of branch) {
    node = index % 2 === 0 ? hashPair(node, sibling) : hashPair(sibling, node);
    index = Math.floor(index / 2);
  }
  return node;
}

/** Returns the parent node of two others. */
export function hashPair(left: HashBytes, right: HashBytes): HashBytes {
  return doubleSha256(concatBytes(left, right));
}

function parentsOf(level: readonly HashBytes[]): HashBytes[] {
  const parents: HashBytes[] = [];
  for (let index = 0; index < level.length; index += 2) {
    const left = level[index];
    if (left !== undefined) parents.push(hashPair(left, level[index + 1] ?? left));
  }
  return parents;
}

function hasEqualNeighbours(level: readonly HashBytes[]): boolean {
  for (let index = 0; index + 1 < level.length; index += 2) {
    const left = level[index];
    const right = level[index + 1];
    if (left !== undefined && right !== undefined && equalBytes(left, right)) return true;
  }
  return false;
}
