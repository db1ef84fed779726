import { chacha20KeyStream } from "./chacha20.ts";
import { asBuffer } from "./bytes.ts";
import { sha256 } from "./hash.ts";

/** Bytes of an element of the group. */
export const muHashLength: number = 384;

const bits = 3072n;
/** Difference between 2^3072 and the largest safe prime of 3072 bits. */
const modulusGap = 1_103_717n;
const modulus = (1n << bits) - modulusGap;

/**
 * Hash of a set in which elements are added and removed in any order (MuHash3072 of Bitcoin Core): the product of the elements' hashes
 * divided by that of the removed ones, modulo a prime.
 *
 * Adding or removing an element costs some ten microseconds; reading the hash costs about a thousand.
 */
export class MuHash {
  #numerator: bigint;
  #denominator = 1n;

  /** Creates the hash of the empty set, or of one whose `value` was read before. */
  constructor(value?: Uint8Array) {
    this.#numerator = value === undefined ? 1n : numberOf(value);
  }

  add(element: Uint8Array): void {
    this.#numerator = multiply(this.#numerator, hashToNumber(element));
  }

  /** Removes an element that is in the set, or will be. */
  remove(element: Uint8Array): void {
    this.#denominator = multiply(this.#denominator, hashToNumber(element));
  }

  /** Returns the set as 384 bytes, from which it can be continued. */
  value(): Uint8Array {
    if (this.#denominator !== 1n) {
      this.#numerator = multiply(this.#numerator, inverse(this.#denominator));
      this.#denominator = 1n;
    }
    return bytesOf(this.#numerator % modulus);
  }
}

/** Returns the 32-byte digest of a set, from its `value`; reversed in display order. */
export function muHashDigest(value: Uint8Array): Uint8Array {
  return sha256(value);
}

/** Scratch memory for the key stream of one element. */
const words = new Int32Array(muHashLength / 4);
const stream = Buffer.from(words.buffer);

function hashToNumber(element: Uint8Array): bigint {
  chacha20KeyStream(sha256(element), words);
  return BigInt(`0x${stream.reverse().toString("hex")}`);
}

/** Reads a number, lowest byte first. */
function numberOf(value: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(value).reverse().toString("hex")}`);
}

function bytesOf(value: bigint): Uint8Array {
  return asBuffer(Buffer.from(value.toString(16).padStart(muHashLength * 2, "0"), "hex")).reverse();
}

/** Multiplies. The result is below 2^3072 and a little; numbers that are equal modulo the prime may differ until they are reduced. */
function multiply(left: bigint, right: bigint): bigint {
  return fold(fold(left * right));
}

/** Returns the same number modulo the prime, with about half of the bits: 2^3072 equals `modulusGap`. */
function fold(value: bigint): bigint {
  return (value >> bits) * modulusGap + BigInt.asUintN(3072, value);
}

/** Inverts by Euclid's algorithm: the prime and the number have no common divisor unless the number is not in the group. */
function inverse(value: bigint): bigint {
  let [high, low] = [modulus, value];
  let [before, factor] = [0n, 1n];
  while (low !== 0n) {
    const quotient = high / low;
    [high, low] = [low, high - quotient * low];
    [before, factor] = [factor, before - quotient * factor];
  }
  if (high !== 1n) throw new Error("A product of hashes has no inverse");
  return before < 0n ? before + modulus : before;
}
