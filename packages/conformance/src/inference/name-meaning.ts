import { plainName } from "../compare/volatile-names.ts";
import { nameWords } from "../types/name-words.ts";

/** Words of names of what has an order, of which a parameter may mean "at least", "at most" or "from there on". */
const gradedWord =
  /^(?:level|severity|priority|urgency|impact|difficulty|quality|tier|plan|access|permission|privilege|role|commitment|finality|version|rank|grade|importance|rating|stars|score|confidence|min|max|minimum|maximum|height|number|index|block|time|timestamp|date|year|seq|sequence|slot|epoch|round|start|end|from|to|since|until|depth|count|amount|price|cost|size|length|value|weight|age|confirmations|distance|radius|lat|lon|lng)$/;

/** Words of names of what contains others of its kind, or is searched for: what is asked for may be found under another name. */
const looseWord =
  /^(?:name|title|label|headline|subject|summary|description|text|body|content|caption|comment|note|message|category|categories|genre|topic|taxon|region|area|location|place|folder|directory|path|group|department|section|namespace|parent|scope)$/;

/** Whether a value that is asked for by a name may be found under other values: by words of it, or in what is contained. */
export function isLoose(name: string): boolean {
  return looseWord.test(nameWords(name).at(-1) ?? "");
}

/** Whether a name is one of something that has an order, so that asking for one may mean "at least", "at most" or "from there on". */
export function isGraded(name: string): boolean {
  return nameWords(name).some((word) => gradedWord.test(word));
}

/** Whether a bound is called after where a list begins or ends, in whichever order it goes. */
export function isStart(name: string): boolean {
  return /^(?:start|from|begin|end|to|after|before|since|until)|(?:start|from|begin|end|to)$/.test(plainName(name));
}
