import { hash } from "node:crypto";
import { type BatchMemory, laneLength } from "./batch-memory.ts";
import { createSha256Lanes, initialState, type Sha256Lanes } from "./sha256-lanes.ts";

/** Maximum length in bytes of a message for the lanes: the system's hash is faster once its call overhead is negligible. */
const maximumLaneMessageLength = 4096;

const laneCount = 4;
const lanes = [0, 1, 2, 3] as const;

/** Byte offset of the final block of a double hash, after the gathered message of a lane. */
const secondBlockOffset = maximumLaneMessageLength + 128;

/**
 * Hasher of many messages in the shared memory, four in parallel, each lane taking the next when it has finished one.
 *
 * Digests are written when their lane is done: `finish` completes all of them. A double hash is SHA-256 of SHA-256.
 */
export class LaneHasher {
  readonly #bytes: Uint8Array;
  readonly #words: Uint32Array;
  readonly #sha256: Sha256Lanes;
  readonly #state: number;
  readonly #merklePadding: number;
  readonly #scratch: Int32Array;
  /** State of each lane: the address of its next block, the number of blocks left there, and the address of the last ones. */
  readonly #pointer = new Int32Array(laneCount);
  readonly #left = new Int32Array(laneCount);
  readonly #tail = new Int32Array(laneCount);
  readonly #tailLeft = new Int32Array(laneCount);
  /** Word offset of the digest's destination. */
  readonly #target = new Int32Array(laneCount);
  /** Number of digest words to write; double hashes are in wire order. */
  readonly #isDouble = new Uint8Array(laneCount);
  /** Whether the current digest is the second of a double hash. */
  readonly #isSecond = new Uint8Array(laneCount);
  #free = 0b1111;

  constructor({ memory, pages, scanner }: BatchMemory) {
    this.#bytes = new Uint8Array(memory.buffer);
    this.#words = new Uint32Array(memory.buffer);
    this.#sha256 = createSha256Lanes(memory, pages, scanner.constants);
    this.#state = scanner.lanes;
    this.#merklePadding = scanner.lanes + 128;
    // Padding of a message of 64 bytes.
    this.#bytes[this.#merklePadding] = 0x80;
    this.#bytes[this.#merklePadding + 62] = 0x02;
    this.#scratch = Int32Array.from(lanes, (lane) => scanner.lanes + 256 + lane * laneLength);
    for (const scratch of this.#scratch) {
      // Padding of a message of 32 bytes.
      this.#bytes[scratch + secondBlockOffset + 32] = 0x80;
      this.#bytes[scratch + secondBlockOffset + 62] = 0x01;
      this.#pointer.fill(scratch);
    }
  }

  /** Hashes `length` bytes at `address` twice, into the eight words at `target`, in wire order. */
  doubleHash(address: number, length: number, target: number): void {
    if (length > maximumLaneMessageLength) {
      this.#hashLong(this.#bytes.slice(address, address + length), target);
      return;
    }
    const lane = this.#take();
    this.#start(lane, address, length, target, 1);
  }

