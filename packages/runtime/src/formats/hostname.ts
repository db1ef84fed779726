// RFC 1123, section 2.1, and IDNA 2008: RFC 5890 to 5892.
import { decodePunycode, encodePunycode } from "./punycode.ts";

const asciiLabel = /^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?$/;
const notAscii = /\P{ASCII}/u;
/** Characters that keyboards produce for the dot (RFC 3490, section 3.1). */
const otherDots = /[\u3002\uff0e\uff61]/g;

/** Maximum octets of a label and of a complete name: RFC 1035, section 2.3.4, without the octet of the root. */
const maximumLabelLength = 63;
const maximumNameLength = 253;

/**
 * Returns whether text is like `www.example.com`: RFC 1123, section 2.1. A label that begins with `xn--` is an A-label (RFC 5890, section
 * 2.3.2.1).
 */
export function isHostname(text: string): boolean {
  return text.length <= maximumNameLength && text.split(".").every(isHostLabel);
}

/**
 * Returns whether text is a name with letters of any script: RFC 5890, section 2.3.2.3.
 *
 * Joining and bidirectional classes are not among the language's Unicode properties: the rule of the zero-width non-joiner is derived from
 * the script around it, and names that are written from right to left are not checked against RFC 5893.
 */
export function isIdnHostname(text: string): boolean {
  const labels = text.replaceAll(otherDots, ".").split(".");
  const asciiForms = labels.map(asciiFormOf);
  if (!asciiForms.every((form) => form !== undefined)) return false;
  return asciiForms.join(".").length <= maximumNameLength;
}

function isHostLabel(label: string): boolean {
  return isAsciiLabel(label) && (!/^xn--/i.test(label) || asciiFormOf(label) !== undefined);
}

function isAsciiLabel(label: string): boolean {
  return label.length <= maximumLabelLength && asciiLabel.test(label);
}

/** Returns the label as name servers know it; undefined when it is invalid. */
function asciiFormOf(label: string): string | undefined {
  if (notAscii.test(label)) {
    if (!isUnicodeLabel(label)) return undefined;
    const form = `xn--${encodePunycode(codePointsOf(label))}`;
    return form.length <= maximumLabelLength ? form : undefined;
  }
  if (!isAsciiLabel(label)) return undefined;
  if (label.slice(2, 4) !== "--") return label;
  return isEncodedLabel(label.toLowerCase()) ? label : undefined;
}

/** Returns whether a decoded label is valid. RFC 5891, section 5.4: the decoded text is a label, and encodes to the same text. */
function isEncodedLabel(label: string): boolean {
  if (!label.startsWith("xn--")) return false;
  const codePoints = decodePunycode(label.slice(4));
  if (codePoints === undefined || codePoints.length === 0) return false;
  const decoded = String.fromCodePoint(...codePoints);
  return notAscii.test(decoded) && isUnicodeLabel(decoded) && encodePunycode(codePoints) === label.slice(4);
}

/** Returns whether text is a valid label by RFC 5891, section 4.2.3. */
function isUnicodeLabel(label: string): boolean {
  if (label.normalize("NFC") !== label || label.slice(2, 4) === "--") return false;
  if (label.startsWith("-") || label.endsWith("-") || /^\p{M}/u.test(label)) return false;
  const characters = [...label];
  return characters.every((character, index) => isAllowed(character, index, characters));
}

/** Returns whether a character is allowed by RFC 5892, sections 2.6 and 3. */
function isAllowed(character: string, index: number, label: readonly string[]): boolean {
  const rule = contextRules.find(({ characters }) => characters.test(character));
  if (rule !== undefined) return rule.isMet(index, label);
  if (/[\u00df\u03c2\u06fd\u06fe\u0f0b\u3007]/.test(character)) return true;
  if (/[\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b]/.test(character)) return false;
  if (/[-0-9a-z]/.test(character)) return true;
  return /[\p{Ll}\p{Lu}\p{Lo}\p{Nd}\p{Lm}\p{Mn}\p{Mc}]/u.test(character) && !isRefused(character);
}

