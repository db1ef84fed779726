import { type SharedMemory, webAssembly } from "./web-assembly.ts";
import { opcode, simdOpcode, WasmCode, wasmModule } from "./wasm-writer.ts";

/** SHA-256 (FIPS 180-4) of four messages at once, one in each lane of a vector. */
export interface Sha256Lanes {
  /**
   * Advances the four states at `state` by one block of 64 bytes each, which begin at `first` to `fourth`.
   *
   * A state is eight words; word `w` of lane `l` is the 32-bit integer at `state + 16 w + 4 l`. All are bytes from the start of the memory;
   * `state` is a multiple of 16.
   */
  compress(state: number, first: number, second: number, third: number, fourth: number): void;
}

/** Bytes of the round constants, from the address that is passed to `createSha256Lanes`. */
export const roundConstantsLength = 256;

/** Initial state, word by word. */
export const initialState: readonly number[] = fractionsOfRoots(8, Math.sqrt);

/**
 * Compiles the hash over a shared memory, and uses its bytes from `constants` on (a multiple of 16) for its constants.
 *
 * A call into the system's hash costs some 0.6 µs whatever it hashes, which for transactions, scripts and merkle nodes is most of the cost
 * of an index; four lanes in WebAssembly take a fifth of it.
 */
export function createSha256Lanes(
  memory: SharedMemory,
  pages: { readonly initial: number; readonly maximum: number },
  constants: number,
): Sha256Lanes {
  const roundConstants = fractionsOfRoots(64, Math.cbrt);
  new Uint32Array(memory.buffer, constants, 64).set(roundConstants);
  const body = compressBody(constants);
  const bytes = wasmModule([{ name: "compress", parameters: 5, integers: 1, vectors: locals.count, body }], pages);
  const { exports } = new webAssembly.Instance(new webAssembly.Module(bytes), { host: { memory } });
  const { compress } = exports;
  if (typeof compress !== "function") throw new Error("The hash was not compiled");
  return { compress: compress as Sha256Lanes["compress"] };
}

/** Numbers of locals: five parameters, one integer, then vectors. */
const locals = { state: 0, blocks: [1, 2, 3, 4], round: 5, working: 6, words: 14, first: 30, second: 31, count: 26 };

const load = [4, 0] as const;

function compressBody(constants: number): WasmCode {
  const code = new WasmCode();
  for (let group = 0; group < 4; group += 1) loadWords(code, group);
  for (let word = 0; word < 8; word += 1) {
    code
      .get(locals.state)
      .simd(simdOpcode.load, load[0], word * 16)
      .set(locals.working + word);
  }
  code.int32(0).set(locals.round);
  code.op(opcode.block, 0x40).op(opcode.loop, 0x40);
  for (let index = 0; index < 16; index += 1) round(code, index, constants);
  // The constants of round r begin at byte 4 r.
  code.get(locals.round).int32(64).op(opcode.int32Add).tee(locals.round);
  code.int32(255).op(opcode.int32GreaterThan).op(opcode.branchIf, 1);
  for (let index = 0; index < 16; index += 1) extendWords(code, index);
  code.int32(1).op(opcode.branchIf, 0);
  code.op(opcode.end).op(opcode.end);
  for (let word = 0; word < 8; word += 1) {
    code
      .get(locals.state)
      .get(locals.state)
      .simd(simdOpcode.load, load[0], word * 16);
    code
      .get(locals.working + word)
      .simd(simdOpcode.add)
      .simd(simdOpcode.store, load[0], word * 16);
  }
  return code;
}

/** Reads 16 bytes of each block and transposes four words of one block into one word of four blocks. */
function loadWords(code: WasmCode, group: number): void {
  const first = locals.words + group * 4;
  for (const [lane, block] of locals.blocks.entries()) {
    code
      .get(block)
      .simd(simdOpcode.load, 0, group * 16)
      .set(first + lane);
  }
  const pick = (left: number, right: number, lanes: readonly number[]): WasmCode =>
    code.get(left).get(right).shuffle(lanes);
  pick(first, first + 1, bigEndianPairs(0)).set(locals.first);
  pick(first, first + 1, bigEndianPairs(2)).set(locals.second);
  // The low and high halves of the other two blocks stay in the locals that are free now.
  pick(first + 2, first + 3, bigEndianPairs(0)).set(first);
  pick(first + 2, first + 3, bigEndianPairs(2)).set(first + 1);
  pick(locals.second, first + 1, lowHalves).set(first + 2);
  pick(locals.second, first + 1, highHalves).set(first + 3);
  // The order matters: the third line reads what the fourth overwrites.
  pick(locals.first, first, highHalves).set(first + 1);
  pick(locals.first, first, lowHalves).set(first);
}

