import { equalBytes } from "@nodewright/bitcoin-primitives";
import type { ByteReader, ByteWriter } from "./byte-codec.ts";

/** Form of the scripts of most outputs: constant bytes around one hash or key, which alone is stored after the form's number. */
export interface ScriptForm {
  readonly head: readonly number[];
  readonly hole: number;
  readonly tail: readonly number[];
}

/** Script forms. A form's position here is part of the layout: append, never reorder. */
export const scriptForms: readonly ScriptForm[] = [
  // Pay to public key hash: OP_DUP OP_HASH160 <20> OP_EQUALVERIFY OP_CHECKSIG
  { head: [0x76, 0xa9, 20], hole: 20, tail: [0x88, 0xac] },
  // BIP 16: OP_HASH160 <20> OP_EQUAL
  { head: [0xa9, 20], hole: 20, tail: [0x87] },
  // BIP 141, version 0: OP_0 <20>, OP_0 <32>
  { head: [0x00, 20], hole: 20, tail: [] },
  { head: [0x00, 32], hole: 32, tail: [] },
  // BIP 341: OP_1 <32>
  { head: [0x51, 32], hole: 32, tail: [] },
  // Pay to public key: <33> or <65> OP_CHECKSIG
  { head: [33], hole: 33, tail: [0xac] },
  { head: [65], hole: 65, tail: [0xac] },
];

/** Form of a script that equals the one before it: wallets spend many outputs of one script together. */
export const sameAsBefore = 15;

/** Numbers below this one denote a form; others are a script's length plus this. It leaves space for new forms. */
export const firstPlainLength = 16;

/** Forms by the length of their scripts. */
const formNumbersByLength: ReadonlyMap<number, readonly number[]> = Map.groupBy(scriptForms.keys(), lengthOfForm);

const none: readonly number[] = [];

/** Writes a scriptPubKey in a form's or in plain encoding. */
export function writeScript(writer: ByteWriter, script: Uint8Array): void {
  const number = formNumberOf(script);
  const form = number === undefined ? undefined : scriptForms[number];
  if (number === undefined || form === undefined) writer.varint(script.length + firstPlainLength).bytes(script);
  else writer.byte(number).bytes(script.subarray(form.head.length, form.head.length + form.hole));
}

/** Reads a script, the inverse of `writeScript`. */
export function readScript(reader: ByteReader): Uint8Array {
  return readForm(reader, reader.varint());
}

/** Writes a script like `writeScript`, in one byte when it equals that of the spent output `before`. */
export function writeSpentScript(writer: ByteWriter, script: Uint8Array, before: Uint8Array | undefined): void {
  if (before !== undefined && equalBytes(script, before)) writer.byte(sameAsBefore);
  else writeScript(writer, script);
}

/** Reads a script, the inverse of `writeSpentScript`. */
export function readSpentScript(reader: ByteReader, before: Uint8Array | undefined): Uint8Array {
  const number = reader.varint();
  return number === sameAsBefore && before !== undefined ? before : readForm(reader, number);
}

function readForm(reader: ByteReader, number: number): Uint8Array {
  if (number >= firstPlainLength) return reader.bytes(number - firstPlainLength);
  const form = scriptForms[number];
  if (form === undefined) throw new Error("A row of the index names an unknown form of script");
  const { head, hole, tail } = form;
  const script = new Uint8Array(head.length + hole + tail.length);
  // Byte by byte: they are few, and read for each input of each page.
  for (let index = 0; index < head.length; index += 1) script[index] = head[index] ?? 0;
  reader.copyTo(script, head.length, hole);
  for (let index = 0; index < tail.length; index += 1) script[head.length + hole + index] = tail[index] ?? 0;
  return script;
}

function lengthOfForm(number: number): number {
  const form = scriptForms[number];
  return form === undefined ? 0 : form.head.length + form.hole + form.tail.length;
}

function formNumberOf(script: Uint8Array): number | undefined {
  for (const number of formNumbersByLength.get(script.length) ?? none) {
    const form = scriptForms[number];
    if (
      form !== undefined &&
      matchesAt(script, 0, form.head) &&
      matchesAt(script, form.head.length + form.hole, form.tail)
    ) {
      return number;
    }
  }
  return undefined;
}

function matchesAt(script: Uint8Array, start: number, part: readonly number[]): boolean {
  for (let index = 0; index < part.length; index += 1) if (script[start + index] !== part[index]) return false;
  return true;
}
