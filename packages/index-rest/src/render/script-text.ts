import {
  addressOfScript,
  type EsploraScriptType,
  type Network,
  type NetworkName,
  scriptType,
} from "@nodewright/bitcoin-primitives";
import { writeAssembly } from "./assembly.ts";
import { type JsonBytes, type Literal, literalOf } from "@nodewright/runtime/node";

/** No script that has an address is longer. */
const longestScript = 42;

const opReturn = 0x6a;

/**
 * Writes an output as far as its scriptPubKey, which stands between two positions of `bytes`, decides it: from the brace before to the
 * name of its value, which is to follow.
 *
 * A script stands in every transaction of its history, and its address is dear to make, so addresses are remembered.
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
  // What only one output ever has need not be remembered.
  const isRemembered = end > start && end - start <= longestScript && bytes[start] !== opReturn;
  if (isRemembered) memoryOf(network).writeKind(out, bytes, start, end);
  else out.literal(kindOf(bytes.subarray(start, end)).withoutAddress);
}

const opening = literalOf('{"scriptpubkey":"');
const assemblyName = literalOf('","scriptpubkey_asm":"');
const valueName = literalOf('","value":');

/** What is written of a script behind its assembly. */
interface Kind {
  readonly number: number;
  /** To the quote before the address. */
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

function writeKind(out: JsonBytes, kind: Kind, address: string | undefined): void {
  if (address === undefined) {
    out.literal(kind.withoutAddress);
    return;
  }
  out.literal(kind.withAddress);
  out.text(address);
  out.literal(valueName);
}

/** Places of a group: a script is looked for in the places of one group, and takes the place of another one there. */
const groupSize = 8;
const groupCount = 4_096;
const placeCount = groupSize * groupCount;

/** A place: length of the script, length of the address, number of the kind; then the script, then the address. */
const placeLength = 128;
const scriptStart = 3;
const addressStart = scriptStart + longestScript;
/** Longer ones are not remembered; only programs that mean nothing yet have them. */
const longestAddress = placeLength - addressStart;

/** Kinds and addresses of scripts on one network, in memory of a fixed size: 4 MB once all places are taken. */
class ScriptKinds {
  readonly #network: Network;
  /** Of each place's script, from its hash; 0 is that of none. A glance at them tells which script may be the one. */
  readonly #tags: Uint16Array = new Uint16Array(placeCount);
  // A few bytes more than there are places: what is copied is read four bytes at a time.
  readonly #places: Buffer = Buffer.alloc(placeCount * placeLength + 4);
  readonly #view: DataView = new DataView(this.#places.buffer, this.#places.byteOffset, this.#places.length);
  /** The place of each group that is taken next. */
  readonly #next: Uint8Array = new Uint8Array(groupCount);

  constructor(network: Network) {
    this.#network = network;
  }

  writeKind(out: JsonBytes, bytes: Uint8Array, start: number, end: number): void {
    const hash = hashOf(bytes, start, end);
    const group = hash % groupCount;
    const tag = (hash >>> 16) | 1;
    const tags = this.#tags;
    for (let place = group * groupSize; place < (group + 1) * groupSize; place += 1) {
      if (tags[place] === tag && this.#holds(place, bytes, start, end)) {
        this.#writePlace(out, place * placeLength);
        return;
      }
    }
    const script = bytes.subarray(start, end);
    const kind = kindOf(script);
    const address = addressOfScript(script, this.#network);
    writeKind(out, kind, address);
    if ((address?.length ?? 0) <= longestAddress) this.#remember(group, tag, script, kind, address ?? "");
  }

  #holds(place: number, bytes: Uint8Array, start: number, end: number): boolean {
    const places = this.#places;
    const length = end - start;
    const from = place * placeLength;
    if (places[from] !== length) return false;
    for (let index = 0; index < length; index += 1) {
      if (places[from + scriptStart + index] !== bytes[start + index]) return false;
    }
    return true;
  }

  #writePlace(out: JsonBytes, from: number): void {
    const kind = kinds[this.#places[from + 2] ?? 0];
    const addressLength = this.#places[from + 1] ?? 0;
    if (kind === undefined) throw new Error("A remembered script has no kind");
    if (addressLength === 0) {
      out.literal(kind.withoutAddress);
      return;
    }
    out.literal(kind.withAddress);
    out.copy(this.#view, from + addressStart, addressLength);
    out.literal(valueName);
  }

  #remember(group: number, tag: number, script: Uint8Array, kind: Kind, address: string): void {
    const next = this.#next[group] ?? 0;
    this.#next[group] = (next + 1) % groupSize;
    const place = group * groupSize + next;
    const from = place * placeLength;
    this.#tags[place] = tag;
    this.#places[from] = script.length;
    this.#places[from + 1] = address.length;
    this.#places[from + 2] = kind.number;
    this.#places.set(script, from + scriptStart);
    this.#places.write(address, from + addressStart, "latin1");
  }
}

/** From the last bytes, those of a hash or key in most scripts. Whoever makes scripts that meet in one group slows nobody down. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = end - start;
  for (let index = Math.max(start, end - 14); index < end; index += 1) {
    hash = Math.imul(hash ^ (bytes[index] ?? 0), 0x01000193);
  }
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

const memories = new Map<NetworkName, ScriptKinds>();
let lastUsed: { readonly network: Network; readonly memory: ScriptKinds } | undefined;

function memoryOf(network: Network): ScriptKinds {
  if (lastUsed?.network === network) return lastUsed.memory;
  const memory = memories.get(network.name) ?? new ScriptKinds(network);
  memories.set(network.name, memory);
  lastUsed = { network, memory };
  return memory;
}
