/** Splits a name in any spelling into words: `last_seen-txid`, `lastSeenTxid` and `Last seen TXID` give the same three. */
export function nameWords(name: string): readonly string[] {
  const words = /[^\0-\u007f]/.test(name)
    ? splitWords(name.normalize("NFC"), anyLetters)
    : splitWords(name, asciiLetters);
  return words.filter((word) => word !== "");
}

interface Letters {
  /** Matches the end of a word before a capital. */
  readonly ends: RegExp;
  /** Matches the last of several capitals, where a word starts with it. */
  readonly capitals: RegExp;
  readonly between: RegExp;
}

const anyLetters: Letters = {
  ends: /(\p{Ll}|\p{N})(\p{Lu})/gu,
  capitals: /(\p{Lu})(\p{Lu}\p{Ll})/gu,
  between: /[^\p{L}\p{M}\p{Nd}\p{Nl}]+/u,
};

/** Patterns for ASCII names. For most documents V8 takes longer to compile the Unicode classes than to split all names. */
const asciiLetters: Letters = {
  ends: /([a-z0-9])([A-Z])/g,
  capitals: /([A-Z])([A-Z][a-z])/g,
  between: /[^A-Za-z0-9]+/,
};

function splitWords(name: string, { ends, capitals, between }: Letters): readonly string[] {
  return name.replaceAll(ends, "$1 $2").replaceAll(capitals, "$1 $2").split(between);
}

/** Converts a name to PascalCase: `rpc.discover` gives `RpcDiscover`; a leading digit gets an underscore: `_2fa`. */
export const pascalCase: (name: string) => string = remembering((name) =>
  startSafely(nameWords(name).map(capitalise).join("")),
);

/**
 * Names of global types. A declaration of the same name would shadow the global in generated code and confuse its readers. Names that
 * `pascalCase` never returns, such as `URL`, are not listed.
 */
const globalNames: ReadonlySet<string> = new Set(
  (
    "AbortController AbortSignal AggregateError Array ArrayBuffer AsyncGenerator AsyncIterable AsyncIterableIterator " +
    "AsyncIterator Atomics Awaited BigInt Blob Boolean Buffer Capitalize ConstructorParameters DataView Date Error EvalError " +
    "Exclude Extract File FormData Function Generator Headers Infinity InstanceType Intl Iterable Iterator Lowercase Map " +
    "Math NaN NonNullable Number Object Omit Parameters Partial Pick Promise PromiseLike PropertyKey Proxy RangeError Readonly " +
    "ReadonlyArray ReadonlyMap ReadonlySet ReadableStream Record ReferenceError Reflect RegExp Request Required Response " +
    "ReturnType Set SharedArrayBuffer String Symbol SyntaxError Temporal TextDecoder TextEncoder ThisType TypeError " +
    "Uint8Array Uncapitalize Uppercase WeakMap WeakRef WeakSet WritableStream"
  ).split(" "),
);

/** Returns the name of a type: in PascalCase, and distinct from globals: `block-hash` gives `BlockHash`, `Blob` gives `BlobValue`. */
export function declarationName(name: string): string {
  const wanted = pascalCase(name);
  return globalNames.has(wanted) ? `${wanted}Value` : wanted;
}

/**
 * Names of members that every object inherits, and `then`, which makes an object a promise: an optional member of that name would have two
 * types.
 */
const inheritedNames: ReadonlySet<string> = new Set(
  "constructor hasOwnProperty isPrototypeOf propertyIsEnumerable then toLocaleString toString valueOf".split(" "),
);

/** Converts a name to camelCase: `last_seen_txid` gives `lastSeenTxid`, `constructor` gives `constructor_`. */
export const camelCase: (name: string) => string = remembering((name) => {
  const [first = "", ...others] = nameWords(name);
  const wanted = startSafely(first.toLowerCase() + others.map(capitalise).join(""));
  return inheritedNames.has(wanted) ? `${wanted}_` : wanted;
});

