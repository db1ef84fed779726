import { type BlockHeader, readBlockHeader } from "./block-header.ts";
import { ByteReader } from "./byte-reader.ts";
import { ByteWriter } from "./byte-writer.ts";
import { equalBytes } from "./bytes.ts";
import type { HashBytes, TransactionIdBytes } from "./hash.ts";
import { hashPair } from "./merkle-tree.ts";

/**
 * A header with a part of its block's merkle tree (BIP 37's merkleblock message): the proof that some transactions are in the block, as in
 * `gettxoutproof` and Esplora's `merkleblock-proof`.
 */
export interface MerkleBlock {
  readonly header: BlockHeader;
  /** Number of transactions in the block, unsigned, 32 bits. */
  readonly transactionCount: number;
  /** Hashes of tree nodes in depth-first order, left before right. */
  readonly hashes: readonly HashBytes[];
  /** One bit for each visited node, from the lowest bit of the first byte, which is that of the root; padded to complete bytes. */
  readonly flags: Uint8Array;
}

/** Transactions that a merkle block proves. */
export interface MerkleProof {
  /** Root of the partial tree; the proof is valid if it equals the merkle root of the header. */
  readonly root: HashBytes;
  /** Proven transactions in block order, with their 0-based positions. */
  readonly matches: readonly { readonly txid: TransactionIdBytes; readonly position: number }[];
}

/** Maximum number of transactions in a block: 4,000,000 weight units in transactions of at least 60 bytes. */
const maximumTransactionCount = 4_000_000 / (60 * 4);

/** Parses a serialized merkle block; `bytes` must contain it and nothing else. Throws `MalformedBytesError`. */
export function parseMerkleBlock(bytes: Uint8Array): MerkleBlock {
  const reader = new ByteReader(bytes, "merkle block");
  const header = readBlockHeader(reader);
  const transactionCount = reader.readUint32();
  const count = reader.readCount(32, "hashes");
  const hashes: HashBytes[] = [];
  for (let position = 0; position < count; position += 1) hashes.push(reader.readBytes(32));
  const flags = reader.readVariableBytes();
  reader.expectEnd();
  return { header, transactionCount, hashes, flags };
}

/** Returns the bytes of a merkle block. */
export function serializeMerkleBlock(merkleBlock: MerkleBlock): Uint8Array {
  const writer = new ByteWriter();
  writer.writeBytes(merkleBlock.header.bytes);
  writer.writeUint32(merkleBlock.transactionCount);
  writer.writeCompactSize(merkleBlock.hashes.length);
  for (const hash of merkleBlock.hashes) writer.writeBytes(hash);
  writer.writeVariableBytes(merkleBlock.flags);
  return writer.finish();
}

/** Creates the proof that the transactions at `positions`, 0-based, are in the block with these txids. */
export function createMerkleBlock(
  header: BlockHeader,
  transactionIds: readonly TransactionIdBytes[],
  positions: ReadonlySet<number>,
): MerkleBlock {
  const levels = levelsOf(transactionIds, positions);
  const hashes: HashBytes[] = [];
  const bits: boolean[] = [];

  function visit(height: number, position: number): void {
    const node = levels[height]?.[position];
    if (node === undefined) return;
    bits.push(node.hasMatch);
    if (height === 0 || !node.hasMatch) {
      hashes.push(node.hash);
      return;
    }
    visit(height - 1, position * 2);
    visit(height - 1, position * 2 + 1);
  }

  visit(levels.length - 1, 0);
  return { header, transactionCount: transactionIds.length, hashes, flags: packBits(bits) };
}

/**
 * Extracts the proven transactions from the partial tree of a merkle block. Returns `undefined` when the tree is malformed: nodes are missing
 * or unused, or two siblings are equal, by which a proof could claim transactions that are not in the block (CVE-2012-2459).
 */
export function extractMerkleProof(merkleBlock: MerkleBlock): MerkleProof | undefined {
  const { transactionCount, hashes, flags } = merkleBlock;
  if (transactionCount === 0 || transactionCount > maximumTransactionCount) return undefined;

  const matches: { txid: TransactionIdBytes; position: number }[] = [];
  let usedHashes = 0;
  let usedFlags = 0;

  function walk(height: number, position: number): HashBytes | undefined {
    const flag = flagAt(flags, usedFlags);
    usedFlags += 1;
    if (flag === undefined) return undefined;
    if (height === 0 || !flag) {
      const hash = hashes[usedHashes];
      usedHashes += 1;
      if (hash !== undefined && flag) matches.push({ txid: hash, position });
      return hash;
    }
    const left = walk(height - 1, position * 2);
    if (left === undefined) return undefined;
    if (position * 2 + 1 >= widthAt(transactionCount, height - 1)) return hashPair(left, left);
    const right = walk(height - 1, position * 2 + 1);
    if (right === undefined || equalBytes(left, right)) return undefined;
    return hashPair(left, right);
  }

  const root = walk(heightOf(transactionCount), 0);
  const isConsumed = usedHashes === hashes.length && Math.ceil(usedFlags / 8) === flags.length;
  return root !== undefined && isConsumed ? { root, matches } : undefined;
}

interface TreeNode {
  readonly hash: HashBytes;
  /** Whether the node or a descendant is a transaction to prove. */
  readonly hasMatch: boolean;
}

/** Returns the complete tree, leaves first. */
function levelsOf(transactionIds: readonly TransactionIdBytes[], positions: ReadonlySet<number>): TreeNode[][] {
  let level = transactionIds.map((hash, position): TreeNode => ({ hash, hasMatch: positions.has(position) }));
  const levels = [level];
  while (level.length > 1) {
    level = parentsOf(level);
    levels.push(level);
  }
  return levels;
}

function parentsOf(level: readonly TreeNode[]): TreeNode[] {
  const parents: TreeNode[] = [];
  for (let index = 0; index < level.length; index += 2) {
    const left = level[index];
    if (left === undefined) continue;
    const right = level[index + 1] ?? left;
    parents.push({ hash: hashPair(left.hash, right.hash), hasMatch: left.hasMatch || right.hasMatch });
  }
  return parents;
}

function packBits(bits: readonly boolean[]): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(bits.length / 8));
  for (const [index, bit] of bits.entries()) {
    const byte = index >>> 3;
    if (bit) bytes[byte] = (bytes[byte] ?? 0) | (1 << (index & 7));
  }
  return bytes;
}

function flagAt(flags: Uint8Array, index: number): boolean | undefined {
  const byte = flags[index >>> 3];
  return byte === undefined ? undefined : ((byte >>> (index & 7)) & 1) === 1;
}

/** Returns the number of nodes at a height of the tree, 0 being the leaves. */
function widthAt(transactionCount: number, height: number): number {
  return Math.ceil(transactionCount / 2 ** height);
}

/** Returns the height of the root. */
function heightOf(transactionCount: number): number {
  let height = 0;
  while (widthAt(transactionCount, height) > 1) height += 1;
  return height;
}
