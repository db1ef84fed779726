/** What is wrong with a text that should be bech32 or bech32m. */
export type Bech32Problem =
  | { readonly kind: "too-long" }
  | { readonly kind: "invalid-character" }
  | { readonly kind: "missing-separator" }
  | { readonly kind: "separator-position" }
  /** A character that base 32 does not have. */
  | { readonly kind: "invalid-digit" }
  /** `encoding`: the one whose checksum would be right if the characters found were right. */
  | { readonly kind: "checksum"; readonly encoding?: "bech32" | "bech32m" };

/** A problem with where it is. */
export interface LocatedBech32Problem {
  readonly problem: Bech32Problem;
  /** Positions of the bytes that are wrong, from 0, ascending; empty where they can't be told. */
  readonly locations: readonly number[];
}

/** BIP 173: no text is longer, in bytes. */
const longestText = 90;
const checksumLength = 6;
const digits = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
/** BIP 173 and BIP 350: what the remainder of a right text is. */
const remainders = { bech32: 1, bech32m: 0x2bc830a3 } as const;
/** BIP 173: what is subtracted for each of the five bits that a step shifts out, the lowest first. */
const generators: readonly number[] = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
/** Positions of bytes beyond the longest text that are told. */
const reportedExcess = 1_000;

const separator = 0x31;
const [lowestPrintable, highestPrintable] = [33, 126];

/**
 * Finds what is wrong with a text, and where: a wrong checksum is explained by the one or two characters that must have been changed,
 * if so few explain it. The code of BIP 173 tells any four changed characters apart, so two explanations never fit at once. No
 * correction is told, because it may be to another's address. `undefined` for a text without an error.
 */
export function locateBech32Errors(text: string): LocatedBech32Problem | undefined {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length > longestText) return { problem: { kind: "too-long" }, locations: excessPositions(bytes.length) };
  const wrongCharacters = wrongCharacterPositions(bytes);
  if (wrongCharacters.length > 0) return { problem: { kind: "invalid-character" }, locations: wrongCharacters };
  const separatorPosition = bytes.lastIndexOf(separator);
  if (separatorPosition === -1) return { problem: { kind: "missing-separator" }, locations: [] };
  if (separatorPosition === 0 || separatorPosition + 1 + checksumLength > bytes.length) {
    return { problem: { kind: "separator-position" }, locations: [separatorPosition] };
  }
  const lowerCase = bytes.toString("latin1").toLowerCase();
  const values = [...lowerCase.slice(separatorPosition + 1)].map((character) => digits.indexOf(character));
  const wrongDigit = values.indexOf(-1);
  if (wrongDigit !== -1) {
    return { problem: { kind: "invalid-digit" }, locations: [separatorPosition + 1 + wrongDigit] };
  }
  return explainChecksum(lowerCase.slice(0, separatorPosition), values, bytes.length);
}

function excessPositions(length: number): readonly number[] {
  const count = Math.min(length - longestText, reportedExcess);
  return Array.from({ length: count }, (_, position) => longestText + position);
}

/** What is no printable ASCII, and letters of the case that comes second. */
function wrongCharacterPositions(bytes: Uint8Array): readonly number[] {
  const positions: number[] = [];
  let firstCase: "lower" | "upper" | undefined;
  for (const [position, byte] of bytes.entries()) {
    const letterCase = letterCaseOf(byte);
    firstCase ??= letterCase;
    const isMixed = letterCase !== undefined && letterCase !== firstCase;
    if (isMixed || byte < lowestPrintable || byte > highestPrintable) positions.push(position);
  }
  return positions;
}

function letterCaseOf(byte: number): "lower" | "upper" | undefined {
  if (byte >= 0x61 && byte <= 0x7a) return "lower";
  return byte >= 0x41 && byte <= 0x5a ? "upper" : undefined;
}

/** Of the two encodings the one that needs fewer changes counts, and bech32 of two alike. */
function explainChecksum(
  prefix: string,
  values: readonly number[],
  textLength: number,
): LocatedBech32Problem | undefined {
  const remainder = remainderOf([...expandedPrefix(prefix), ...values]);
  let best: { readonly encoding: "bech32" | "bech32m"; readonly fromEnd: readonly number[] } | undefined;
  for (const encoding of ["bech32", "bech32m"] as const) {
    const difference = remainder ^ remainders[encoding];
    if (difference === 0) return undefined;
    const fromEnd = changedPositions(difference, values.length);
    if (fromEnd.length > 0 && (best === undefined || fromEnd.length < best.fromEnd.length))
      best = { encoding, fromEnd };
  }
  if (best === undefined) return { problem: { kind: "checksum" }, locations: [] };
  const locations = best.fromEnd.map((position) => textLength - 1 - position).sort((left, right) => left - right);
  return { problem: { kind: "checksum", encoding: best.encoding }, locations };
}

/** BIP 173's expansion of the human-readable part: its high bits, a zero, its low bits. */
function expandedPrefix(prefix: string): readonly number[] {
  const codes = [...prefix].map((character) => character.charCodeAt(0));
  return [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)];
}

function remainderOf(values: readonly number[]): number {
  return values.reduce((remainder, value) => shifted(remainder) ^ value, 1);
}

/** The remainder times x. */
function shifted(remainder: number): number {
  const carried = remainder >>> 25;
  let result = (remainder & 0x1ffffff) << 5;
  for (const [bit, generator] of generators.entries()) if (((carried >> bit) & 1) === 1) result ^= generator;
  return result;
}

/**
 * Positions, counted from the end, of the one or two characters whose change makes the difference; none when more have to be changed.
 * The code is linear: the difference of two changes is the sum of their differences.
 */
function changedPositions(difference: number, length: number): readonly number[] {
  const table = positionOfDifference();
  const single = table.get(difference);
  if (single !== undefined) return single < length ? [single] : [];
  for (const [first, position] of table) {
    // The table is in order of positions.
    if (position >= length) return [];
    const other = table.get(difference ^ first);
    if (other !== undefined && other < length && other !== position) return [position, other];
  }
  return [];
}

let positions: ReadonlyMap<number, number> | undefined;

/** For each change of one character the difference that it makes to the remainder, and its position counted from the end. */
function positionOfDifference(): ReadonlyMap<number, number> {
  positions ??= createPositions();
  return positions;
}

function createPositions(): ReadonlyMap<number, number> {
  const table = new Map<number, number>();
  let differences = Array.from({ length: 31 }, (_, change) => change + 1);
  for (let position = 0; position < longestText; position += 1) {
    for (const difference of differences) table.set(difference, position);
    differences = differences.map(shifted);
  }
  return table;
}
