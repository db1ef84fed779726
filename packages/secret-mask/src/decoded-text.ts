/** An unescaped string, with the position of each of its code units in the source. */
export interface DecodedText {
  readonly text: string;
  /** Start of each code unit in the source; `undefined` for the source itself. */
  readonly starts: Uint32Array | undefined;
  /** End of each code unit in the source. */
  readonly ends: Uint32Array | undefined;
}

/** Maximum number of nested encodings: deeper ones are meant to take time. */
const maximumLevels = 8;

const percent =
  /(?<percent>%(?:[0-7][\da-f]|c[2-9a-f]%[89ab][\da-f]|d[\da-f]%[89ab][\da-f]|e[\da-f](?:%[89ab][\da-f]){2}|f[0-4](?:%[89ab][\da-f]){3}))|%u(?<unit>[\da-f]{4})/gi;
const backslash = /\\u(?<unit>[\da-f]{4})|\\x(?<byte>[\da-f]{2})|\\(?<short>["'\\/bfnrt])/gi;
const entity = /&(?:#(?<decimal>\d{1,7})|#x(?<hex>[\da-f]{1,6})|(?<name>[a-z]{2,7}));/gi;
const anyEscape = new RegExp([percent, backslash, entity].map(({ source }) => source).join("|"), "gi");

const shortEscapes: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
/** HTML entity names of ASCII characters, in lower case. */
const namedEntities: ReadonlyMap<string, string> = new Map(
  (
    "amp& lt< gt> quot\" apos' excl! num# dollar$ percnt% lpar( rpar) ast* plus+ comma, period. sol/ colon: semi; equals= quest? " +
    "commat@ lsqb[ lbrack[ bsol\\ rsqb] rbrack] hat^ lowbar_ grave` lcub{ lbrace{ verbar| vert| rcub} rbrace}"
  )
    .split(" ")
    .map((entry) => [entry.slice(0, -1), entry.slice(-1)]),
);

/** Returns a string as it is, then without its percent-encoding, JSON escapes and HTML entities, repeatedly until none is left. */
export function decodeRepeatedly(text: string, pattern: RegExp = anyEscape): readonly DecodedText[] {
  const levels: DecodedText[] = [];
  let level: DecodedText | undefined = { text, starts: undefined, ends: undefined };
  while (level !== undefined && levels.length <= maximumLevels) {
    levels.push(level);
    level = decodeOnce(level, pattern);
  }
  return levels;
}

/** A decoded part of a string, from a position in it. */
export interface DecodedPart extends DecodedText {
  readonly at: number;
}

/** Length of the prefixes that are searched, and maximum length of their encoding: an escape of an escape. */
export const lengthOfBeginning = 3;
const maximumEscapeLength = 16;

/**
 * Returns the result of `decodeRepeatedly`, and two further decodings for a secret that may form an escape with the surrounding characters.
 * For `a%0` before a digit in JSON, only one kind of escape is decoded; for `rest` after a backslash, parts of a length are decoded that
 * begin within an escape, with one of the prefixes (in lower case).
 */
export function decodeAnywhere(text: string, beginnings: ReadonlySet<string>, length: number): readonly DecodedPart[] {
  const whole = readAt(text, 0, text.length);
  const within = new Set<number>();
  for (const { starts = [], ends } of whole)
    for (const [index, start] of starts.entries())
      for (let at = start + 1; at < (ends?.[index] ?? 0); at += 1) within.add(at);
  const isBeginning = ({ text: part }: DecodedText): boolean =>
    beginnings.has(part.slice(0, lengthOfBeginning).toLowerCase());
  const prefixes = new Set([...beginnings].flatMap((one) => [one, one.slice(0, 2), one.slice(0, 1), ""]));
  // The characters before the next escape are the same in each decoding.
  const mayBegin = (at: number): boolean =>
    prefixes.has((/^[^\\%&]*/.exec(text.slice(at, at + lengthOfBeginning))?.[0] ?? "").toLowerCase());
  const parts = [...within]
    .filter((at) => mayBegin(at) && readAt(text, at, lengthOfBeginning * maximumEscapeLength).some(isBeginning))
    .flatMap((at) => readAt(text, at, length * maximumEscapeLength).filter(isBeginning));
  return [...whole, ...parts];
}

function readAt(text: string, at: number, length: number): readonly DecodedPart[] {
  const part = text.slice(at, at + length);
  const read = (pattern: RegExp): readonly DecodedText[] => decodeRepeatedly(part, pattern);
  const levels = [...read(anyEscape), ...[percent, backslash, entity].flatMap((pattern) => read(pattern).slice(1))];
  return [...new Map(levels.map((level) => [level.text, { ...level, at }])).values()];
}

/** Returns a string decoded once; `undefined` when there is nothing to decode. */
function decodeOnce({ text, starts, ends }: DecodedText, pattern: RegExp): DecodedText | undefined {
  if (text.search(pattern) === -1) return undefined;
  const next = { starts: new Uint32Array(text.length), ends: new Uint32Array(text.length) };
  let decoded = "";
  let end = 0;
  const copyUntil = (index: number): void => {
    for (let from = end, to = decoded.length; from < index; from += 1, to += 1) {
      next.starts[to] = starts?.[from] ?? from;
      next.ends[to] = ends?.[from] ?? from + 1;
    }
    decoded += text.slice(end, index);
  };
  for (const match of text.matchAll(pattern)) {
    const plain = decodeEscape(match.groups ?? {});
    if (plain === undefined) continue;
    const { index } = match;
    copyUntil(index);
    end = index + match[0].length;
    // No escape is shorter than its character.
    next.starts.fill(starts?.[index] ?? index, decoded.length, decoded.length + plain.length);
    next.ends.fill(ends?.[end - 1] ?? end, decoded.length, decoded.length + plain.length);
    decoded += plain;
  }
  if (end === 0) return undefined;
  copyUntil(text.length);
  return {
    text: decoded,
    starts: next.starts.subarray(0, decoded.length),
    ends: next.ends.subarray(0, decoded.length),
  };
}

function decodeEscape({
  percent,
  unit,
  byte,
  short,
  decimal,
  hex,
  name,
}: Readonly<Record<string, string | undefined>>): string | undefined {
  if (percent !== undefined) return Buffer.from(percent.replaceAll("%", ""), "hex").toString();
  const code16 = unit ?? byte;
  if (code16 !== undefined) return String.fromCharCode(Number.parseInt(code16, 16));
  if (short !== undefined) return shortEscapes[short] ?? short;
  if (name !== undefined) return namedEntities.get(name.toLowerCase());
  const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number.parseInt(decimal, 10);
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : undefined;
}
