import type { TypeNode } from "../model/type-node.ts";

const within = [
  /\b(?:at|on|equal(?: to)?) or (?:after|before|later|earlier|above|below)\b/,
  /\bor (?:later|earlier|newer|older|equal|more|less|fewer|higher|lower|greater)\b/,
  /\bat (?:least|most)\b/,
  /\b(?:no|not) (?:earlier|later|more|less|fewer|lower|higher|greater|older|newer) than\b/,
  /\bnot (?:before|after|below|above)\b/,
  /\binclusive(?:ly)?\b(?! of)/,
  /\bup to and including\b/,
  /[<>]=|[≤≥]/,
];
/** Matches statements about both bounds: "both ends are included". */
const bothWithin = /\b(?:both|the) (?:ends|bounds|limits) (?:are )?(?:included|inclusive|belong)\b/;
const outside = [
  /\bexclusive(?:ly)?\b(?! (?:of|for|to)\b)/,
  /\b(?:not|non)[ -]inclusive\b/,
  /\bstrictly (?:before|after|earlier|later|above|below|less|more|fewer|greater|lower|higher|smaller|larger|older|newer)\b/,
  // "Published after this time, not at it".
  /\b(?:before|after|earlier|later|above|below|less|more|fewer|greater|lower|higher|until|from|since)\b[^.]*[,;:(] ?(?:but |and )?not (?:at|on|including|equal to) (?:it|this|that)\b/,
];
const unclear = /\bexcluding\b|\bstrictly\b/;
/** Matches both ends of a range: "between `from` and `to`". */
const betweenBoth = /\bbetween (?:the )?\W?(\w+)\W? and (?:the )?\W?(\w+)/g;

/** The descriptions of a bound: its own, and those of the item that contains it. */
export interface BoundTexts {
  readonly own: readonly (string | null | undefined)[];
  /** Descriptions of the operation, or of the field, that it is a parameter of. */
  readonly whole: readonly (string | null | undefined)[];
}

/**
 * Returns whether a bound is inclusive according to its description: true for "at or after", "at most" and "inclusive", false for
 * "exclusive", undefined where there is no statement. A sentence about the containing item counts if it names the bound.
 */
export function includesBound(name: string, { own, whole }: BoundTexts): boolean | undefined {
  const about = plain(own);
  const isSaid = verdictOf(about, within);
  if (isSaid !== undefined || unclear.test(about)) return isSaid;
  if (bothWithin.test(plain(whole))) return true;
  const wanted = name.toLowerCase();
  for (const sentence of plain([...own, ...whole]).split(/\.(?:\s|$)|;/)) {
    const isBetween = [...sentence.matchAll(betweenBoth)].some((ends) => ends.includes(wanted));
    const isNamed = isBetween || sentence.split(/\W+/).includes(wanted);
    const verdict = isNamed ? verdictOf(sentence, [/\binclusive(?:ly)?\b(?! of)/]) : undefined;
    if (verdict !== undefined || isBetween) return verdict ?? true;
  }
  return undefined;
}

function verdictOf(text: string, words: readonly RegExp[]): boolean | undefined {
  if (outside.some((word) => word.test(text)))
    return /(?<!not |non[ -])\binclusive|\bor equal\b/.test(text) ? undefined : false;
  return !unclear.test(text) && words.some((word) => word.test(text)) ? true : undefined;
}

function plain(texts: BoundTexts["own"]): string {
  return texts
    .map((text) => text ?? "")
    .join(". ")
    .toLowerCase()
    .replaceAll(/\s+/g, " ");
}

/** Returns whether the values of a type are ordered, so that bounds apply, as far as the type itself shows. */
export function isOrderedType(type: TypeNode): boolean {
  return type.kind === "string" ? /^date/.test(type.format ?? "") : /^(?:number|reference|union)$/.test(type.kind);
}
