import { addressOfScript, type EsploraScriptType, type Network, scriptType } from "@nodewright/bitcoin-primitives";
import { writeAssembly } from "./assembly.ts";
import { createTextCaches, type JsonBytes, type Literal, literalOf, type TextCache } from "@nodewright/runtime/node";

/** Maximum bytes of a script that has an address. */
const maximumScriptLength = 42;

const opReturn = 0x6a;

/**
 * Writes the part of an output that its scriptPubKey determines, which stands between two positions of `bytes`: from the brace before to
 * the name of its value, which must follow.
 *
 * A script occurs in every transaction of its history, and its address is expensive to create, so addresses are cached.
 */
export function writeScriptMembers(
  out: JsonBytes,
  bytes: Uint8Array,
  start: number,
  end: number,
  network: Network,
): void {
  out.literal(opening);
  out.hex(bytes, start, end);
  out.literal(assemblyName);
  writeAssembly(out, bytes, start, end);
  // Data that only one output ever has need not be cached.
  const isCacheable = end > start && end - start <= maximumScriptLength && bytes[start] !== opReturn;
  if (!isCacheable) {
    out.literal(kindOf(bytes.subarray(start, end)).withoutAddress);
    return;
  }
  const cache = cacheOf(network.name);
  const slot = cache.find(bytes, start, end);
  if (slot === -1) writeAnew(out, cache, bytes, start, end, network);
  else writeRemembered(out, cache, slot);
}

const opening = literalOf('{"scriptpubkey":"');
const assemblyName = literalOf('","scriptpubkey_asm":"');
const valueName = literalOf('","value":');

/** Text of a script after its assembly. */
interface Kind {
  readonly number: number;
  /** Text up to the quote before the address. */
  readonly withAddress: Literal;
  readonly withoutAddress: Literal;
}

const kinds: Kind[] = [];
const kindsByType = new Map<EsploraScriptType, Kind>();

function kindOf(script: Uint8Array): Kind {
  const type = scriptType(script).esplora;
  const known = kindsByType.get(type);
  if (known !== undefined) return known;
  const kind: Kind = {
    number: kinds.length,
    withAddress: literalOf(`","scriptpubkey_type":"${type}","scriptpubkey_address":"`),
    withoutAddress: literalOf(`","scriptpubkey_type":"${type}","value":`),
  };
  kinds.push(kind);
  kindsByType.set(type, kind);
  return kind;
}

function writeAnew(
  out: JsonBytes,
  cache: TextCache,
  bytes: Uint8Array,
  start: number,
  end: number,
  network: Network,
): void {
  const script = bytes.subarray(start, end);
  const kind = kindOf(script);
  const address = addressOfScript(script, network);
  cache.set(bytes, start, end, kind.number, address ?? "");
  if (address === undefined) {
    out.literal(kind.withoutAddress);
    return;
  }
  out.literal(kind.withAddress);
  out.text(address);
  out.literal(valueName);
}

function writeRemembered(out: JsonBytes, cache: TextCache, slot: number): void {
  const kind = kinds[cache.kindAt(slot)];
  if (kind === undefined) throw new Error("A cached script has no kind");
  if (cache.textLengthAt(slot) === 0) {
    out.literal(kind.withoutAddress);
    return;
  }
  out.literal(kind.withAddress);
  cache.writeText(out, slot);
  out.literal(valueName);
}

/** Caches of addresses after the kind of a script: 4 MB once all places are taken. */
const cacheOf = createTextCaches({ groups: 4_096, slotLength: 128 });