const lowHalves = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
const highHalves = lowHalves.map((index) => index + 8);

/** Returns the shuffle for the words `word` and `word + 1` of two blocks: left, right, left, right, their bytes reversed. */
function bigEndianPairs(word: number): readonly number[] {
  return [word * 4, word * 4 + 16, word * 4 + 4, word * 4 + 20].flatMap((start) => [
    start + 3,
    start + 2,
    start + 1,
    start,
  ]);
}

/** Emits one round; the working variables change places instead of contents. */
function round(code: WasmCode, index: number, constants: number): void {
  const variable = (letter: number): number => locals.working + ((letter + 16 - index) % 8);
  const [a, b, c, d, e, f, g, h] = [0, 1, 2, 3, 4, 5, 6, 7].map(variable) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  // h + Σ1(e) + Ch(e, f, g) + K + W
  code.get(h);
  rotations(code, e, [6, 11, 25]);
  code.simd(simdOpcode.add);
  code.get(f).get(g).simd(simdOpcode.xor).get(e).simd(simdOpcode.and).get(g).simd(simdOpcode.xor);
  code.simd(simdOpcode.add);
  code.get(locals.round).simd(simdOpcode.load32Splat, 2, constants + index * 4);
  code
    .get(locals.words + index)
    .simd(simdOpcode.add)
    .simd(simdOpcode.add)
    .tee(locals.first);
  code.get(d).simd(simdOpcode.add).set(d);
  // … + Σ0(a) + Maj(a, b, c)
  code.get(locals.first);
  rotations(code, a, [2, 13, 22]);
  code.simd(simdOpcode.add);
  code.get(a).get(b).simd(simdOpcode.and);
  code.get(a).get(b).simd(simdOpcode.or).get(c).simd(simdOpcode.and).simd(simdOpcode.or);
  code.simd(simdOpcode.add).set(h);
}

/** Emits the word for 16 rounds later, in place of the word that is no longer needed. */
function extendWords(code: WasmCode, index: number): void {
  const word = (offset: number): number => locals.words + ((index + offset) % 16);
  code.get(word(0));
  shifted(code, word(1), [7, 18], 3);
  code.simd(simdOpcode.add).get(word(9)).simd(simdOpcode.add);
  shifted(code, word(14), [17, 19], 10);
  code.simd(simdOpcode.add).set(word(0));
}

function rotations(code: WasmCode, local: number, counts: readonly number[]): void {
  for (const [index, count] of counts.entries()) {
    rotation(code, local, count);
    if (index > 0) code.simd(simdOpcode.xor);
  }
}

function shifted(code: WasmCode, local: number, counts: readonly number[], shift: number): void {
  rotations(code, local, counts);
  code.get(local).int32(shift).simd(simdOpcode.shiftRightUnsigned).simd(simdOpcode.xor);
}

function rotation(code: WasmCode, local: number, count: number): void {
  code.get(local).int32(count).simd(simdOpcode.shiftRightUnsigned);
  code
    .get(local)
    .int32(32 - count)
    .simd(simdOpcode.shiftLeft)
    .simd(simdOpcode.or);
}

/** Returns the first 32 bits of the fractional parts of a root of the first primes. */
function fractionsOfRoots(count: number, root: (value: number) => number): readonly number[] {
  return primes(count).map((prime) => exactFraction(prime, root));
}

/** Computes Newton's step in integers on top of the floating-point root, whose last bits may be wrong. */
function exactFraction(prime: number, root: (value: number) => number): number {
  const degree = root(8) === 2 ? 3n : 2n;
  // The integer root of prime · 2^(32 · degree).
  const radicand = BigInt(prime) << (32n * degree);
  let value = BigInt(Math.floor(root(prime) * 2 ** 32));
  while (value ** degree > radicand) value -= 1n;
  while ((value + 1n) ** degree <= radicand) value += 1n;
  return Number(value & 0xffffffffn);
}

function primes(count: number): readonly number[] {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate += 1) {
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate);
  }
  return found;
}