/** Returns whether a character is unstable, ignorable or old: RFC 5892, sections 2.2 to 2.5 and 2.9. */
function isRefused(character: string): boolean {
  if (character.normalize("NFKC").toLowerCase().normalize("NFKC") !== character) return true;
  return ignorable.test(character) || musical.test(character) || oldHangul.test(character);
}

const ignorable = /[\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Noncharacter_Code_Point}]/u;
/** Combining marks for symbols, musical symbols and ancient Greek notation. */
const musical = /[\u20d0-\u20ff]|[\u{1d100}-\u{1d24f}]/u;
const oldHangul = /[\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]/u;

interface ContextRule {
  readonly characters: RegExp;
  readonly isMet: (index: number, label: readonly string[]) => boolean;
}

/** Rules of RFC 5892, appendix A. */
const contextRules: readonly ContextRule[] = [
  { characters: /\u00b7/, isMet: (index, label) => label[index - 1] === "l" && label[index + 1] === "l" },
  { characters: /\u0375/, isMet: (index, label) => /\p{Script=Greek}/u.test(label[index + 1] ?? "") },
  { characters: /[\u05f3\u05f4]/, isMet: (index, label) => /\p{Script=Hebrew}/u.test(label[index - 1] ?? "") },
  {
    characters: /\u30fb/,
    isMet: (_, label) => label.some((other) => /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(other)),
  },
  { characters: /[\u0660-\u0669]/, isMet: (_, label) => !label.some((other) => /[\u06f0-\u06f9]/.test(other)) },
  { characters: /[\u06f0-\u06f9]/, isMet: (_, label) => !label.some((other) => /[\u0660-\u0669]/.test(other)) },
  { characters: /\u200d/, isMet: (index, label) => isVirama(label[index - 1]) },
  { characters: /\u200c/, isMet: (index, label) => isVirama(label[index - 1]) || isBetweenJoining(index, label) },
];

/** Characters of the combining class 9. */
const virama =
  /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0e3a\u0eba\u0f84\u1039\u103a\u1714\u1715\u1734\u17d2\u1a60\u1b44\u1baa\u1bab\u1bf2\u1bf3\u2d7f\ua806\ua82c\ua8c4\ua953\ua9c0\uaaf6\uabed\u{10a3f}\u{11046}\u{11070}\u{1107f}\u{110b9}\u{11133}\u{11134}\u{111c0}\u{11235}\u{112ea}\u{1134d}\u{11442}\u{114c2}\u{115bf}\u{1163f}\u{116b6}\u{1172b}\u{11839}\u{1193d}\u{1193e}\u{119e0}\u{11a34}\u{11a47}\u{11a99}\u{11c3f}\u{11d44}\u{11d45}\u{11d97}]/u;

function isVirama(character: string | undefined): boolean {
  return character !== undefined && virama.test(character);
}

/** Letters of scripts that join, and those among them that join only to the letter before. */
const joining =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Mandaic}\p{Script=Adlam}]/u;
const joiningBackward =
  /[\u0622-\u0625\u0627\u0629\u062f-\u0632\u0648\u0671-\u0673\u0675-\u0677\u0688-\u0699\u06c0\u06c3-\u06cb\u06cd\u06cf\u06d2\u06d3\u06d5\u06ee\u06ef\u0710\u0715-\u0719\u071e\u0728\u072a\u072c\u072f\u074d]/;

/**
 * Returns whether a letter that joins forward, then this character, then a letter that joins follow each other; marks between them do not
 * count.
 */
function isBetweenJoining(index: number, label: readonly string[]): boolean {
  const isMark = (character: string): boolean => /\p{Mn}/u.test(character);
  const before = label.slice(0, index).findLast((character) => !isMark(character)) ?? "";
  const after = label.slice(index + 1).find((character) => !isMark(character)) ?? "";
  return joining.test(before) && !joiningBackward.test(before) && joining.test(after);
}

function codePointsOf(text: string): readonly number[] {
  return [...text].map((character) => character.codePointAt(0) ?? 0);
}
