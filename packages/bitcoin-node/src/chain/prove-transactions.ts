import type { ChainQueries } from "@nodewright/bitcoin-indexer";
import {
  displayHash,
  equalBytes,
  fromHex,
  isMalformedBytesError,
  type MerkleBlock,
  parseMerkleBlock,
  extractMerkleProof,
} from "@nodewright/bitcoin-primitives";
import { hexProblem } from "../parameters/parameter-problems.ts";
import { rpcError } from "../parameters/rpc-error.ts";

/**
 * Returns the ids of the transactions that a serialized merkle block, in hexadecimal, proves to be in a block of the best chain; none when
 * the proof is invalid. Throws -8 for what is not hexadecimal, -22 for other bytes, -5 when the block is not on the best chain.
 */
export async function proveTransactions(index: ChainQueries, proofHex: string): Promise<string[]> {
  const merkleBlock = decode(proofHex);
  const proof = extractMerkleProof(merkleBlock);
  if (proof === undefined || !equalBytes(proof.root, merkleBlock.header.merkleRoot)) return [];
  const record = await index.blockByHash(displayHash(merkleBlock.header.hash));
  if (record === undefined || !record.onBestChain) throw rpcError("notFound", "Block not found in chain");
  // A tree of another height could pass inner nodes off as transactions.
  if (record.transactionCount !== merkleBlock.transactionCount) return [];
  return proof.matches.map(({ txid }) => displayHash(txid));
}

function decode(proofHex: string): MerkleBlock {
  const bytes = fromHex(proofHex);
  // An empty string is not hexadecimal to Bitcoin Core.
  if (bytes === undefined || bytes.length === 0) throw hexProblem("proof", proofHex);
  try {
    return parseMerkleBlock(bytes);
  } catch (error) {
    if (!isMalformedBytesError(error)) throw error;
  }
  throw rpcError("cannotDecode", "The proof can't be decoded");
}
