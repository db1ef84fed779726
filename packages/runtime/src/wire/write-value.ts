import { writeBrackets } from "./bracket-tree.ts";
import { encodePercent, encodeReserved } from "./percent-encoding.ts";
import { isScalarValue, scalarText } from "./scalar-text.ts";
import type { ValueStyle } from "./value-style.ts";

/** Function that encodes a text for the place that it is written to. Throws `RangeError` where that place can't represent it. */
export type Encoder = (text: string) => string;

/** A name and its value, both encoded. */
export type WrittenPair = readonly [name: string, text: string];

/** Returns the encoder of queries and forms: the usual one, or the one that leaves reserved characters unchanged. */
export function pairEncoder(allowReserved: boolean): Encoder {
  return allowReserved ? (text) => encodeReserved(text, "query") : encodePercent;
}

/**
 * Writes a value as pairs of a query, form or cookie, in style `form`, `spaceDelimited`, `pipeDelimited`, `deepObject` or `cookie`. Null
 * counts as absent (RFC 6570, section 2.3), and so does an empty list or object whose members would be pairs.
 */
export function writePairs(
  value: unknown,
  style: ValueStyle,
  spell: Encoder,
  spellName: Encoder = encodePercent,
): readonly WrittenPair[] {
  if (value === undefined || value === null) return [];
  const { name, explode } = style;
  const named = (text: string): WrittenPair => [spellName(name), text];
  if (isScalarValue(value)) return [named(spell(scalarText(value)))];
  if (style.style === "deepObject") {
    return writeBrackets(name, value).map(([path, text]) => [spellName(path), spell(text)]);
  }
  if (Array.isArray(value)) {
    const texts = presentElements(value).map(scalarText);
    if (explode) return texts.map((text) => named(spell(text)));
    return [named(joinTexts(texts, style, spell))];
  }
  const members = presentMembers(value);
  if (!explode)
    return [
      named(
        joinTexts(
          members.flatMap(([member, text]) => [member, scalarText(text)]),
          style,
          spell,
        ),
      ),
    ];
  return members.flatMap(([member, memberValue]) => writeMember(spellName(member), memberValue, spell));
}

/** Writes a value as one text, in style `simple`, `label` or `matrix`: RFC 6570, sections 3.2.2, 3.2.5 and 3.2.7. */
export function writeText(value: unknown, { name, style, explode }: ValueStyle, spell: Encoder): string {
  const pieces = textPieces(value, explode, style === "label" && explode ? spellInLabel(spell) : spell);
  if (style === "label") return `.${pieces.join(explode ? "." : ",")}`;
  if (style !== "matrix") return pieces.join(",");
  const label = encodePercent(name);
  if (explode && Array.isArray(value)) return pieces.map((piece) => matrixPair(label, piece)).join("");
  if (explode && !isScalarValue(value)) return pieces.map((piece) => `;${piece}`).join("");
  return matrixPair(label, pieces.join(","));
}

/** Returns an encoder that rejects text whose commas, equals signs and so on would be read as separators. */
export function refuseSeparators(separators: RegExp, place: string): Encoder {
  return (text) => {
    if (separators.test(text)) throw new RangeError(`${place} can't hold a text with a separator of its own in it`);
    return text;
  };
}

/** Writes a member; in an exploded record, a list is repeated. */
function writeMember(name: string, value: unknown, spell: Encoder): readonly WrittenPair[] {
  const values = Array.isArray(value) ? presentElements(value) : [value];
  return values.map((one) => [name, spell(scalarText(one))]);
}

function joinTexts(texts: readonly string[], { name, style }: ValueStyle, spell: Encoder): string {
  if (style === "spaceDelimited") return texts.map(separated(/ /, name, spell)).join("%20");
  if (style === "pipeDelimited") return texts.map(separated(/\|/, name, spell)).join("%7C");
  return texts
    .map(spell)
    .map((text) => text.replaceAll(",", "%2C"))
    .join(",");
}

function separated(separators: RegExp, name: string, spell: Encoder): Encoder {
  const check = refuseSeparators(separators, `The parameter ${name}`);
  return (text) => spell(check(text));
}

function textPieces(value: unknown, explode: boolean, spell: Encoder): readonly string[] {
  if (isScalarValue(value)) return [spell(scalarText(value))];
  if (Array.isArray(value)) return presentElements(value).map((element) => spell(scalarText(element)));
  const members = presentMembers(value as object);
  if (!explode) return members.flatMap(([name, text]) => [spell(name), spell(scalarText(text))]);
  return members.map(([name, text]) => `${spell(name)}=${spell(scalarText(text))}`);
}

/** Returns the encoder of a label. A full stop separates in an exploded label; encoded, it is part of a text. */
function spellInLabel(spell: Encoder): Encoder {
  return (text) => spell(text).replaceAll(".", "%2E");
}

function matrixPair(name: string, text: string): string {
  return text === "" ? `;${name}` : `;${name}=${text}`;
}

function presentElements(value: readonly unknown[]): readonly unknown[] {
  return value.filter((element) => element !== undefined && element !== null);
}

function presentMembers(value: object): readonly (readonly [string, unknown])[] {
  return Object.entries(value).filter(([, member]) => member !== undefined && member !== null);
}
