import type { Decoding, StructureDecoding } from "../operations/operation.ts";
import { readBrackets } from "./bracket-tree.ts";
import { readDelimited, readNested, type Separation } from "./delimited-text.ts";
import type { Pairs } from "./pairs.ts";
import { decodePercent } from "./percent-encoding.ts";
import { decodeScalar } from "./scalar-text.ts";
import { hasMembers, isStructure, memberDecoding, type ValueStyle } from "./value-style.ts";

/** Context for reading one value among others. */
export interface PairsReading {
  readonly pairs: Pairs;
  /** Names that belong to other values: an object that accepts every name accepts none of these. */
  readonly claimed: ReadonlySet<string>;
  readonly maximumDepth: number;
}

/**
 * Returns the value of pairs of a query, form or cookie, the inverse of `writePairs`; `undefined` when it is absent. Text that does not
 * represent such a value is returned unchanged, and a list where a single value was repeated, for a validator to reject.
 */
export function readPairsValue(reading: PairsReading, style: ValueStyle): unknown {
  const { pairs } = reading;
  const { name, explode, decoding } = style;
  const values = pairs.values(name);
  const decode = decoderOf(pairs, style);
  if (!isStructure(decoding)) return readScalars(values, decoding, decode);
  const isDeep = style.style === "deepObject";
  if (isDeep || decoding.list !== undefined) {
    const bracketed = pairs.bracketed(name);
    if (bracketed.length > 0) return readBrackets(name, bracketed, decoding, decode, reading.maximumDepth);
  }
  if (explode && !isDeep && hasMembers(decoding)) {
    // The name of such an object is not sent: a pair of that name is a member like any other.
    const isObjectAlone = decoding.list === undefined && decoding.scalar === undefined;
    if (values.length === 0 || isObjectAlone) return readSpread(reading, style, decoding);
  }
  if (values.length === 0) return undefined;
  if (values.length > 1 || explode || isDeep) return readValues(values, decoding, decode);
  const [value = ""] = values;
  return readDelimited(value, decoding, separationOf(value, style, decoding, decode));
}

/** Returns the values of one name: a list where one is expected, or where there are several. */
function readValues(
  values: readonly string[],
  decoding: StructureDecoding,
  decode: (value: string) => string,
): unknown {
  const { list } = decoding;
  const [only = ""] = values;
  if (values.length === 1 && (list === undefined || decoding.scalar !== undefined)) {
    return readNested(decode(only), decoding);
  }
  return values.map((value) => readNested(decode(value), list ?? "string"));
}

function readScalars(
  values: readonly string[],
  decoding: Exclude<Decoding, StructureDecoding>,
  decode: (value: string) => string,
): unknown {
  const [only] = values;
  if (only === undefined) return undefined;
  return values.length === 1 ? decodeScalar(decoding, decode(only)) : values.map(decode);
}

/** Returns an object whose members are pairs of their own: those that it describes, or every one that belongs to nothing else. */
export function readSpread({ pairs, claimed }: PairsReading, style: ValueStyle, decoding: StructureDecoding): unknown {
  const { record = {}, additional } = decoding;
  const described = Object.keys(record);
  const isOpen = additional !== undefined || described.length === 0;
  const names = isOpen ? [...new Set(pairs.all.map(({ name }) => name))] : described;
  const decode = decoderOf(pairs, style);
  const entries = names.flatMap((name) => {
    const values = pairs.values(name);
    const isOthers = claimed.has(name) && name !== style.name && !Object.hasOwn(record, name);
    if (values.length === 0 || isOthers) return [];
    const member = memberDecoding(decoding, name);
    const value = isStructure(member) ? readValues(values, member, decode) : readScalars(values, member, decode);
    return [[name, value] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Returns the decoder. Where reserved characters are not encoded, a plus sign is one. */
function decoderOf(pairs: Pairs, { allowReserved }: ValueStyle): (value: string) => string {
  return allowReserved && pairs.isPercentEncoded ? decodePercent : pairs.decode;
}

function separationOf(
  value: string,
  { style }: ValueStyle,
  decoding: StructureDecoding,
  decode: (value: string) => string,
): Separation {
  if (style === "spaceDelimited") return { separator: / |\+|%20/, isPaired: false, decode };
  if (style === "pipeDelimited") return { separator: /\||%7C/i, isPaired: false, decode };
  return { separator: isCommaData(value, decoding) ? "," : /,|%2C/i, isPaired: false, decode };
}

/**
 * Returns whether a percent-encoded comma is part of a text (RFC 6570, section 3.2.1). Where no text is possible it still separates,
 * because many senders encode a complete query.
 */
function isCommaData(value: string, { list, record, additional }: StructureDecoding): boolean {
  if (list !== undefined) return list === "string" || list === "scalar" || isStructure(list);
  return value.includes(",") && (record !== undefined || additional !== undefined);
}
