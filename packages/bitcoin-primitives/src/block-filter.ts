import { ByteWriter } from "./byte-writer.ts";
import { concatBytes } from "./bytes.ts";
import { type BlockHashBytes, doubleSha256, type HashBytes, hashLength } from "./hash.ts";
import { opcodes } from "./opcode.ts";
import { SipHasher } from "./sip-hash.ts";

/** Bits of the remainder of a Golomb-Rice code (BIP 158, basic filters). */
const remainderBits = 19;
/** Inverse of the rate of false matches (BIP 158, basic filters). */
const falsePositiveInverse = 784_931;
/** Bytes of the block's hash that form the hash's key (BIP 158). */
const filterKeyLength = 16;

/** Scripts of a block's basic filter: in any order, repeated or not. */
export interface FilteredScripts {
  /** ScriptPubKeys of all outputs of the block. */
  readonly paid: Iterable<Uint8Array>;
  /** ScriptPubKeys of all outputs that the block's inputs spend. */
  readonly spent: Iterable<Uint8Array>;
}

/**
 * Returns the basic filter of a block (BIP 158): a Golomb-coded set of the scripts that its outputs pay to, without those that begin with
 * OP_RETURN, and of the scripts whose outputs it spends; empty scripts are excluded from both.
 */
export function basicBlockFilter(blockHash: BlockHashBytes, scripts: FilteredScripts): Uint8Array {
  const steps = makeBasicBlockFilter(blockHash, scripts);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/** Computes the same in small steps, between which other work can run. */
export function* makeBasicBlockFilter(
  blockHash: BlockHashBytes,
  { paid, spent }: FilteredScripts,
): Generator<void, Uint8Array> {
  const scripts = new Map<string, Uint8Array>();
  for (const script of paid) {
    if (script[0] !== opcodes.OP_RETURN) addScript(scripts, script);
    yield;
  }
  for (const script of spent) {
    addScript(scripts, script);
    yield;
  }
  return yield* golombCodedSet(blockHash.subarray(0, filterKeyLength), [...scripts.values()]);
}

/** Returns the header that chains a filter to those before it (BIP 157); the parent of the genesis block's is zero. */
export function blockFilterHeader(
  filter: Uint8Array,
  previousHeader: HashBytes = new Uint8Array(hashLength),
): HashBytes {
  return doubleSha256(concatBytes(doubleSha256(filter), previousHeader));
}

function addScript(scripts: Map<string, Uint8Array>, script: Uint8Array): void {
  if (script.length > 0) scripts.set(Buffer.from(script).toString("latin1"), script);
}

/** Returns the number of items as a CompactSize, and the differences of their hashes, ascending, as Golomb-Rice codes. */
function* golombCodedSet(key: Uint8Array, items: readonly Uint8Array[]): Generator<void, Uint8Array> {
  const hashes = yield* hashToRange(key, items);
  const writer = new ByteWriter();
  writer.writeCompactSize(items.length);
  const bits = new BitWriter(writer);
  let before = 0;
  for (const hash of hashes) {
    writeGolombRice(bits, hash - before);
    before = hash;
    yield;
  }
  bits.pad();
  return writer.finish();
}

/** Returns hashes of the items, spread evenly from 0 up to the number of items by the inverse rate; ascending. */
function* hashToRange(key: Uint8Array, items: readonly Uint8Array[]): Generator<void, Float64Array> {
  const hasher = new SipHasher(key);
  const range = items.length * falsePositiveInverse;
  const hashes = new Float64Array(items.length);
  for (const [index, item] of items.entries()) {
    hasher.hash(item);
    hashes[index] = scaleDown(hasher.high, scaleDown(hasher.low, 0, range), range);
    yield;
  }
  return hashes.sort();
}

/**
 * Returns the product of 32 bits and a range, with the carry of the bits below, divided by 2^32 and rounded down. Eight bits at a time, so
 * that everything is exact in numbers for ranges below 2^45: more items than a hundred blocks could have.
 */
function scaleDown(bits: number, below: number, range: number): number {
  let product = below;
  for (let shift = 0; shift < 32; shift += 8)
    product = Math.floor((((bits >>> shift) & 0xff) * range + product) / 0x100);
  return product;
}

/** Writes the quotient in unary, a zero, and the remainder, highest bits first. */
function writeGolombRice(bits: BitWriter, value: number): void {
  let quotient = Math.floor(value / 2 ** remainderBits);
  for (; quotient > 0; quotient -= 1) bits.write(1, 1);
  bits.write(0, 1);
  bits.write(value % 2 ** remainderBits, remainderBits);
}

/** Writer of bits, the highest of each byte first. */
class BitWriter {
  readonly #writer: ByteWriter;
  #pending = 0;
  /** Number of pending bits, below 8 between two calls. */
  #pendingBits = 0;

  constructor(writer: ByteWriter) {
    this.#writer = writer;
  }

  /** Writes the lowest `count` bits of `value`; at most 24. */
  write(value: number, count: number): void {
    this.#pending = (this.#pending << count) | value;
    this.#pendingBits += count;
    for (; this.#pendingBits >= 8; this.#pendingBits -= 8) {
      this.#writer.writeUint8((this.#pending >>> (this.#pendingBits - 8)) & 0xff);
    }
    this.#pending &= 0xff >> (8 - this.#pendingBits);
  }

  /** Fills the last byte with zeros. */
  pad(): void {
    if (this.#pendingBits > 0) this.write(0, 8 - this.#pendingBits);
  }
}
