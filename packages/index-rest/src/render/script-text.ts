import { addressOfScript, type Network, type NetworkName, scriptType } from "@nodewright/bitcoin-primitives";
import { writeAssembly } from "./assembly.ts";
import { type JsonBytes, literalOf } from "./json-bytes.ts";

/** No script that has an address is longer. */
const longestScript = 42;
/** Longer texts are not remembered: those of scripts that have addresses are shorter, whatever the network. */
const longestText = 400;

/** Places of a group: a script is looked for in the places of one group, and takes the place of another one there. */
const groupSize = 8;
const groupCount = 4_096;
const placeCount = groupSize * groupCount;
const keyLength = 1 + longestScript;

const opReturn = 0x6a;

/**
 * Writes an output as far as its scriptPubKey, which stands between two positions of `bytes`, decides it: from the brace before to the
 * name of its value, which is to follow.
 *
 * A script stands in every transaction of its history, and its address is dear to make, so texts are remembered.
 */
export function writeScriptMembers(
  out: JsonBytes,
  bytes: Uint8Array,
  start: number,
  end: number,
  network: Network,
): void {
  // What only one output ever has need not be remembered.
  const isRemembered = end > start && end - start <= longestScript && bytes[start] !== opReturn;
  if (isRemembered) memoryOf(network).write(out, bytes, start, end);
  else writeMembers(out, bytes, start, end, network);
}

const opening = literalOf('{"scriptpubkey":"');
const assemblyName = literalOf('","scriptpubkey_asm":"');

function writeMembers(out: JsonBytes, bytes: Uint8Array, start: number, end: number, network: Network): void {
  out.literal(opening);
  out.hex(bytes, start, end);
  out.literal(assemblyName);
  writeAssembly(out, bytes, start, end);
  out.text(lastMembers(bytes.subarray(start, end), network));
}

function lastMembers(script: Uint8Array, network: Network): string {
  const type = `","scriptpubkey_type":"${scriptType(script).esplora}`;
  const address = script.length > longestScript ? undefined : addressOfScript(script, network);
  return address === undefined ? `${type}","value":` : `${type}","scriptpubkey_address":"${address}","value":`;
}

/** Texts of scripts on one network, in memory of a fixed size: some 15 MB once all places are taken. */
class ScriptTexts {
  readonly #network: Network;
  /** Of each place's script, from its hash; 0 is that of none. A glance at them tells which script may be the one. */
  readonly #tags: Uint16Array = new Uint16Array(placeCount);
  /** Length and bytes of each place's script. */
  readonly #keys: Uint8Array = new Uint8Array(placeCount * keyLength);
  // Uninitialised: what is never written takes no memory.
  readonly #texts: Buffer = Buffer.allocUnsafeSlow(placeCount * longestText);
  readonly #lengths: Uint16Array = new Uint16Array(placeCount);
  /** The place of each group that is taken next. */
  readonly #next: Uint8Array = new Uint8Array(groupCount);

  constructor(network: Network) {
    this.#network = network;
  }

  write(out: JsonBytes, bytes: Uint8Array, start: number, end: number): void {
    const hash = hashOf(bytes, start, end);
    const group = hash % groupCount;
    const tag = (hash >>> 16) | 1;
    const tags = this.#tags;
    for (let place = group * groupSize; place < (group + 1) * groupSize; place += 1) {
      if (tags[place] !== tag || !this.#holds(place, bytes, start, end)) continue;
      const from = place * longestText;
      out.copy(this.#texts, from, from + (this.#lengths[place] ?? 0));
      return;
    }
    this.#remember(out, bytes, start, end, group, tag);
  }

  #holds(place: number, bytes: Uint8Array, start: number, end: number): boolean {
    const keys = this.#keys;
    const from = place * keyLength;
    const length = end - start;
    if (keys[from] !== length) return false;
    for (let index = 0; index < length; index += 1) if (keys[from + 1 + index] !== bytes[start + index]) return false;
    return true;
  }

  #remember(out: JsonBytes, bytes: Uint8Array, start: number, end: number, group: number, tag: number): void {
    const before = out.length;
    writeMembers(out, bytes, start, end, this.#network);
    const length = out.length - before;
    if (length > longestText) return;
    const next = this.#next[group] ?? 0;
    this.#next[group] = (next + 1) % groupSize;
    const place = group * groupSize + next;
    this.#tags[place] = tag;
    this.#keys[place * keyLength] = end - start;
    this.#keys.set(bytes.subarray(start, end), place * keyLength + 1);
    this.#lengths[place] = length;
    out.copyTo(this.#texts, place * longestText, before);
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

const memories = new Map<NetworkName, ScriptTexts>();
let lastUsed: { readonly network: Network; readonly memory: ScriptTexts } | undefined;

function memoryOf(network: Network): ScriptTexts {
  if (lastUsed?.network === network) return lastUsed.memory;
  const memory = memories.get(network.name) ?? new ScriptTexts(network);
  memories.set(network.name, memory);
  lastUsed = { network, memory };
  return memory;
}
