import { concatBytes } from "./bytes.ts";
import { opcodes } from "./opcode.ts";

/** Returns the shortest push of bytes with a length. Numbers that have opcodes of their own are pushed as bytes nevertheless. */
export function pushOf(bytes: Uint8Array): Uint8Array {
  const { length } = bytes;
  if (length < opcodes.OP_PUSHDATA1) return concatBytes(Uint8Array.of(length), bytes);
  if (length <= 0xff) return concatBytes(Uint8Array.of(opcodes.OP_PUSHDATA1, length), bytes);
  const header = Buffer.alloc(length <= 0xffff ? 3 : 5);
  header[0] = length <= 0xffff ? opcodes.OP_PUSHDATA2 : opcodes.OP_PUSHDATA4;
  if (length <= 0xffff) header.writeUInt16LE(length, 1);
  else header.writeUInt32LE(length, 1);
  return concatBytes(header, bytes);
}

/** Returns the shortest push of an integer: opcodes of their own for -1 to 16, otherwise the bytes of script arithmetic. */
export function numberPush(value: number): Uint8Array {
  if (value === 0) return Uint8Array.of(opcodes.OP_0);
  if (value >= -1 && value <= 16) return Uint8Array.of(opcodes.OP_RESERVED + value);
  return pushOf(numberBytes(value));
}

/** Returns a little-endian number, the highest bit of the last byte being the sign. */
function numberBytes(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = Math.abs(value); rest > 0; rest = Math.floor(rest / 256)) bytes.push(rest % 256);
  const last = bytes[bytes.length - 1] ?? 0;
  if ((last & 0x80) !== 0) bytes.push(0);
  if (value < 0) bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) | 0x80;
  return Uint8Array.from(bytes);
}
