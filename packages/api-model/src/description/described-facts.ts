import type { DescribedFacts, TypeNode } from "../model/type-node.ts";

type Texts = readonly (string | null | undefined)[];

const excerptWords =
  /\b(?:main|best(?! chain)|top|first|last|latest|newest|some|(?<!at )most|recent|samples?|excerpt|selected|selection|few|favou?rites?)\b|\bonly(?:$| (?:the|those|its|his|her|their)\b)/i;
/** Words that indicate an order: "newest first", "the best one first". */
const orderWords =
  /\b(?:first|last)\b(?=$|[,;:)])|\b(?:in|by) [\w ]*order\b|\b(?:sorted|ordered|ascending|descending)\b/i;
const chanceWords = /\b(?:random(?:ly|ized|ised)?|chance|shuffled?|drawn by lot|featured)\b/i;

/** Returns whether the first sentence about a list describes it as an excerpt: "The three best known ones". */
export function statesExcerpt(texts: Texts): boolean {
  const sentences = texts.map((text) => text?.split(/\.(?:\s|$)/)[0]?.trim() ?? "");
  return sentences.some((sentence) => excerptWords.test(sentence) && !orderWords.test(sentence));
}

/** Returns whether the description of an operation calls its result random. */
export function mentionsByChance(texts: Texts): boolean {
  return texts.some((text) => chanceWords.test(text ?? ""));
}

const oneSidedWords =
  /\bonly\b|\b(?:if|when|where) (?:it is |this is )?(?:true|set|given|enabled)\b|\b(?:include[sd]?|including|excludes?|hides?|shows?|adds?|omits?|restricts?|limits?)\b/i;

const cappedWords =
  /\b(?:count(?:ing|s|ed)?|total)\b[^.]*\b(?:stops?|ends|limited|cut off)\b|\bcapped\b|\b(?:at most|(?:never|no|not) (?:more|greater|higher) than|up to|maximum of)\b(?=[^.]*\d)|\bor more\b|\blower bound\b|\b(?:estimate[sd]?|approximate(?:ly)?|roughly)\b/i;

/**
 * Returns the number up to which a count is exact, according to its description: 40 for "counting stops at 40", 0 for an estimate;
 * undefined where the description does not limit it.
 */
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

const countName = /total|count|matche?s|matching|results|hits|found/i;

/** Returns the facts in the description of a value. */
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

/** The order of a list according to its description. */
export interface DescribedOrder {
  /** Key of the order: `time` for "newest first", otherwise the noun or the superlative of the description. */
  readonly by: string;
  /** 1 for ascending, -1 for descending. */
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
/** Words that make the order conditional: "newest first if `desc`". */
const conditionWords = /\b(?:if|when|where|or|otherwise|optional(?:ly)?|can|may)\b/i;

/** Returns the order of a list according to its description: "Comments, newest first", "sorted by height, descending". */
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
