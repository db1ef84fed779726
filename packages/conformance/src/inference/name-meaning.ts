import { plainName } from "../compare/volatile-names.ts";
import { nameWords } from "../basics/name-words.ts";
import type { Parameter } from "./list-roles.ts";

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

/** Identifiers that things of one kind alone have. */
const namedThings: readonly (readonly [identifier: RegExp, things: RegExp])[] = [
  [/^(?:txid|hash|transactionid)$/, /^(?:txs?|transactions?|txids|mempool|unconfirmed|recent)$/],
  [/^(?:hash|blockhash)$/, /^(?:blocks?|headers?)$/],
];

/** Whether a member is the own name of things that are called so: `txid` of an output list names what it is an output of. */
export function isOwnIdentifier(things: string, identifier: string): boolean {
  const [plain, listed] = [plainName(identifier), plainName(things)];
  if (plain === "id" || plain === "uuid" || plain === "guid") return true;
  return (
    namedThings.some(([name, of]) => name.test(plain) && of.test(listed)) || plain === `${listed.replace(/s$/, "")}id`
  );
}

/** Whether a name is that of something that is chosen by chance, or that is meant to be another one each time. */
export function isNamedByChance(name: string): boolean {
  return /random|chance(?!l)|shuffle|sample|suggest|recommend|featured|lucky|challenge|nonce|token/i.test(name);
}

/** Names of numbers that say how long a call may wait for something to happen, in whatever unit. */
const waitingName = /^(?:max(?:imum)?)?(?:timeout|wait)(?:time|in)?(?:ms|millis|milliseconds|seconds)?$/;

/** Whether a parameter says how long a call may wait for something to happen: left out or 0, for as long as the server lets it. */
export function isWaiting({ name, type }: Parameter): boolean {
  return waitingName.test(plainName(name)) && type.kind === "number";
}

/**
 * Returns whether a refusal names several optional parameters: of alternatives one has to be given, others go together or not at all, which no
 * description of a parameter by itself can say.
 */
export function namesAlternatives(text: string, parameters: readonly Parameter[]): boolean {
  const words = new Set((text.match(/[\p{L}_][\p{L}\p{N}_-]*/gu) ?? []).map(plainName));
  return parameters.filter(({ required, name }) => !required && words.has(plainName(name))).length > 1;
}
