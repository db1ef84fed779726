import { ByteReader } from "./byte-reader.ts";
import { ByteWriter } from "./byte-writer.ts";
import { doubleSha256, type BlockHashBytes, type HashBytes } from "./hash.ts";

/** Content of a header: everything that its bytes are derived from. */
export interface BlockHeaderContent {
  /** Signed, 32 bits. */
  readonly version: number;
  /** Hash of the block below; zero in a genesis block. */
  readonly previousHash: BlockHashBytes;
  /** Root of the merkle tree over the txids. */
  readonly merkleRoot: HashBytes;
  /** Time in seconds since 1970, unsigned, 32 bits. */
  readonly time: number;
  /** Target in its compact form, unsigned, 32 bits. */
  readonly bits: number;
  /** Unsigned, 32 bits. */
  readonly nonce: number;
}

/** A parsed header. Its byte strings are views of the bytes it was parsed from. */
export interface BlockHeader extends BlockHeaderContent {
  /** The 80 bytes. */
  readonly bytes: Uint8Array;
  /** Hash, computed on first use. */
  readonly hash: BlockHashBytes;
}

/** Length of a serialized header, in bytes. */
export const blockHeaderLength: number = 80;

/** Parses a serialized header; `bytes` must contain its 80 bytes and nothing else. Throws `MalformedBytesError`. */
export function parseBlockHeader(bytes: Uint8Array): BlockHeader {
  const reader = new ByteReader(bytes, "block header");
  const header = readBlockHeader(reader);
  reader.expectEnd();
  return header;
}

/** Returns the 80 bytes of a header. */
export function serializeBlockHeader(header: BlockHeaderContent): Uint8Array {
  const writer = new ByteWriter(blockHeaderLength);
  writer.writeInt32(header.version);
  writer.writeBytes(header.previousHash);
  writer.writeBytes(header.merkleRoot);
  writer.writeUint32(header.time);
  writer.writeUint32(header.bits);
  writer.writeUint32(header.nonce);
  return writer.finish();
}

/** Reads the header that begins at the reader's position. For the parsers of this package. */
export function readBlockHeader(reader: ByteReader): BlockHeader {
  const start = reader.offset;
  const version = reader.readInt32();
  const previousHash = reader.readBytes(32);
  const merkleRoot = reader.readBytes(32);
  const time = reader.readUint32();
  const bits = reader.readUint32();
  const nonce = reader.readUint32();
  const bytes = reader.between(start, reader.offset);
  return new ParsedBlockHeader(bytes, { version, previousHash, merkleRoot, time, bits, nonce });
}

class ParsedBlockHeader implements BlockHeader {
  readonly bytes: Uint8Array;
  readonly version: number;
  readonly previousHash: BlockHashBytes;
  readonly merkleRoot: HashBytes;
  readonly time: number;
  readonly bits: number;
  readonly nonce: number;
  #hash: BlockHashBytes | undefined;

  constructor(bytes: Uint8Array, content: BlockHeaderContent) {
    this.bytes = bytes;
    this.version = content.version;
    this.previousHash = content.previousHash;
    this.merkleRoot = content.merkleRoot;
    this.time = content.time;
    this.bits = content.bits;
    this.nonce = content.nonce;
  }

  get hash(): BlockHashBytes {
    this.#hash ??= doubleSha256(this.bytes);
    return this.#hash;
  }
}
