/** Bits of a digit, and steps that are performed on the lowest digits alone before all others follow: so products are exact in doubles. */
const digitBits = 26;
const radix = 2 ** digitBits;
/** Number of digits in 256 bits. */
const digitCount = 10;
/**
 * Maximum number of rounds. The steps lead to 1 for all numbers without a common divisor except a few; those and the others take the slower
 * path.
 */
const maximumRounds = 64;

/** Scratch memory; it keeps nothing between two calls. */
const upper = new Float64Array(digitCount);
const lower = new Float64Array(digitCount);

/**
 * Returns the Jacobi symbol of `value` over `modulus`, an odd number: for a prime, 1 means that a value which is not a multiple of it is a
 * square. Both are not negative and below 2^256.
 *
 * A binary algorithm after Bernstein and Yang's "Fast constant-time gcd computation and modular inversion" (2019), section 8: steps read
 * the lowest bits alone, and the combined effect of many of them is applied to the complete numbers at once. Here multiples are only added,
 * so that no number becomes negative, for which there is no law of reciprocity.
 */
export function jacobiSymbol(value: bigint, modulus: bigint): number {
  writeDigits(upper, modulus);
  writeDigits(lower, value);
  const state: State = { length: digitCount, balance: -1, sign: 0 };
  for (let round = 0; round < maximumRounds; round += 1) {
    stepThrough(state);
    if (isOne(state.length)) return 1 - 2 * (state.sign & 1);
  }
  return jacobiByDivision(value, modulus);
}

interface State {
  /** Number of digits of the longer number. */
  length: number;
  /** Number of bits by which `lower` has lost more; the numbers are swapped when it is negative. */
  balance: number;
  /** Sign: the lowest bit is set when the symbol so far is -1. */
  sign: number;
}

/** Performs as many steps as a digit has bits: each halves the lower number, or makes it even before. */
function stepThrough(state: State): void {
  let { balance, sign } = state;
  let f = (upper[0] ?? 0) | ((upper[1] ?? 0) << digitBits);
  let g = (lower[0] ?? 0) | ((lower[1] ?? 0) << digitBits);
  // Coefficients of f and g in terms of the numbers before these steps, except for the halving.
  let [fOfUpper, fOfLower, gOfUpper, gOfLower] = [1, 0, 0, 1];
  for (let left = digitBits; ; ) {
    const zeros = trailingZeros(g | (-1 << left));
    g >>>= zeros;
    fOfUpper <<= zeros;
    fOfLower <<= zeros;
    balance -= zeros;
    left -= zeros;
    // (2/f) is -1 for 3 and 5 modulo 8.
    sign ^= zeros & ((f >>> 1) ^ (f >>> 2));
    if (left === 0) break;
    if (balance < 0) {
      balance = -balance;
      // The law of quadratic reciprocity.
      sign ^= (f & g) >>> 1;
      [f, g] = [g, f];
      [fOfUpper, gOfUpper] = [gOfUpper, fOfUpper];
      [fOfLower, gOfLower] = [gOfLower, fOfLower];
    }
    const bits = Math.min(balance + 1, left, inverseBits);
    // f (2 - f²) is the inverse of f modulo 2^6: g + f times this is 0 modulo 2^bits.
    const factor = Math.imul(Math.imul(f, g), Math.imul(f, f) - 2) & ((1 << bits) - 1);
    g = (g + Math.imul(f, factor)) | 0;
    gOfUpper += fOfUpper * factor;
    gOfLower += fOfLower * factor;
  }
  state.balance = balance;
  state.sign = sign;
  state.length = follow(state.length, fOfUpper, fOfLower, gOfUpper, gOfLower);
}

const inverseBits = 6;

function trailingZeros(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}

/** Applies to all digits what steps have done to the lowest ones, which are then all zero and dropped. Returns how many are left. */
function follow(length: number, fOfUpper: number, fOfLower: number, gOfUpper: number, gOfLower: number): number {
  let fCarry = 0;
  let gCarry = 0;
  for (let index = 0; index < length; index += 1) {
    const fDigit = upper[index] ?? 0;
    const gDigit = lower[index] ?? 0;
    fCarry += fOfUpper * fDigit + fOfLower * gDigit;
    gCarry += gOfUpper * fDigit + gOfLower * gDigit;
    const fRest = Math.floor(fCarry / radix);
    const gRest = Math.floor(gCarry / radix);
    if (index > 0) {
      upper[index - 1] = fCarry - fRest * radix;
      lower[index - 1] = gCarry - gRest * radix;
    }
    fCarry = fRest;
    gCarry = gRest;
  }
  upper[length - 1] = fCarry;
  lower[length - 1] = gCarry;
  let left = length;
  while (left > 1 && upper[left - 1] === 0 && lower[left - 1] === 0) left -= 1;
  return left;
}

function isOne(length: number): boolean {
  if (upper[0] !== 1) return false;
  for (let index = 1; index < length; index += 1) if (upper[index] !== 0) return false;
  return true;
}

const words = new DataView(new ArrayBuffer(40));

function writeDigits(digits: Float64Array, value: bigint): void {
  for (let word = 0; word < 4; word += 1) words.setBigUint64(8 * word, value >> BigInt(64 * word), true);
  for (let index = 0; index < digitCount; index += 1) {
    const bit = index * digitBits;
    // Four bytes from the one in which the digit begins contain it completely, unless it begins near the end of one.
    const low = words.getUint32(bit >> 3, true) >>> (bit & 7);
    const high = words.getUint8((bit >> 3) + 4) << (32 - (bit & 7));
    digits[index] = ((bit & 7) === 0 ? low : low | high) & (radix - 1);
  }
}

/** Computes the same by Euclid's algorithm. */
export function jacobiByDivision(value: bigint, modulus: bigint): number {
  let symbol = 1;
  let above = value % modulus;
  let below = modulus;
  while (above !== 0n) {
    while ((above & 1n) === 0n) {
      above >>= 1n;
      const rest = below & 7n;
      if (rest === 3n || rest === 5n) symbol = -symbol;
    }
    if ((above & 3n) === 3n && (below & 3n) === 3n) symbol = -symbol;
    [above, below] = [below % above, above];
  }
  return below === 1n ? symbol : 0;
}
