/** The words of a name in any spelling: `last_seen-txid`, `lastSeenTxid` and `Last seen TXID` give the same three. */
export function nameWords(name: string): readonly string[] {
  return name
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

/** `rpc.discover` gives `RpcDiscover`; a leading digit is kept behind an underscore: `_2fa`. */
export function pascalCase(name: string): string {
  return startSafely(nameWords(name).map(capitalise).join(""));
}

/** `last_seen_txid` gives `lastSeenTxid`. */
export function camelCase(name: string): string {
  const [first = "", ...others] = nameWords(name);
  return startSafely(first.toLowerCase() + others.map(capitalise).join(""));
}

/** `getTransaction` gives `get-transaction`. */
export function kebabCase(name: string): string {
  return nameWords(name)
    .map((word) => word.toLowerCase())
    .join("-");
}

/** What the generator itself writes beside handlers, and no name at all. */
const reservedHandlerFiles: ReadonlySet<string> = new Set(["index", "parents", ""]);

/** Name of an operation's handler file without its ending: `get-transaction`; `index-operation` for an operation `index`. */
export function handlerFileName(operation: string): string {
  const name = kebabCase(operation);
  return reservedHandlerFiles.has(name) ? kebabCase(`${name} operation`) : name;
}

function capitalise(word: string): string {
  const [first = ""] = word;
  const rest = word.slice(first.length);
  return first.toUpperCase() + (rest === rest.toUpperCase() ? rest.toLowerCase() : rest);
}

function startSafely(name: string): string {
  if (name === "") return "_";
  return /^\p{N}/u.test(name) ? `_${name}` : name;
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
