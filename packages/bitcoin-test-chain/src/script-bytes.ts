import { concatBytes } from "@nodewright/bitcoin-primitives";

/** Opcodes of the scripts in these chains. */
export const opcode = {
  OP_0: 0x00,
  OP_PUSHDATA1: 0x4c,
  OP_PUSHDATA2: 0x4d,
  OP_RESERVED: 0x50,
  OP_1: 0x51,
  OP_2: 0x52,
  OP_3: 0x53,
  OP_IF: 0x63,
  OP_ELSE: 0x67,
  OP_ENDIF: 0x68,
  OP_RETURN: 0x6a,
  OP_DROP: 0x75,
  OP_DUP: 0x76,
  OP_EQUAL: 0x87,
  OP_EQUALVERIFY: 0x88,
  OP_ADD: 0x93,
  OP_NUMEQUAL: 0x9c,
  OP_SHA256: 0xa8,
  OP_HASH160: 0xa9,
  OP_CHECKSIG: 0xac,
  OP_CHECKMULTISIG: 0xae,
  OP_CHECKLOCKTIMEVERIFY: 0xb1,
  OP_CHECKSEQUENCEVERIFY: 0xb2,
  OP_CHECKSIGADD: 0xba,
} as const;

/** Returns a script of opcodes (numbers) and pushed data (bytes), each push in its shortest form (BIP 62, rule 3). */
export function scriptOf(...parts: readonly (number | Uint8Array)[]): Uint8Array {
  return concatBytes(...parts.map((part) => (typeof part === "number" ? Uint8Array.of(part) : pushOf(part))));
}

/** Returns a positive number in the form of scripts: little-endian, with space for the sign. */
export function scriptNumberOf(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) bytes.push(rest % 256);
  if ((bytes.at(-1) ?? 0) >= 0x80) bytes.push(0);
  return Uint8Array.from(bytes);
}

function pushOf(data: Uint8Array): Uint8Array {
  const [first = 0] = data;
  if (data.length === 0) return Uint8Array.of(opcode.OP_0);
  if (data.length === 1 && first >= 1 && first <= 16) return Uint8Array.of(opcode.OP_RESERVED + first);
  if (data.length < opcode.OP_PUSHDATA1) return concatBytes(Uint8Array.of(data.length), data);
  if (data.length < 0x100) return concatBytes(Uint8Array.of(opcode.OP_PUSHDATA1, data.length), data);
  return concatBytes(Uint8Array.of(opcode.OP_PUSHDATA2, data.length & 0xff, data.length >>> 8), data);
}
