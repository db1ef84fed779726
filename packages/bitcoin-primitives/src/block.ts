import { type BlockHeader, type BlockHeaderContent, readBlockHeader, serializeBlockHeader } from "./block-header.ts";
import { ByteReader } from "./byte-reader.ts";
import { ByteWriter } from "./byte-writer.ts";
import {
  minimumTransactionLength,
  readTransaction,
  serializeTransaction,
  type Transaction,
  type TransactionContent,
} from "./transaction.ts";

/** Content of a block: everything that its bytes are derived from. */
export interface BlockContent {
  readonly header: BlockHeaderContent;
  readonly transactions: readonly TransactionContent[];
}

/** A parsed block. Its byte strings, and those of its transactions, are views of the bytes it was parsed from. */
export interface Block {
  readonly header: BlockHeader;
  readonly transactions: readonly Transaction[];
  /** Complete serialization, with witnesses. */
  readonly bytes: Uint8Array;
  /** Size in bytes with witnesses. */
  readonly size: number;
  /** Size in bytes without witnesses. */
  readonly strippedSize: number;
  /** Weight (BIP 141): 3 × stripped size + size. */
  readonly weight: number;
}

/**
 * Parses a serialized block; `bytes` must contain it and nothing else. Throws `MalformedBytesError`.
 *
 * Only the form is checked; `meetsProofOfWork` and `merkleTree` show whether header and transactions belong together.
 */
export function parseBlock(bytes: Uint8Array): Block {
  const reader = new ByteReader(bytes, "block");
  const header = readBlockHeader(reader);
  const count = reader.readCount(minimumTransactionLength, "transactions");
  let strippedSize = reader.offset;
  const transactions: Transaction[] = [];
  for (let position = 0; position < count; position += 1) {
    const transaction = readTransaction(reader, {});
    strippedSize += transaction.strippedSize;
    transactions.push(transaction);
  }
  reader.expectEnd();
  return { header, transactions, bytes, size: bytes.length, strippedSize, weight: strippedSize * 3 + bytes.length };
}

/** Returns the bytes of a block, each transaction with its witnesses. */
export function serializeBlock(block: BlockContent): Uint8Array {
  const writer = new ByteWriter();
  writer.writeBytes(serializeBlockHeader(block.header));
  writer.writeCompactSize(block.transactions.length);
  for (const transaction of block.transactions) writer.writeBytes(serializeTransaction(transaction));
  return writer.finish();
}
