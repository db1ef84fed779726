/** Words that cannot name a binding in a module: ECMA-262 §12.7.2, with those reserved in strict mode and types. */
const reservedWords: ReadonlySet<string> = new Set(
  (
    "arguments as async await break case catch class const continue debugger default delete do else enum eval export " +
    "extends false finally for function if implements import in instanceof interface let new null of package private " +
    "protected public return static super switch this throw true try typeof undefined var void while with yield"
  ).split(" "),
);

/** Names that every object or module has; linters forbid hiding them. */
const inheritedNames: ReadonlySet<string> = new Set(
  (
    "constructor decodeURI decodeURIComponent encodeURI encodeURIComponent escape hasOwnProperty isFinite isNaN " +
    "isPrototypeOf parseFloat parseInt propertyIsEnumerable toLocaleString toString unescape valueOf"
  ).split(" "),
);

/** Globals that generated code uses; a type or import with such a name would hide them. */
const usedGlobals: ReadonlySet<string> = new Set(
  (
    "AbortController AbortSignal Array ArrayBuffer AsyncIterable AsyncIterator BigInt Blob Boolean Buffer Date Error Exclude " +
    "Extract Function Headers Infinity Iterable Iterator JSON Map Math NaN Number Object Omit Partial Pick Promise Readonly " +
    "ReadonlyArray Record RegExp Request Required Response Set String Symbol URL URLSearchParams Uint8Array WeakMap " +
    "WeakSet fetch globalThis"
  ).split(" "),
);

/** Matches ASCII identifiers. Most names are ASCII, and V8 is slow to learn which characters are of a category. */
const asciiIdentifier = /^[A-Za-z_$][\w$]*$/;

/** Returns whether `name` can be declared as a binding, without being a reserved word. */
export function isIdentifier(name: string): boolean {
  const isWord = asciiIdentifier.test(name) || /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u.test(name);
  return isWord && !reservedWords.has(name);
}

/** Returns whether a binding with that name would hide a global that generated code uses. */
export function shadowsGlobal(name: string): boolean {
  return usedGlobals.has(name);
}

/** Returns a valid binding name that is as near to `name` as possible: `default` gives `default_`, `block hash` gives `block_hash`. */
export function safeIdentifier(name: string): string {
  const started = asciiIdentifier.test(name) ? name : startedName(name.replaceAll(/[^\p{ID_Continue}$]+/gu, "_"));
  return isIdentifier(started) && !shadowsGlobal(started) && !inheritedNames.has(started) ? started : `${started}_`;
}

function startedName(name: string): string {
  return /^[\p{ID_Start}$_]/u.test(name) ? name : `_${name}`;
}

/** Changes the first letter to upper case: `block` gives `Block`. */
export function upperFirst(name: string): string {
  const [first = ""] = name;
  return first.toUpperCase() + name.slice(first.length);
}

/** Changes the first letter to lower case: `Block` gives `block`. */
export function lowerFirst(name: string): string {
  const [first = ""] = name;
  return first.toLowerCase() + name.slice(first.length);
}
