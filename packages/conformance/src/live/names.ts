import { singularOf } from "../basics/singular.ts";

const splitting = /[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+/g;

/** Synonymous words in names of interfaces. */
const sameWords: Readonly<Record<string, string>> = {
  transaction: "tx",
  txn: "tx",
  addr: "address",
  identifier: "id",
  uid: "uuid",
  guid: "uuid",
  num: "number",
  acct: "account",
};

/** Synonymous names. */
const sameNames: Readonly<Record<string, string>> = {
  txhash: "txid",
  txsid: "txid",
  blockid: "blockhash",
  blockcount: "height",
  blockheight: "height",
  blocknumber: "height",
  tipheight: "height",
};

/** Generic names of identifiers. */
const identifyingName = /^(?:id|hash|key|uuid|slug|name|code|number|login|handle)$/;

/** Further names that are meaningful only together with the object that they belong to. */
const genericName =
  /^(?:index|value|ref|reference|url|uri|type|title|text|result|data|item|entry|object|content|body|path)$/;

/** Verbs at the start of operation names. */
const verb =
  /^(?:get|list|find|fetch|read|query|search|show|retrieve|describe|lookup|load|create|add|update|put|post|patch|delete|remove|set|decode|estimate|validate)/;

/** Prepositions after which an operation's name describes the how and not the subject. */
const turningWord = /^(?:by|for|from|of|in|at|with|after|before|on)$/;

/** Returns the words of a name in any spelling, in lower case and singular: `blockHashes` is `block`, `hash`. */
export function wordsOf(name: string): readonly string[] {
  const known = knownWords.get(name);
  if (known !== undefined) return known;
  const words = (name.match(splitting) ?? []).map((word) => {
    const plain = singularOf(word.toLowerCase());
    return Object.hasOwn(sameWords, plain) ? (sameWords[plain] ?? plain) : plain;
  });
  if (knownWords.size < 20_000) knownWords.set(name, words);
  return words;
}

const knownWords = new Map<string, readonly string[]>();

/** Returns a normalized spelling: `tx_id`, `txId`, `transaction-ids` and `txids` are `txid`. */
export function plainName(name: string): string {
  return joined(wordsOf(name));
}

/** Joins words to one normalized name. */
export function joined(words: readonly string[]): string {
  const name = words.join("");
  return Object.hasOwn(sameNames, name) ? (sameNames[name] ?? name) : name;
}

/** Whether a name is meaningless without the object that it belongs to: `id`, `hash`. */
export function isGenericName(plain: string): boolean {
  return isIdentifyingName(plain) || genericName.test(plain);
}

/** Whether a generic name is that of an identifier. */
export function isIdentifyingName(plain: string): boolean {
  return identifyingName.test(plain);
}

/**
 * Returns the subject of an operation's name: the words after the verb and before a preposition. `listPetsByStatus` → `pet`,
 * `eth_getBlockByHash` → `block`, `getbestblockhash` → `bestblockhash`.
 */
export function subjectOf(operation: string): readonly string[] {
  const words = wordsOf(operation.slice(operation.lastIndexOf(".") + 1));
  const start = words.findIndex((word) => verb.exec(word)?.[0].length === word.length) + 1;
  const rest = words.slice(start);
  const turn = rest.findIndex((word, index) => index > 0 && turningWord.test(word));
  const [first, ...others] = turn === -1 ? rest : rest.slice(0, turn);
  if (first === undefined) return words;
  const prefix = start === 0 ? (verb.exec(first)?.[0].length ?? 0) : 0;
  return first.length > prefix + 1 && prefix > 0 ? [...wordsOf(first.slice(prefix)), ...others] : [first, ...others];
}

/** Returns the names of the objects in a path, the last one first: `/pets/{petId}/toys` → `toy`, `pet`. */
export function typeNamesOfPath(path: string): readonly string[] {
  const segments = path.split(/[/:]/).filter((segment) => segment !== "" && !segment.includes("{"));
  return segments.map(plainName).toReversed();
}

/** Returns the name of the object that a path parameter identifies: `/pets/{petId}` → `pet`. */
export function typeNameBeforeParameter(path: string, name: string): string | undefined {
  const before = path.slice(0, Math.max(0, path.indexOf(`{${name}}`)));
  return typeNamesOfPath(before)[0];
}

/** Words in type names that do not name an object. */
const dullWord = /^(?:list|page|response|result|item|summary|detail|info|object|dto|model)$/;

/** Returns the name of the object that a type name describes: `PetList` → `pet`. */
export function nameOfType(target: string): string {
  const words = wordsOf(target);
  const distinctive = words.filter((word) => !dullWord.test(word));
  return joined(distinctive.length === 0 ? words : distinctive);
}
