import { chacha20KeyStream } from "./chacha20.ts";
import { asBuffer } from "./bytes.ts";
import { sha256 } from "./hash.ts";

/** Bytes of an element of the group. */
export const muHashLength: number = 384;

const bits = 3072n;
/** 2^3072 less this is the largest safe prime of 3072 bits. */
const modulusGap = 1_103_717n;
const modulus = (1n << bits) - modulusGap;

/**
 * A hash of a set that elements are added to and taken from in any order (MuHash3072 of Bitcoin Core): the product of the elements'
 * hashes over that of those taken away, modulo a prime.
 *
 * An element costs some ten microseconds, whichever of both is done; to read the hash costs about a thousand.
 */
export class MuHash {
  #numerator: bigint;
  #denominator = 1n;

  /** Of the empty set, or of one whose `value` was read before. */
  constructor(value?: Uint8Array) {
    this.#numerator = value === undefined ? 1n : numberOf(value);
  }

  add(element: Uint8Array): void {
    this.#numerator = multiply(this.#numerator, hashToNumber(element));
  }

  /** Takes away an element that is in the set, or will be. */
  remove(element: Uint8Array): void {
    this.#denominator = multiply(this.#denominator, hashToNumber(element));
  }

  /** The set as 384 bytes, from which one goes on. */
  value(): Uint8Array {
    if (this.#denominator !== 1n) {
      this.#numerator = multiply(this.#numerator, inverse(this.#denominator));
      this.#denominator = 1n;
    }
    return bytesOf(this.#numerator % modulus);
  }
}

/** The 32 bytes that stand for a set, from its `value`; reversed where people read them. */
export function muHashDigest(value: Uint8Array): Uint8Array {
  return sha256(value);
}

/** Keeps the key stream of one element. */
const words = new Int32Array(muHashLength / 4);
const stream = Buffer.from(words.buffer);

function hashToNumber(element: Uint8Array): bigint {
  chacha20KeyStream(sha256(element), words);
  return BigInt(`0x${stream.reverse().toString("hex")}`);
}

/** Lowest byte first. */
function numberOf(value: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(value).reverse().toString("hex")}`);
}

function bytesOf(value: bigint): Uint8Array {
  return asBuffer(Buffer.from(value.toString(16).padStart(muHashLength * 2, "0"), "hex")).reverse();
}

/** Below 2^3072 and a little; what is equal modulo the prime may be told by two numbers until it is reduced. */
function multiply(left: bigint, right: bigint): bigint {
  return fold(fold(left * right));
}

/** The same number modulo the prime, with about half of the bits: 2^3072 is as much as `modulusGap`. */
function fold(value: bigint): bigint {
  return (value >> bits) * modulusGap + BigInt.asUintN(3072, value);
}

/** By Euclid's algorithm: the prime and the number have no divisor in common unless the number is none of the group. */
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
