/** Problem of text that should be bech32 or bech32m. */
export type Bech32Problem =
  | { readonly kind: "too-long" }
  | { readonly kind: "invalid-character" }
  | { readonly kind: "missing-separator" }
  | { readonly kind: "separator-position" }
  /** A character that is not in base 32. */
  | { readonly kind: "invalid-digit" }
  /** `encoding`: the one whose checksum would be valid if the found characters were right. */
  | { readonly kind: "checksum"; readonly encoding?: "bech32" | "bech32m" };

/** A problem with its location. */
export interface LocatedBech32Problem {
  readonly problem: Bech32Problem;
  /** Positions of the invalid bytes, from 0, ascending; empty where they are unknown. */
  readonly locations: readonly number[];
}

/** Maximum length of text in bytes (BIP 173). */
const maximumTextLength = 90;
const checksumLength = 6;
const digits = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
/** Remainder of valid text (BIP 173 and BIP 350). */
const remainders = { bech32: 1, bech32m: 0x2bc830a3 } as const;
/** Generators (BIP 173): the value subtracted for each of the five bits that a step shifts out, the lowest first. */
const generators: readonly number[] = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
/** Maximum number of reported positions beyond the longest text. */
const reportedExcess = 1_000;

const separator = 0x31;
const [lowestPrintable, highestPrintable] = [33, 126];

/**
 * Returns the problem of a text, and its location: an invalid checksum is explained by the one or two characters that must have been
 * changed, if so few explain it. The code of BIP 173 distinguishes any four changed characters, so two explanations never match at once. No
 * correction is reported, because it may be an address of someone else. `undefined` for text without an error.
 */
export function locateBech32Errors(text: string): LocatedBech32Problem | undefined {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length > maximumTextLength)
    return { problem: { kind: "too-long" }, locations: excessPositions(bytes.length) };
  const wrongCharacters = invalidCharacterPositions(bytes);
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
  const count = Math.min(length - maximumTextLength, reportedExcess);
  return Array.from({ length: count }, (_, position) => maximumTextLength + position);
}

/** Returns the positions of characters that are not printable ASCII, and of letters of the second case. */
function invalidCharacterPositions(bytes: Uint8Array): readonly number[] {
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

/** Explains a checksum. The encoding that needs fewer changes counts, and bech32 of two equal ones. */
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

/** Returns BIP 173's expansion of the human-readable part: its high bits, a zero, its low bits. */
function expandedPrefix(prefix: string): readonly number[] {
  const codes = [...prefix].map((character) => character.charCodeAt(0));
  return [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)];
}

function remainderOf(values: readonly number[]): number {
  return values.reduce((remainder, value) => shifted(remainder) ^ value, 1);
}

/** Returns the remainder times x. */
function shifted(remainder: number): number {
  const carried = remainder >>> 25;
  let result = (remainder & 0x1ffffff) << 5;
  for (const [bit, generator] of generators.entries()) if (((carried >> bit) & 1) === 1) result ^= generator;
  return result;
}

/**
 * Returns positions, counted from the end, of the one or two characters whose change causes the difference; none when more have to be
 * changed. The code is linear: the difference of two changes is the sum of their differences.
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

/** Returns for each change of one character its difference in the remainder, and its position counted from the end. */
function positionOfDifference(): ReadonlyMap<number, number> {
  positions ??= createPositions();
  return positions;
}

function createPositions(): ReadonlyMap<number, number> {
  const table = new Map<number, number>();
  let differences = Array.from({ length: 31 }, (_, change) => change + 1);
  for (let position = 0; position < maximumTextLength; position += 1) {
    for (const difference of differences) table.set(difference, position);
    differences = differences.map(shifted);
  }
  return table;
}
