import { toHex } from "./bytes.ts";
import { coreOpcodeNames, esploraOpcodeNames } from "./opcode.ts";
import { scriptNumber } from "./script-number.ts";
import { lengthBytesOf, pushLength, type ScriptOperation, scriptOperations } from "./script-reader.ts";
import { isUnspendable } from "./script-type.ts";
import { signatureHashName } from "./signature-encoding.ts";

/** Options for writing a script as Bitcoin Core's `asm`. */
export interface CoreAssemblyOptions {
  /** Whether the script is a scriptSig: data that looks like a signature is written with its hash type, `3044…[ALL]`. */
  readonly signatures?: boolean;
}

/** Length in bytes above which Bitcoin Core writes pushed data as hex, and up to which as a number. */
const maximumNumberLength = 4;

/**
 * Renders a script in Esplora's assembly, which is rust-bitcoin's: `OP_DUP OP_HASH160 OP_PUSHBYTES_20 <hex> …`.
 *
 * A truncated push ends the text: `<push past end>` in place of the data; `<unexpected end>` in place of an opcode whose length is
 * incomplete, without a space before it. `hex` is the script in hex, for callers that have it: data is sliced from it.
 */
export function renderEsploraAsm(script: Uint8Array, hex: string = toHex(script)): string {
  let text = "";
  let offset = 0;
  while (offset < script.length) {
    const opcode = script[offset] ?? 0;
    const start = offset + 1 + lengthBytesOf(opcode);
    if (start > script.length) return `${text}<unexpected end>`;
    const length = pushLength(script, offset);
    const name = esploraOpcodeNames[opcode] ?? "";
    text = text === "" ? name : `${text} ${name}`;
    if (length > script.length - start) return `${text} <push past end>`;
    if (length > 0) text = `${text} ${hex.slice(2 * start, 2 * (start + length))}`;
    offset = start + length;
  }
  return text;
}

/**
 * Renders a script in Bitcoin Core's assembly: `OP_DUP OP_HASH160 <hex> OP_EQUALVERIFY OP_CHECKSIG`.
 *
 * Data of up to 4 bytes is written as its decimal number in script arithmetic. A truncated push ends the text with `[error]`.
 */
export function renderCoreAsm(script: Uint8Array, options: CoreAssemblyOptions = {}): string {
  const signatures = areSignaturesNamed(script, options);
  const words: string[] = [];
  for (const operation of scriptOperations(script)) words.push(coreWord(operation, signatures));
  return words.join(" ");
}

/** Number of operations in a step. */
const stepLength = 1024;

/** Renders the same for a script of any length, in steps, between which other work can run. */
export function* renderCoreAsmInSteps(script: Uint8Array, options: CoreAssemblyOptions = {}): Generator<void, string> {
  const signatures = areSignaturesNamed(script, options);
  let text = "";
  let words: string[] = [];
  for (const operation of scriptOperations(script)) {
    words.push(coreWord(operation, signatures));
    if (words.length < stepLength) continue;
    text += `${words.join(" ")} `;
    words = [];
    yield;
  }
  return words.length === 0 ? text.slice(0, -1) : text + words.join(" ");
}

/** Returns whether signatures are marked. Data after OP_RETURN may look like a signature without being one. */
function areSignaturesNamed(script: Uint8Array, { signatures }: CoreAssemblyOptions): boolean {
  return signatures === true && !isUnspendable(script);
}

function coreWord({ opcode, data, cutOff }: ScriptOperation, signatures: boolean): string {
  if (cutOff !== undefined) return "[error]";
  if (data === undefined) return coreOpcodeNames[opcode] ?? "OP_UNKNOWN";
  return coreData(data, signatures);
}

function coreData(data: Uint8Array, signatures: boolean): string {
  if (data.length <= maximumNumberLength) return String(scriptNumber(data));
  const hashType = signatures ? signatureHashName(data) : undefined;
  return hashType === undefined ? toHex(data) : `${toHex(data.subarray(0, -1))}[${hashType}]`;
}
