import { plainName } from "../compare/volatile-names.ts";
import { nameWords } from "../basics/name-words.ts";
import type { Parameter } from "./list-roles.ts";

/** Words in names of ordered values, for which a parameter may mean "at least", "at most" or "from there on". */
const gradedWord =
  /^(?:level|severity|priority|urgency|impact|difficulty|quality|tier|plan|access|permission|privilege|role|commitment|finality|version|rank|grade|importance|rating|stars|score|confidence|min|max|minimum|maximum|height|number|index|block|time|timestamp|date|year|seq|sequence|slot|epoch|round|start|end|from|to|since|until|depth|count|amount|price|cost|size|length|value|weight|age|confirmations|distance|radius|lat|lon|lng)$/;

/** Words in names of hierarchical or searchable values: matching objects may have other values. */
const looseWord =
  /^(?:name|title|label|headline|subject|summary|description|text|body|content|caption|comment|note|message|category|categories|genre|topic|taxon|region|area|location|place|folder|directory|path|group|department|section|namespace|parent|scope)$/;

/** Whether the value of a name may match objects with other values: by words in it, or by hierarchy. */
export function isLoose(name: string): boolean {
  return looseWord.test(nameWords(name).at(-1) ?? "");
}

/** Whether a name is that of an ordered value, so that a parameter may mean "at least", "at most" or "from there on". */
export function isGraded(name: string): boolean {
  return nameWords(name).some((word) => gradedWord.test(word));
}

/** Whether a bound has the name of the start or the end of a list, in either order. */
export function isStart(name: string): boolean {
  return /^(?:start|from|begin|end|to|after|before|since|until)|(?:start|from|begin|end|to)$/.test(plainName(name));
}

/** Identifiers that only objects of one type have. */
const namedTypes: readonly (readonly [identifier: RegExp, typeNames: RegExp])[] = [
  [/^(?:txid|hash|transactionid)$/, /^(?:txs?|transactions?|txids|mempool|unconfirmed|recent)$/],
  [/^(?:hash|blockhash)$/, /^(?:blocks?|headers?)$/],
];

/** Whether a member identifies the objects with the given name themselves: `txid` in a list of outputs identifies their transaction. */
export function isOwnIdentifier(typeNames: string, identifier: string): boolean {
  const [plain, listed] = [plainName(identifier), plainName(typeNames)];
  if (plain === "id" || plain === "uuid" || plain === "guid") return true;
  return (
    namedTypes.some(([name, of]) => name.test(plain) && of.test(listed)) || plain === `${listed.replace(/s$/, "")}id`
  );
}

/** Whether a name is that of a random result, or of one that differs each time by design. */
export function isNamedByChance(name: string): boolean {
  return /random|chance(?!l)|shuffle|sample|suggest|recommend|featured|lucky|challenge|nonce|token/i.test(name);
}

/** Names of timeouts, in any unit. */
const waitingName = /^(?:max(?:imum)?)?(?:timeout|wait)(?:time|in)?(?:ms|millis|milliseconds|seconds)?$/;

/** Whether a parameter is the time that a call may wait for an event; without it or with 0 the server decides. */
export function isWaiting({ name, type }: Parameter): boolean {
  return waitingName.test(plainName(name)) && type.kind === "number";
}

/**
 * Returns whether a refusal names several optional parameters. One of several alternatives may be required, or some only together;
 * descriptions of single parameters cannot express this.
 */
export function namesAlternatives(text: string, parameters: readonly Parameter[]): boolean {
  const words = new Set((text.match(/[\p{L}_][\p{L}\p{N}_-]*/gu) ?? []).map(plainName));
  return parameters.filter(({ required, name }) => !required && words.has(plainName(name))).length > 1;
}
