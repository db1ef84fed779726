import type { BlockHeader } from "./block-header.ts";
import { toHex } from "./bytes.ts";
import type { HashBytes } from "./hash.ts";
import type { Network } from "./network.ts";

/** Number of blocks whose times the median is taken of (BIP 113). */
const medianTimeSpan = 11;

const targetLimit = 1n << 256n;

/**
 * Returns the target of the compact form `bits`; a header's hash must not be above it.
 *
 * `undefined` for a form without a target: zero, negative, or of more than 256 bits.
 */
export function targetOfBits(bits: number): bigint | undefined {
  const exponent = bits >>> 24;
  const isNegative = (bits & 0x00800000) !== 0;
  const mantissa = bits & 0x007fffff;
  // A negative shift goes the other way.
  const target = BigInt(mantissa) << BigInt(8 * (exponent - 3));
  if (target === 0n || isNegative || target >= targetLimit) return undefined;
  return target;
}

/** Returns the compact form of a target, rounded down to its precision. */
export function bitsOfTarget(target: bigint): number {
  let exponent = Math.ceil(target.toString(2).length / 8);
  let mantissa = Number(target >> BigInt(8 * (exponent - 3)));
  // The mantissa's highest bit is the sign.
  if (mantissa > 0x007fffff) {
    mantissa >>>= 8;
    exponent += 1;
  }
  return ((exponent << 24) | mantissa) >>> 0;
}

/** Returns the expected number of hashes to meet `bits`; 0 where `bits` has no target. */
export function workOfBits(bits: number): bigint {
  const target = targetOfBits(bits);
  return target === undefined ? 0n : targetLimit / (target + 1n);
}

/**
 * Returns how much harder `bits` is than the easiest target of mainnet, on every network: as in Bitcoin Core's `getdifficulty`.
 *
 * In floating point, with the same steps, so that the last digit is the same too. 0 where `bits` has no mantissa.
 */
export function difficultyOfBits(bits: number): number {
  const mantissa = bits & 0x00ffffff;
  if (mantissa === 0) return 0;
  let difficulty = 0x0000ffff / mantissa;
  let exponent = bits >>> 24;
  for (; exponent < 29; exponent += 1) difficulty *= 256;
  for (; exponent > 29; exponent -= 1) difficulty /= 256;
  return difficulty;
}

/** Returns whether the hash is not above the header's target and the target is allowed on the network. */
export function meetsProofOfWork(header: Pick<BlockHeader, "bits" | "hash">, network: Network): boolean {
  const target = targetOfBits(header.bits);
  if (target === undefined || target > network.powLimit) return false;
  return numberOfHash(header.hash) <= target;
}

/** Returns a hash as the number that is compared with a target: its bytes are little-endian. */
export function numberOfHash(hash: HashBytes): bigint {
  return BigInt(`0x${toHex(Uint8Array.from(hash).reverse())}`);
}

/**
 * Returns the median time past of a block (BIP 113): `times` are those of the block itself and of those below it, in any order.
 *
 * The later of the two in the middle counts for an even number, as in Bitcoin Core. Only the last 11 count, so pass no more.
 */
export function medianTimePast(times: readonly number[]): number {
  if (times.length === 0 || times.length > medianTimeSpan) {
    throw new Error(`A median time needs 1 to ${medianTimeSpan} blocks, not ${times.length}`);
  }
  const sorted = times.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
