/** The 32 characters of BIP 173, each representing five bits. */
const bech32Characters = Buffer.from("qpzry9x8gf2tvdw0s3jn54khce6mua7l");
/** Generators of BIP 173's remainder, by the bit that leaves it. */
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3] as const;
/** Remainder of a complete valid address: BIP 173 and, from version 1 on, BIP 350. */
const remainders = { bech32: 1, bech32m: 0x2bc830a3 } as const;
const bech32ChecksumLength = 6;

/** Subtrahends by the five bits that leave the remainder. */
const subtrahends: Int32Array = Int32Array.from({ length: 32 }, (_, bits) =>
  generators.reduce((sum, generator, bit) => (((bits >> bit) & 1) === 1 ? sum ^ generator : sum), 0),
);

/** Scratch buffer longer than any address. It keeps nothing between two calls: addresses are written by the thousand. */
const text: Buffer = Buffer.alloc(128);

/** Cached remainders of the human-readable parts, which are few. */
const prefixRemainders = new Map<string, number>();

/** Returns the address of a witness program of 2 to 40 bytes (BIP 173, and BIP 350 for versions above 0). */
export function segwitAddressText(prefix: string, version: number, program: Uint8Array): string {
  let end = text.write(prefix, 0, "latin1");
  text[end++] = separator;
  let remainder = append(prefixRemainder(prefix), version);
  text[end++] = bech32Characters[version] ?? 0;
  let bits = 0;
  let bitCount = 0;
  for (let position = 0; position < program.length; position += 1) {
    bits = ((bits & 0xf) << 8) | (program[position] ?? 0);
    bitCount += 8;
    while (bitCount >= 5) {
      bitCount -= 5;
      const word = (bits >> bitCount) & 31;
      remainder = append(remainder, word);
      text[end++] = bech32Characters[word] ?? 0;
    }
  }
  if (bitCount > 0) {
    const word = (bits << (5 - bitCount)) & 31;
    remainder = append(remainder, word);
    text[end++] = bech32Characters[word] ?? 0;
  }
  for (let position = 0; position < bech32ChecksumLength; position += 1) remainder = append(remainder, 0);
  remainder ^= version === 0 ? remainders.bech32 : remainders.bech32m;
  for (let shift = 25; shift >= 0; shift -= 5) text[end++] = bech32Characters[(remainder >> shift) & 31] ?? 0;
  return text.toString("latin1", 0, end);
}

const separator = 0x31;

/** Runs one step of the code: appends five bits. */
function append(remainder: number, value: number): number {
  return ((remainder & 0x1ffffff) << 5) ^ value ^ (subtrahends[remainder >>> 25] ?? 0);
}

/** Returns the remainder after the upper three bits of each character, a zero and the lower five bits of each. */
function prefixRemainder(prefix: string): number {
  let remainder = prefixRemainders.get(prefix);
  if (remainder !== undefined) return remainder;
  const codes = [...Buffer.from(prefix, "latin1")];
  remainder = [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)].reduce(append, 1);
  prefixRemainders.set(prefix, remainder);
  return remainder;
}

const base58Characters = Buffer.from("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz");
/** Number of digits that are computed at once: the remainder of a division by this and 16 more bits is exact in a double. */
const digitsAtOnce = 5;
const fiveDigits = 58 ** digitsAtOnce;
const words = new Float64Array(64);

/** Returns bytes in base 58, most significant first; each zero byte at the beginning is a `1`. At most 80 bytes. */
export function base58Text(bytes: Uint8Array): string {
  let zeros = 0;
  while (bytes[zeros] === 0) zeros += 1;
  const count = writeWords(bytes);
  let start = text.length;
  for (let first = 0; first < count; ) {
    let rest = 0;
    for (let index = first; index < count; index += 1) {
      const value = rest * 0x10000 + (words[index] ?? 0);
      const quotient = Math.floor(value / fiveDigits);
      words[index] = quotient;
      rest = value - quotient * fiveDigits;
    }
    for (let digit = 0; digit < digitsAtOnce; digit += 1) {
      const quotient = Math.floor(rest / 58);
      start -= 1;
      text[start] = base58Characters[rest - quotient * 58] ?? 0;
      rest = quotient;
    }
    while (first < count && words[first] === 0) first += 1;
  }
  while (text[start] === one) start += 1;
  for (let position = 0; position < zeros; position += 1) text[--start] = one;
  return text.toString("latin1", start);
}

const one = 0x31;

/** Writes the bytes as words of 16 bits, most significant first. */
function writeWords(bytes: Uint8Array): number {
  const count = (bytes.length + 1) >> 1;
  const odd = bytes.length & 1;
  for (let index = 0; index < count; index += 1) {
    const at = 2 * index - odd;
    words[index] = (at < 0 ? 0 : (bytes[at] ?? 0)) * 256 + (bytes[at + 1] ?? 0);
  }
  return count;
}