/** Converts a name to kebab-case: `getTransaction` gives `get-transaction`. */
export function kebabCase(name: string): string {
  return nameWords(name)
    .map((word) => word.toLowerCase())
    .join("-");
}

/**
 * Matches the file names that the generator itself uses next to handlers, and the empty name; also with the suffix `-operation`, so that
 * renamed files cannot clash.
 */
const reservedHandlerFile = /^(?:index|parents)?(?:(?:^|-)operation)*$/;

/** Returns the name of an operation's handler file without its extension: `get-transaction`; `index-operation` for an operation `index`. */
export function handlerFileName(operation: string): string {
  const name = kebabCase(operation);
  return reservedHandlerFile.test(name) ? kebabCase(`${name} operation`) : name;
}

/** Maximum number of cached names. A document repeats the same few names; when the cache is full, it is cleared. */
const maximumRemembered = 50_000;

function remembering(spell: (name: string) => string): (name: string) => string {
  const known = new Map<string, string>();
  return (name) => {
    const remembered = known.get(name);
    if (remembered !== undefined) return remembered;
    const spelled = spell(name);
    if (known.size >= maximumRemembered) known.clear();
    known.set(name, spelled);
    return spelled;
  };
}

function capitalise(word: string): string {
  const [first = ""] = word;
  const rest = word.slice(first.length);
  return first.toUpperCase() + (rest === rest.toUpperCase() ? rest.toLowerCase() : rest);
}

function startSafely(name: string): string {
  return /^[A-Za-z]/.test(name) || /^\p{ID_Start}/u.test(name) ? name : `_${name}`;
}

/**
 * Allocator of unique names. A name that is taken gets a number as suffix. The result depends on the order of calls, so call it in document
 * order.
 */
export interface NameAllocator {
  allocate(wanted: string): string;
}

/** Creates an allocator of unique names, none of which is reserved. A name that is taken gets the first free number from 2 on. */
export function createNameAllocator(reserved: Iterable<string> = []): NameAllocator {
  const taken = new Set(reserved);
  return {
    allocate(wanted) {
      let name = wanted;
      for (let count = 2; taken.has(name); count += 1) name = `${wanted}${count}`;
      taken.add(name);
      return name;
    },
  };
}

/** A preferred name in generated code. */
export interface NameWish {
  /** Name as the document spells it. */
  readonly original: string;
  readonly wanted: string;
  /** Whether the name is from the configuration. */
  readonly isChosen?: boolean;
}

/**
 * Returns a unique name for each wish. Of several wishes for the same name, one gets it by spelling, independent of document order: first a
 * configured one, then one that is already spelled like the name, then the first in alphabetical order. The others get numbers. So names do
 * not change when a document is reordered, or when unrelated names are added.
 */
export function distinctNames(wishes: readonly NameWish[], reserved: Iterable<string> = []): readonly string[] {
  const taken = new Set(reserved);
  const names = new Map<NameWish, string>();
  const ordered = wishes.toSorted(compareWishes);
  for (const wish of ordered) {
    if (taken.has(wish.wanted)) continue;
    taken.add(wish.wanted);
    names.set(wish, wish.wanted);
  }
  const numbers = new Map<string, number>();
  for (const wish of ordered) {
    if (names.has(wish)) continue;
    let count = numbers.get(wish.wanted) ?? 2;
    while (taken.has(`${wish.wanted}${count}`)) count += 1;
    taken.add(`${wish.wanted}${count}`);
    names.set(wish, `${wish.wanted}${count}`);
    numbers.set(wish.wanted, count + 1);
  }
  return wishes.map((wish) => names.get(wish) ?? wish.wanted);
}

function compareWishes(left: NameWish, right: NameWish): number {
  const difference = rankOf(left) - rankOf(right);
  if (difference !== 0) return difference;
  return left.original < right.original ? -1 : Number(left.original > right.original);
}

function rankOf({ original, wanted, isChosen }: NameWish): number {
  if (isChosen === true) return 0;
  return original === wanted ? 1 : 2;
}
