import { toHex } from "@nodewright/bitcoin-primitives";

/** SEC 2, section 2.4.1: secp256k1 is y² = x³ + 7 over the integers modulo this prime. */
const fieldPrime: bigint = 2n ** 256n - 2n ** 32n - 977n;

/** True when 32 bytes are the x coordinate of a point of secp256k1 (BIP 340's `lift_x` succeeds). */
export function isOnCurve(coordinate: Uint8Array): boolean {
  const x = BigInt(`0x${toHex(coordinate)}`);
  // x³ + 7 is never 0, because the curve has no point of order two.
  return x < fieldPrime && jacobiSymbol((x * x * x + 7n) % fieldPrime, fieldPrime) === 1;
}

/** 1 for a square modulo a prime; by the law of quadratic reciprocity, which is several times faster than a power. */
function jacobiSymbol(value: bigint, modulus: bigint): number {
  let symbol = 1;
  let upper = value;
  let lower = modulus;
  while (upper !== 0n) {
    while ((upper & 1n) === 0n) {
      upper >>= 1n;
      const rest = lower & 7n;
      if (rest === 3n || rest === 5n) symbol = -symbol;
    }
    if ((upper & 3n) === 3n && (lower & 3n) === 3n) symbol = -symbol;
    [upper, lower] = [lower % upper, upper];
  }
  return lower === 1n ? symbol : 0;
}
