import { opcodes } from "./opcode.ts";

/** One step of a script. */
export interface ScriptOperation {
  readonly opcode: number;
  /** Data that a push puts on the stack, as a view of the script; absent for opcodes without data, and for a truncated push. */
  readonly data?: Uint8Array;
  /**
   * Set on the last operation of a script that ends inside a push: `length` where the length itself is truncated, `data` where fewer bytes
   * follow than the length.
   */
  readonly cutOff?: "length" | "data";
}

/**
 * Yields the operations of a script. A script is any byte string: one that ends inside a push yields that push as its last operation,
 * marked.
 */
export function* scriptOperations(script: Uint8Array): Generator<ScriptOperation, void, undefined> {
  let offset = 0;
  while (offset < script.length) {
    const opcode = script[offset] ?? 0;
    offset += 1;
    if (opcode > opcodes.OP_PUSHDATA4) {
      yield { opcode };
      continue;
    }
    const lengthBytes = lengthBytesOf(opcode);
    if (offset + lengthBytes > script.length) {
      yield { opcode, cutOff: "length" };
      return;
    }
    const length = lengthBytes === 0 ? opcode : littleEndian(script, offset, lengthBytes);
    offset += lengthBytes;
    if (length > script.length - offset) {
      yield { opcode, cutOff: "data" };
      return;
    }
    yield { opcode, data: script.subarray(offset, offset + length) };
    offset += length;
  }
}

/** Returns the data of the last operation, when it is a push: the redeem script in the scriptSig of a P2SH input. */
export function lastPushOf(script: Uint8Array): Uint8Array | undefined {
  let last: Uint8Array | undefined;
  for (let offset = 0; offset < script.length; ) {
    const start = offset + 1 + lengthBytesOf(script[offset] ?? 0);
    const end = start + pushLength(script, offset);
    if (end > script.length) return undefined;
    const isLast = end === script.length;
    if (isLast && (script[offset] ?? 0) <= opcodes.OP_PUSHDATA4) last = script.subarray(start, end);
    offset = end;
  }
  return last;
}

/** Returns whether every operation puts something on the stack and none is truncated. OP_RESERVED counts, as in Bitcoin Core. */
export function isPushOnly(script: Uint8Array): boolean {
  for (const operation of scriptOperations(script)) {
    if (operation.opcode > opcodes.OP_16 || operation.cutOff !== undefined) return false;
  }
  return true;
}

/** Returns the push length of the opcode at `offset`, whether or not the bytes exist; 0 for one that pushes no data. */
export function pushLength(script: Uint8Array, offset: number): number {
  const opcode = script[offset] ?? 0;
  if (opcode > opcodes.OP_PUSHDATA4) return 0;
  const lengthBytes = lengthBytesOf(opcode);
  return lengthBytes === 0 ? opcode : littleEndian(script, offset + 1, lengthBytes);
}

/** Returns how many bytes of length follow a push opcode. */
export function lengthBytesOf(opcode: number): 0 | 1 | 2 | 4 {
  if (opcode === opcodes.OP_PUSHDATA1) return 1;
  if (opcode === opcodes.OP_PUSHDATA2) return 2;
  if (opcode === opcodes.OP_PUSHDATA4) return 4;
  return 0;
}

/** Reads an unsigned integer of at most 4 bytes. */
function littleEndian(bytes: Uint8Array, offset: number, length: number): number {
  let value = 0;
  for (let index = length - 1; index >= 0; index -= 1) value = value * 256 + (bytes[offset + index] ?? 0);
  return value;
}
