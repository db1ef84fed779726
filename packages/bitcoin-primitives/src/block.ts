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

/** What a block says: all that its bytes are made from. */
export interface BlockContent {
  readonly header: BlockHeaderContent;
  readonly transactions: readonly TransactionContent[];
}

/** A parsed block. Its byte strings, and those of its transactions, are views of the bytes it was parsed from. */
export interface Block {
  readonly header: BlockHeader;
  readonly transactions: readonly Transaction[];
  /** The whole serialization, with witnesses. */
  readonly bytes: Uint8Array;
  /** Bytes with witnesses. */
  readonly size: number;
  /** Bytes without witnesses. */
  readonly strippedSize: number;
  /** BIP 141: 3 × stripped size + size. */
  readonly weight: number;
}

/**
 * Reads a serialized block; `bytes` must hold it and nothing else. Throws `MalformedBytesError`.
 *
 * Only the form is checked; `meetsProofOfWork` and `merkleTree` say whether header and transactions belong together.
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

/** Bytes of a block, each transaction with its witnesses. */
export function serializeBlock(block: BlockContent): Uint8Array {
  const writer = new ByteWriter();
  writer.writeBytes(serializeBlockHeader(block.header));
  writer.writeCompactSize(block.transactions.length);
  for (const transaction of block.transactions) writer.writeBytes(serializeTransaction(transaction));
  return writer.finish();
}
