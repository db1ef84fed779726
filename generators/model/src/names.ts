/** The words of a name in any spelling: `last_seen-txid`, `lastSeenTxid` and `Last seen TXID` give the same three. */
export function nameWords(name: string): readonly string[] {
  const words = /[^\0-\u007f]/.test(name)
    ? splitWords(name.normalize("NFC"), anyLetters)
    : splitWords(name, asciiLetters);
  return words.filter((word) => word !== "");
}

interface Letters {
  /** The end of a word before a capital. */
  readonly ends: RegExp;
  /** The last capital of several, where a word begins with it. */
  readonly capitals: RegExp;
  readonly between: RegExp;
}

const anyLetters: Letters = {
  ends: /(\p{Ll}|\p{N})(\p{Lu})/gu,
  capitals: /(\p{Lu})(\p{Lu}\p{Ll})/gu,
  between: /[^\p{L}\p{M}\p{Nd}\p{Nl}]+/u,
};

/** The same of ASCII: V8 needs longer to learn which characters are letters than most documents have names for. */
const asciiLetters: Letters = {
  ends: /([a-z0-9])([A-Z])/g,
  capitals: /([A-Z])([A-Z][a-z])/g,
  between: /[^A-Za-z0-9]+/,
};

function splitWords(name: string, { ends, capitals, between }: Letters): readonly string[] {
  return name.replaceAll(ends, "$1 $2").replaceAll(capitals, "$1 $2").split(between);
}

/** `rpc.discover` gives `RpcDiscover`; a leading digit is kept behind an underscore: `_2fa`. */
export const pascalCase: (name: string) => string = remembering((name) =>
  startSafely(nameWords(name).map(capitalise).join("")),
);

/**
 * What a program expects every module to have: a type of that name would hide it from generated code and from its readers. Those that
 * `pascalCase` never gives, such as `URL`, are not listed.
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

/** The name of a type: `pascalCase`, and clear of the names of globals: `block-hash` gives `BlockHash`, `Blob` `BlobValue`. */
export function declarationName(name: string): string {
  const wanted = pascalCase(name);
  return globalNames.has(wanted) ? `${wanted}Value` : wanted;
}

/** What every object has, or what makes one a promise: an optional member of that name would be of two types. */
const inheritedNames: ReadonlySet<string> = new Set(
  "constructor hasOwnProperty isPrototypeOf propertyIsEnumerable then toLocaleString toString valueOf".split(" "),
);

/** `last_seen_txid` gives `lastSeenTxid`, `constructor` gives `constructor_`. */
export const camelCase: (name: string) => string = remembering((name) => {
  const [first = "", ...others] = nameWords(name);
  const wanted = startSafely(first.toLowerCase() + others.map(capitalise).join(""));
  return inheritedNames.has(wanted) ? `${wanted}_` : wanted;
});

/** `getTransaction` gives `get-transaction`. */
export function kebabCase(name: string): string {
  return nameWords(name)
    .map((word) => word.toLowerCase())
    .join("-");
}

/** What the generator itself writes beside handlers, and no name at all; with what keeps others clear of what these become. */
const reservedHandlerFile = /^(?:index|parents)?(?:(?:^|-)operation)*$/;

/** Name of an operation's handler file without its ending: `get-transaction`; `index-operation` for an operation `index`. */
export function handlerFileName(operation: string): string {
  const name = kebabCase(operation);
  return reservedHandlerFile.test(name) ? kebabCase(`${name} operation`) : name;
}

/** A document says the same few names again and again; once it holds this many others, they are forgotten together. */
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

/** Hands out names, each once: a taken one gets a number. The order of asking decides, so ask in document order. */
export interface NameAllocator {
  allocate(wanted: string): string;
}

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

/** A name that something is to have in generated code. */
export interface NameWish {
  /** As the document spells it. */
  readonly original: string;
  readonly wanted: string;
  /** Whether the configuration says so. */
  readonly isChosen?: boolean;
}

/**
 * A name for each wish, none of them twice. Who has the name of several that want it is decided by how they are spelt and never by
 * where they stand: what is chosen, then what is spelt like the name already, then the first by spelling. The others get numbers. So
 * a document that is reordered, or gains what nothing else is called like, keeps its names.
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
