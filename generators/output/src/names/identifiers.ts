/** Words that no binding may be called in a module: ECMA-262 §12.7.2, with those reserved in strict mode and types. */
const reservedWords: ReadonlySet<string> = new Set(
  (
    "arguments as async await break case catch class const continue debugger default delete do else enum eval export " +
    "extends false finally for function if implements import in instanceof interface let new null of package private " +
    "protected public return static super switch this throw true try typeof undefined var void while with yield"
  ).split(" "),
);

/** Names that every object or module has; linters ask not to hide them. */
const inheritedNames: ReadonlySet<string> = new Set(
  (
    "constructor decodeURI decodeURIComponent encodeURI encodeURIComponent escape hasOwnProperty isFinite isNaN " +
    "isPrototypeOf parseFloat parseInt propertyIsEnumerable toLocaleString toString unescape valueOf"
  ).split(" "),
);

/** Globals that generated code uses; a type or import of that name would hide them. */
const usedGlobals: ReadonlySet<string> = new Set(
  (
    "AbortController AbortSignal Array ArrayBuffer AsyncIterable AsyncIterator BigInt Blob Boolean Buffer Date Error Exclude " +
    "Extract Function Headers Infinity Iterable Iterator JSON Map Math NaN Number Object Omit Partial Pick Promise Readonly " +
    "ReadonlyArray Record RegExp Request Required Response Set String Symbol URL URLSearchParams Uint8Array WeakMap " +
    "WeakSet fetch globalThis"
  ).split(" "),
);

/** Most names are ASCII, and V8 needs long to learn which characters are of a category. */
const asciiIdentifier = /^[A-Za-z_$][\w$]*$/;

/** Whether `name` can stand where a binding is declared, without a word of the language meaning something else. */
export function isIdentifier(name: string): boolean {
  const isWord = asciiIdentifier.test(name) || /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u.test(name);
  return isWord && !reservedWords.has(name);
}

/** Whether a binding of that name would hide a global that generated code uses. */
export function hidesGlobal(name: string): boolean {
  return usedGlobals.has(name);
}

/** A binding's name as near to `name` as the language allows: `default` gives `default_`, `block hash` gives `block_hash`. */
export function safeIdentifier(name: string): string {
  const started = asciiIdentifier.test(name) ? name : startedName(name.replaceAll(/[^\p{ID_Continue}$]+/gu, "_"));
  return isIdentifier(started) && !hidesGlobal(started) && !inheritedNames.has(started) ? started : `${started}_`;
}

function startedName(name: string): string {
  return /^[\p{ID_Start}$_]/u.test(name) ? name : `_${name}`;
}

/** `block` gives `Block`; the rest stays as it is. */
export function upperFirst(name: string): string {
  const [first = ""] = name;
  return first.toUpperCase() + name.slice(first.length);
}

/** `Block` gives `block`; the rest stays as it is. */
export function lowerFirst(name: string): string {
  const [first = ""] = name;
  return first.toLowerCase() + name.slice(first.length);
}
