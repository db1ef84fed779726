import { toHex } from "@nodewright/bitcoin-primitives";
import { jacobiSymbol } from "./jacobi-symbol.ts";

/** SEC 2, section 2.4.1: secp256k1 is y² = x³ + 7 over the integers modulo this prime. */
const fieldPrime: bigint = 2n ** 256n - 2n ** 32n - 977n;

/** Returns whether 32 bytes are the x coordinate of a point of secp256k1 (BIP 340's `lift_x` succeeds). */
export function isOnCurve(coordinate: Uint8Array): boolean {
  const x = BigInt(`0x${toHex(coordinate)}`);
  // By the law of quadratic reciprocity, which is many times faster than a power. x³ + 7 is never 0, because the curve has no point of
  // order two.
  return x < fieldPrime && jacobiSymbol((x * x * x + 7n) % fieldPrime, fieldPrime) === 1;
}
