import type { ByteReader, ByteWriter } from "./byte-codec.ts";

/** The scripts that most outputs have: constant bytes around one hash or key, which alone is stored behind the form's number. */
interface ScriptForm {
  readonly head: readonly number[];
  readonly hole: number;
  readonly tail: readonly number[];
}

/** A form's position here is part of the layout: append, never reorder. */
const forms: readonly ScriptForm[] = [
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

/** Numbers below this one name a form; others are a script's length plus this. Leaves room for new forms. */
const firstLength = 16;

/** Writes a scriptPubKey in the form's or in plain spelling. */
export function writeScript(writer: ByteWriter, script: Uint8Array): void {
  const number = formNumberOf(script);
  const form = forms[number];
  if (form === undefined) writer.varint(script.length + firstLength).bytes(script);
  else writer.byte(number).bytes(script.subarray(form.head.length, form.head.length + form.hole));
}

/** The inverse of `writeScript`. */
export function readScript(reader: ByteReader): Uint8Array {
  const number = reader.varint();
  if (number >= firstLength) return reader.bytes(number - firstLength);
  const form = forms[number];
  if (form === undefined) throw new Error("A row of the index names an unknown form of script");
  const script = new Uint8Array(form.head.length + form.hole + form.tail.length);
  script.set(form.head);
  script.set(reader.bytes(form.hole), form.head.length);
  script.set(form.tail, form.head.length + form.hole);
  return script;
}

function formNumberOf(script: Uint8Array): number {
  return forms.findIndex(
    ({ head, hole, tail }) =>
      script.length === head.length + hole + tail.length &&
      head.every((byte, index) => script[index] === byte) &&
      tail.every((byte, index) => script[head.length + hole + index] === byte),
  );
}
