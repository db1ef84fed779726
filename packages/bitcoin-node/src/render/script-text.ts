import { addressOfScript, type CoreScriptType, type Network, scriptType } from "@nodewright/bitcoin-primitives";
import { createTextCaches, type JsonBytes, type Literal, literalOf, type TextCache } from "@nodewright/runtime/node";
import { writeAssembly } from "./assembly-text.ts";
import { renderDescriptor } from "./descriptor.ts";

/** Bytes of the longest script that is paid repeatedly: a public key of 65 bytes, its length and OP_CHECKSIG. */
const maximumScriptLength = 67;
const opReturn = 0x6a;
const checksumLength = 8;

/** Writes the scriptPubKey between two positions of `bytes` as `renderScriptPubKey` does. Addresses and checksums are cached. */
export function writeScriptPubKey(
  out: JsonBytes,
  bytes: Uint8Array,
  start: number,
  end: number,
  network: Network,
): void {
  out.literal(assemblyName);
  writeAssembly(out, bytes, start, end, false);
  // Data of OP_RETURN outputs is not repeated.
  const isCacheable = end > start && end - start <= maximumScriptLength && bytes[start] !== opReturn;
  const cache = isCacheable ? cacheOf(network.name) : undefined;
  const slot = cache?.find(bytes, start, end) ?? -1;
  if (cache !== undefined && slot !== -1) writeCached(out, cache, slot, bytes, start, end);
  else writeUncached(out, cache, bytes, start, end, network);
}

const assemblyName = literalOf('{"asm":"');
const descriptorEnd = literalOf(")#");
const hexName = literalOf('","hex":"');
const addressName = literalOf('","address":"');
const descriptorName = literalOf('","desc":"');

/** Forms of a descriptor of one address or one key, with the position of the key in the script. */
const forms = {
  addr: { name: literalOf('","desc":"addr('), keyStart: 0, afterKey: 0 },
  rawtr: { name: literalOf('","desc":"rawtr('), keyStart: 2, afterKey: 0 },
  pk: { name: literalOf('","desc":"pk('), keyStart: 1, afterKey: 1 },
  raw: { name: literalOf('","desc":"raw('), keyStart: 0, afterKey: 0 },
} as const;

type FormName = keyof typeof forms;

/** Parts of the JSON of a script that are neither its bytes nor its cached text: the address, if any, and the checksum. */
interface Kind {
  readonly number: number;
  readonly form: FormName;
  readonly typeEnd: Literal;
}

const kinds: Kind[] = [];

function kindOf(form: FormName, type: CoreScriptType): Kind {
  const typeEnd = typeEndOf(type);
  let kind = kinds.find((known) => known.form === form && known.typeEnd === typeEnd);
  if (kind === undefined) {
    kind = { number: kinds.length, form, typeEnd };
    kinds.push(kind);
  }
  return kind;
}

const typeEnds = new Map<CoreScriptType, Literal>();

function typeEndOf(type: CoreScriptType): Literal {
  let end = typeEnds.get(type);
  if (end === undefined) {
    end = literalOf(`","type":"${type}"}`);
    typeEnds.set(type, end);
  }
  return end;
}

function writeCached(
  out: JsonBytes,
  cache: TextCache,
  slot: number,
  bytes: Uint8Array,
  start: number,
  end: number,
): void {
  const kind = kinds[cache.kindAt(slot)];
  if (kind === undefined) throw new Error("A cached script has no kind");
  const { name, keyStart, afterKey } = forms[kind.form];
  const addressLength = cache.textLengthAt(slot) - checksumLength;
  out.literal(name);
  if (kind.form === "addr") cache.writeText(out, slot, 0, addressLength);
  else out.hex(bytes, start + keyStart, end - afterKey);
  out.literal(descriptorEnd);
  cache.writeText(out, slot, addressLength, checksumLength);
  out.literal(hexName);
  out.hex(bytes, start, end);
  if (addressLength > 0) {
    out.literal(addressName);
    cache.writeText(out, slot, 0, addressLength);
  }
  out.literal(kind.typeEnd);
}

function writeUncached(
  out: JsonBytes,
  cache: TextCache | undefined,
  bytes: Uint8Array,
  start: number,
  end: number,
  network: Network,
): void {
  const script = bytes.subarray(start, end);
  const type = scriptType(script).core;
  const address = addressOfScript(script, network);
  const descriptor = renderDescriptor(script, type, address);
  out.literal(descriptorName);
  out.text(descriptor);
  out.literal(hexName);
  out.hex(bytes, start, end);
  if (address !== undefined) {
    out.literal(addressName);
    out.text(address);
  }
  out.literal(typeEndOf(type));
  const form = cache === undefined ? undefined : formOf(descriptor);
  if (cache === undefined || form === undefined) return;
  cache.set(bytes, start, end, kindOf(form, type).number, (address ?? "") + descriptor.slice(-checksumLength));
}

/** Returns the form; `undefined` for a descriptor with several keys. */
function formOf(descriptor: string): FormName | undefined {
  for (const form of formNames) if (descriptor.startsWith(form) && descriptor[form.length] === "(") return form;
  return undefined;
}

const formNames: readonly FormName[] = ["addr", "rawtr", "pk", "raw"];

/** Caches by network, 4 MB once all slots are taken. */
const cacheOf = createTextCaches({ groups: 4_096, slotLength: 128 });
