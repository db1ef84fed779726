import type { TypeNode } from "./type-node.ts";

type Texts = readonly (string | null | undefined)[];

const excerptWords =
  /\b(?:main|best(?! chain)|top|first|last|latest|newest|some|(?<!at )most|recent|samples?|excerpt|selected|selection|few|favou?rites?)\b|\bonly(?:$| (?:the|those|its|his|her|their)\b)/i;
/** What tells of an order: "newest first", "the best one first". */
const orderWords =
  /\b(?:first|last)\b(?=$|[,;:)])|\b(?:in|by) [\w ]*order\b|\b(?:sorted|ordered|ascending|descending)\b/i;
const chanceWords = /\b(?:random(?:ly|ized|ised)?|chance|shuffled?|drawn by lot|featured)\b/i;

/** Whether the first sentence about a list says that it is an excerpt of what there is: "The three best known ones". */
export function saysExcerpt(texts: Texts): boolean {
  const sentences = texts.map((text) => text?.split(/\.(?:\s|$)/)[0]?.trim() ?? "");
  return sentences.some((sentence) => excerptWords.test(sentence) && !orderWords.test(sentence));
}

/** Whether the description of an operation says that its result is chosen by chance. */
export function saysByChance(texts: Texts): boolean {
  return texts.some((text) => chanceWords.test(text ?? ""));
}

const oneSidedWords =
  /\bonly\b|\b(?:if|when|where) (?:it is |this is )?(?:true|set|given|enabled)\b|\b(?:include[sd]?|including|excludes?|hides?|shows?|adds?|omits?|restricts?|limits?)\b/i;

const cappedWords =
  /\b(?:count(?:ing|s|ed)?|total)\b[^.]*\b(?:stops?|ends|limited|cut off)\b|\bcapped\b|\b(?:at most|(?:never|no|not) (?:more|greater|higher) than|up to|maximum of)\b(?=[^.]*\d)|\bor more\b|\blower bound\b|\b(?:estimate[sd]?|approximate(?:ly)?|roughly)\b/i;

/** How far a number of elements is exact, as texts say: 40 of "counting stops at 40", 0 of an estimate; undefined where nothing says so. */
function countedTo(texts: Texts): number | undefined {
  for (const text of texts) {
    const found = cappedWords.exec(text ?? "");
    const number = found?.input.slice(found.index).match(/\d[\d,_']*/)?.[0];
    if (found !== null) return number === undefined ? 0 : Number(number.replaceAll(/\D/g, ""));
  }
  return undefined;
}

const allPagesWords =
  /\b(?:on|of|across|over) all (?:the )?pages\b|\ball that match\b|\b(?:without|regardless of|before|ignoring) (?:any |the )?(?:paging|pagination|limit)\b/i;
const onPageWords = /^(?:the )?(?:(?:number|count) of )?\w+ (?:on|of|in) (?:this|the current) page\b/i;

/** What a description says of a value besides its type. */
export interface DescribedFacts {
  /** Of a boolean that chooses elements: whether false may let all of them through. */
  readonly isOneSided?: boolean;
  /** Of a number of elements: whether it is of those on all pages. */
  readonly isTotal?: boolean;
  /** Of a number of elements: whether it is of those on the page. */
  readonly isOfPage?: boolean;
  /** Of a number of elements: how far it is exact; 0 for an estimate. */
  readonly isExactTo?: number;
}

const countName = /total|count|matche?s|matching|results|hits|found/i;

/** Returns what the texts about a value say of it. */
export function describedFactsOf(name: string, type: Pick<TypeNode, "kind">, texts: Texts): DescribedFacts {
  const mayBe = (kind: TypeNode["kind"]): boolean => type.kind === kind || type.kind === "union";
  if (mayBe("boolean") && texts.some((text) => oneSidedWords.test(text ?? ""))) return { isOneSided: true };
  if (!mayBe("number")) return {};
  if (texts.some((text) => onPageWords.test(text ?? ""))) return { isOfPage: true };
  const isTotal = texts.some((text) => allPagesWords.test(text ?? ""));
  if (!isTotal && !countName.test(name)) return {};
  const isExactTo = countedTo(texts);
  return { ...(isTotal ? { isTotal } : {}), ...(isExactTo === undefined ? {} : { isExactTo }) };
}

/** An order that a description states of a list. */
export interface DescribedOrder {
  /** What elements are ordered by: `time` for "newest first", else the noun or the superlative of the text. */
  readonly by: string;
  /** 1 goes up, -1 down. */
  readonly sign: 1 | -1;
}

const timeWords: Readonly<Record<string, 1 | -1>> = {
  newest: -1,
  latest: -1,
  "most recent": -1,
  youngest: -1,
  oldest: 1,
  earliest: 1,
};
const greatestWords =
  "highest|largest|greatest|biggest|tallest|longest|heaviest|deepest|fastest|strongest|most expensive";
const leastWords = "lowest|smallest|shortest|lightest|cheapest|slowest";
const firstWords = new RegExp(
  `\\b(?:(${Object.keys(timeWords).join("|")})|(${greatestWords})|(${leastWords}))(?: \\w+)? first\\b`,
  "i",
);
const sortedWords = /\b(?:sorted|ordered|order) (?:first )?(?:by|of) (?:the |their |its )?([\w-]+)/i;
/** What leaves it open whether a list is in the order: "newest first if `desc`". */
const conditionWords = /\b(?:if|when|where|or|otherwise|optional(?:ly)?|can|may)\b/i;

/** The order that the description of a list states of it: "Comments, newest first", "sorted by height, descending". */
export function describedOrderOf(texts: Texts): DescribedOrder | undefined {
  for (const sentence of texts.flatMap((text) => (text ?? "").split(/[.;](?:\s|$)/))) {
    if (conditionWords.test(sentence)) continue;
    const [, time, greatest, least] = firstWords.exec(sentence) ?? [];
    if (time !== undefined) return { by: "time", sign: timeWords[time.toLowerCase()] ?? 1 };
    const amount = greatest ?? least;
    if (amount !== undefined) return { by: amount.toLowerCase(), sign: greatest === undefined ? 1 : -1 };
    const noun = sortedWords.exec(sentence)?.[1];
    const [isUp, isDown] = [/\basc(?:ending)?\b/i, /\bdesc(?:ending)?\b/i].map((word) => word.test(sentence));
    if (noun !== undefined && isUp !== isDown) return { by: noun.toLowerCase(), sign: isDown === true ? -1 : 1 };
  }
  return undefined;
}