  /** Hashes a transaction without its witnesses in the same way: four bytes, those from `start` to `end`, and the four before `last`. */
  doubleHashStripped(address: number, start: number, end: number, last: number, target: number): void {
    const length = end - start + 8;
    if (length > maximumLaneMessageLength) {
      const bytes = new Uint8Array(length);
      bytes.set(this.#bytes.subarray(address, address + 4));
      bytes.set(this.#bytes.subarray(start, end), 4);
      bytes.set(this.#bytes.subarray(last - 4, last), length - 4);
      this.#hashLong(bytes, target);
      return;
    }
    const lane = this.#take();
    const scratch = this.#scratch[lane] ?? 0;
    this.#bytes.copyWithin(scratch, address, address + 4);
    this.#bytes.copyWithin(scratch + 4, start, end);
    this.#bytes.copyWithin(scratch + length - 4, last - 4, last);
    this.#pad(scratch, length);
    this.#begin(lane, scratch, blocksOf(length), 0, 0, target, 1);
  }

  /** Hashes the 64 bytes at `address`, two nodes of a merkle tree, into their parent at `target`. */
  hashPair(address: number, target: number): void {
    const lane = this.#take();
    this.#begin(lane, address, 1, this.#merklePadding, 1, target, 1);
  }

  /** Hashes a script once. Writes the first four words of the digest, each a number that sorts as its bytes do. */
  hashScript(address: number, length: number, target: number): void {
    if (length > maximumLaneMessageLength) {
      const digest = hash("sha256", this.#bytes.slice(address, address + length), "buffer");
      for (let word = 0; word < 4; word += 1) this.#words[target + word] = digest.readUInt32BE(word * 4);
      return;
    }
    const lane = this.#take();
    this.#start(lane, address, length, target, 0);
  }

  /** Completes all digests. */
  finish(): void {
    while (this.#free !== 0b1111) this.#step();
  }

  /** Starts a message. Full blocks are read in place; the rest of the message is copied and padded. */
  #start(lane: number, address: number, length: number, target: number, isDouble: number): void {
    const full = length >>> 6;
    const rest = length & 63;
    const scratch = this.#scratch[lane] ?? 0;
    this.#bytes.copyWithin(scratch, address + full * 64, address + length);
    const end = rest < 56 ? 64 : 128;
    this.#bytes.fill(0, scratch + rest, scratch + end);
    this.#bytes[scratch + rest] = 0x80;
    this.#writeBitLength(scratch + end, length);
    if (full === 0) this.#begin(lane, scratch, end >>> 6, 0, 0, target, isDouble);
    else this.#begin(lane, address, full, scratch, end >>> 6, target, isDouble);
  }

  #pad(address: number, length: number): void {
    const end = blocksOf(length) * 64;
    this.#bytes.fill(0, address + length, address + end);
    this.#bytes[address + length] = 0x80;
    this.#writeBitLength(address + end, length);
  }

  #writeBitLength(end: number, length: number): void {
    const bytes = this.#bytes;
    bytes[end - 1] = length << 3;
    bytes[end - 2] = length >>> 5;
    bytes[end - 3] = length >>> 13;
  }

  #begin(
    lane: number,
    pointer: number,
    left: number,
    tail: number,
    tailLeft: number,
    target: number,
    isDouble: number,
  ): void {
    this.#pointer[lane] = pointer;
    this.#left[lane] = left;
    this.#tail[lane] = tail;
    this.#tailLeft[lane] = tailLeft;
    this.#target[lane] = target;
    this.#isDouble[lane] = isDouble;
    this.#isSecond[lane] = 0;
    this.#free &= ~(1 << lane);
    this.#resetState(lane);
  }

  #resetState(lane: number): void {
    const first = (this.#state >>> 2) + lane;
    for (let word = 0; word < 8; word += 1) this.#words[first + word * 4] = initialState[word] ?? 0;
  }

  /** Returns a free lane, after as much work as it takes to free one. */
  #take(): number {
    while (this.#free === 0) this.#step();
    return 31 - Math.clz32(this.#free & -this.#free);
  }

  #step(): void {
    const pointer = this.#pointer;
    this.#sha256.compress(this.#state, pointer[0] ?? 0, pointer[1] ?? 0, pointer[2] ?? 0, pointer[3] ?? 0);
    for (let lane = 0; lane < laneCount; lane += 1) {
      if ((this.#free & (1 << lane)) !== 0) continue;
      pointer[lane] = (pointer[lane] ?? 0) + 64;
      const left = (this.#left[lane] ?? 0) - 1;
      this.#left[lane] = left;
      if (left === 0) this.#finishPart(lane);
    }
  }

  #finishPart(lane: number): void {
    const tailLeft = this.#tailLeft[lane] ?? 0;
    if (tailLeft > 0) {
      this.#pointer[lane] = this.#tail[lane] ?? 0;
      this.#left[lane] = tailLeft;
      this.#tailLeft[lane] = 0;
    } else if (this.#isDouble[lane] === 1 && this.#isSecond[lane] === 0) {
      const block = (this.#scratch[lane] ?? 0) + secondBlockOffset;
      this.#writeWireOrder(lane, block >>> 2);
      this.#resetState(lane);
      this.#isSecond[lane] = 1;
      this.#pointer[lane] = block;
      this.#left[lane] = 1;
    } else {
      const target = this.#target[lane] ?? 0;
      if (this.#isSecond[lane] === 1) this.#writeWireOrder(lane, target);
      else this.#writeNumbers(lane, target);
      this.#free |= 1 << lane;
      // An idle lane processes bytes that always exist.
      this.#pointer[lane] = this.#scratch[lane] ?? 0;
    }
  }

  #writeWireOrder(lane: number, target: number): void {
    const first = (this.#state >>> 2) + lane;
    const words = this.#words;
    for (let word = 0; word < 8; word += 1) {
      const value = words[first + word * 4] ?? 0;
      words[target + word] = (value << 24) | ((value & 0xff00) << 8) | ((value >>> 8) & 0xff00) | (value >>> 24);
    }
  }

  #writeNumbers(lane: number, target: number): void {
    const first = (this.#state >>> 2) + lane;
    for (let word = 0; word < 4; word += 1) this.#words[target + word] = this.#words[first + word * 4] ?? 0;
  }

  #hashLong(message: Uint8Array, target: number): void {
    this.#bytes.set(hash("sha256", hash("sha256", message, "buffer"), "buffer"), target * 4);
  }
}

/** Returns the number of 64-byte blocks, with the padding: one bit, zeros, and eight bytes for the length. */
function blocksOf(length: number): number {
  return (length + 72) >>> 6;
}
