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
