// RFC 3492.

const base = 36;
const smallestThreshold = 1;
const maximumThreshold = 26;
const skew = 38;
const damp = 700;
const initialBias = 72;
const initialCodePoint = 128;
const maximumCodePoint = 0x10_ffff;

/** Decodes ASCII to code points (section 6.2), without the `xn--`; undefined when it is invalid. */
export function decodePunycode(text: string): readonly number[] | undefined {
  const delimiter = text.lastIndexOf("-");
  const result = [...text.slice(0, Math.max(0, delimiter))].map((letter) => letter.charCodeAt(0));
  let codePoint = initialCodePoint;
  let bias = initialBias;
  let position = 0;
  let index = delimiter < 0 ? 0 : delimiter + 1;
  while (index < text.length) {
    const start = position;
    for (let weight = 1, k = base; ; k += base) {
      const digit = digitOf(text.charCodeAt(index));
      index += 1;
      if (digit === undefined) return undefined;
      position += digit * weight;
      const threshold = thresholdOf(k, bias);
      if (digit < threshold) break;
      weight *= base - threshold;
      if (weight > Number.MAX_SAFE_INTEGER / base) return undefined;
    }
    const length = result.length + 1;
    bias = adapted(position - start, length, start === 0);
    codePoint += Math.floor(position / length);
    position %= length;
    if (codePoint > maximumCodePoint) return undefined;
    result.splice(position, 0, codePoint);
    position += 1;
  }
  return result;
}

/** Encodes code points to ASCII (section 6.3), without the `xn--`. */
export function encodePunycode(codePoints: readonly number[]): string {
  const plain = codePoints.filter((codePoint) => codePoint < initialCodePoint);
  let result = String.fromCharCode(...plain) + (plain.length > 0 ? "-" : "");
  let handled = plain.length;
  let codePoint = initialCodePoint;
  let delta = 0;
  let bias = initialBias;
  while (handled < codePoints.length) {
    const current = codePoint;
    const next = Math.min(...codePoints.filter((candidate) => candidate >= current));
    delta += (next - codePoint) * (handled + 1);
    codePoint = next;
    for (const candidate of codePoints) {
      if (candidate < codePoint) delta += 1;
      if (candidate !== codePoint) continue;
      result += digitsOf(delta, bias);
      bias = adapted(delta, handled + 1, handled === plain.length);
      delta = 0;
      handled += 1;
    }
    delta += 1;
    codePoint += 1;
  }
  return result;
}

function digitsOf(delta: number, bias: number): string {
  let text = "";
  let rest = delta;
  for (let k = base; ; k += base) {
    const threshold = thresholdOf(k, bias);
    if (rest < threshold) return text + letterOf(rest);
    const digit = threshold + ((rest - threshold) % (base - threshold));
    text += letterOf(digit);
    rest = Math.floor((rest - threshold) / (base - threshold));
  }
}

/** Returns the letter of a digit. Section 5: `a` to `z` are 0 to 25, `0` to `9` are 26 to 35. */
function letterOf(digit: number): string {
  return String.fromCharCode(digit < 26 ? digit + 0x61 : digit - 26 + 0x30);
}

function digitOf(unit: number): number | undefined {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30 + 26;
  if (unit >= 0x41 && unit <= 0x5a) return unit - 0x41;
  return unit >= 0x61 && unit <= 0x7a ? unit - 0x61 : undefined;
}

function thresholdOf(k: number, bias: number): number {
  return Math.min(maximumThreshold, Math.max(smallestThreshold, k - bias));
}

/** Adapts the bias by section 6.1. */
function adapted(delta: number, length: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? damp : 2));
  rest += Math.floor(rest / length);
  let k = 0;
  for (; rest > ((base - smallestThreshold) * maximumThreshold) / 2; k += base) {
    rest = Math.floor(rest / (base - smallestThreshold));
  }
  return k + Math.floor(((base - smallestThreshold + 1) * rest) / (rest + skew));
}
