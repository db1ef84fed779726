/** WebAssembly instructions that hashing needs; those of SIMD follow the prefix byte 0xfd. */
export const opcode = {
  block: 0x02,
  loop: 0x03,
  end: 0x0b,
  branchIf: 0x0d,
  localGet: 0x20,
  localSet: 0x21,
  localTee: 0x22,
  int32Const: 0x41,
  int32GreaterThan: 0x4a,
  int32Add: 0x6a,
} as const;

export const simdOpcode = {
  load: 0,
  load32Splat: 9,
  store: 11,
  shuffle: 13,
  and: 78,
  or: 80,
  xor: 81,
  shiftLeft: 171,
  shiftRightUnsigned: 173,
  add: 174,
} as const;

const valueType = { int32: 0x7f, vector: 0x7b } as const;

/** An exported function: it takes and declares numbers and vectors, and returns nothing. */
export interface WasmFunction {
  readonly name: string;
  /** Number of 32-bit integer parameters. */
  readonly parameters: number;
  /** Number of integer locals, declared after the parameters and before the vectors. */
  readonly integers: number;
  readonly vectors: number;
  readonly body: WasmCode;
}

/** Writer of the instructions of one function, in order. */
export class WasmCode {
  readonly bytes: number[] = [];

  op(code: number, ...immediates: readonly number[]): this {
    this.bytes.push(code);
    for (const immediate of immediates) this.bytes.push(...leb(immediate));
    return this;
  }

  simd(code: number, ...immediates: readonly number[]): this {
    this.bytes.push(0xfd, ...leb(code));
    for (const immediate of immediates) this.bytes.push(...leb(immediate));
    return this;
  }

  get(local: number): this {
    return this.op(opcode.localGet, local);
  }

  set(local: number): this {
    return this.op(opcode.localSet, local);
  }

  tee(local: number): this {
    return this.op(opcode.localTee, local);
  }

  /** Writes a constant from 0 to 2^31-1. */
  int32(value: number): this {
    this.bytes.push(opcode.int32Const, ...signedLeb(value));
    return this;
  }

  /** Writes a shuffle: sixteen indices into the 32 bytes of two vectors. */
  shuffle(lanes: readonly number[]): this {
    this.bytes.push(0xfd, simdOpcode.shuffle, ...lanes);
    return this;
  }
}

/** Returns the bytes of a module over one imported, shared memory, `memory` of `host`. `pages`: its limits, each of 64 KiB. */
export function wasmModule(
  functions: readonly WasmFunction[],
  pages: { initial: number; maximum: number },
): Uint8Array {
  const types = functions.map(({ parameters }) => [0x60, ...vector(Array(parameters).fill(valueType.int32)), 0]);
  const memory = [...text("host"), ...text("memory"), 2, 3, ...leb(pages.initial), ...leb(pages.maximum)];
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, types),
    ...section(2, [memory]),
    ...section(
      3,
      functions.map((_, index) => leb(index)),
    ),
    ...section(
      7,
      functions.map(({ name }, index) => [...text(name), 0, ...leb(index)]),
    ),
    ...section(10, functions.map(functionBody)),
  ]);
}

function functionBody({ integers, vectors, body }: WasmFunction): number[] {
  const locals = [
    [...leb(integers), valueType.int32],
    [...leb(vectors), valueType.vector],
  ];
  const bytes = [...leb(locals.length), ...locals.flat(), ...body.bytes, opcode.end];
  return [...leb(bytes.length), ...bytes];
}

function section(id: number, items: readonly (readonly number[])[]): number[] {
  const bytes = [...leb(items.length), ...items.flat()];
  return [id, ...leb(bytes.length), ...bytes];
}

function vector(items: readonly number[]): number[] {
  return [...leb(items.length), ...items];
}

function text(value: string): number[] {
  return vector([...Buffer.from(value)]);
}

function leb(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  bytes.push(rest);
  return bytes;
}

function signedLeb(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x3f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  bytes.push(rest);
  return bytes;
}
