import { opcodes, scriptNumber, scriptOperations } from "@nodewright/bitcoin-primitives";
import type { Fragment, HashKind, Pair, Wrapper } from "./fragment.ts";
import { isWithinBounds } from "./fragment-cost.ts";
import { fragmentType } from "./fragment-type.ts";
import { everyKey } from "./render-miniscript.ts";

/** One operation, with its pushed data. Verifying forms are two: the check, and `verify`. */
interface Token {
  readonly opcode: number;
  readonly data?: Uint8Array | undefined;
}

/** Maximum bytes of a P2WSH witness script that is relayed. */
const maximumScript = 3_600;
const keyLength = 33;
const maximumKeys = 20;
/** Maximum number of operations that are not pushes; it bounds the nesting of expressions, too. */
const maximumOperations = 201;
/** Maximum value of `older` and `after`. */
const highestNumber = 2 ** 31 - 1;

const op = {
  if: 0x63,
  notIf: 0x64,
  else: 0x67,
  endIf: 0x68,
  verify: 0x69,
  toAltStack: 0x6b,
  fromAltStack: 0x6c,
  ifDup: 0x73,
  dup: 0x76,
  swap: 0x7c,
  size: 0x82,
  equal: 0x87,
  equalVerify: 0x88,
  notZero: 0x92,
  add: 0x93,
  boolAnd: 0x9a,
  boolOr: 0x9b,
  numEqual: 0x9c,
  numEqualVerify: 0x9d,
  checkSignature: 0xac,
  checkSignatureVerify: 0xad,
  checkMultisig: 0xae,
  checkMultisigVerify: 0xaf,
  checkLocktime: 0xb1,
  checkSequence: 0xb2,
} as const;

/** Verifying form of each check that has one. */
const verifyingForms: ReadonlyMap<number, number> = new Map([
  [op.equalVerify, op.equal],
  [op.numEqualVerify, op.numEqual],
  [op.checkSignatureVerify, op.checkSignature],
  [op.checkMultisigVerify, op.checkMultisig],
]);

const hashes: ReadonlyMap<number, { readonly kind: HashKind; readonly length: number }> = new Map([
  [0xa6, { kind: "ripemd160", length: 20 }],
  [0xa8, { kind: "sha256", length: 32 }],
  [0xa9, { kind: "hash160", length: 20 }],
  [0xaa, { kind: "hash256", length: 32 }],
]);

/** Operations before which an expression begins. */
const boundaries: ReadonlySet<number> = new Set([op.if, op.notIf, op.else, op.toAltStack, op.swap]);

/**
 * Returns the miniscript of a P2WSH witness script (BIP 379); `undefined` for another script, and for one that should not be used:
 * malleable, spendable without a signature, beyond the limits of scripts, with a duplicate key or with timelocks that exclude each other.
 * Keys of which only the hash is present also make it invalid.
 */
export function readMiniscript(script: Uint8Array): Fragment | undefined {
  if (script.length > maximumScript) return undefined;
  const tokens = tokensOf(script);
  if (tokens === undefined) return undefined;
  const reader = new BackwardReader(tokens);
  try {
    const fragment = reader.sequence();
    return reader.isAtStart && isSane(fragment) ? fragment : undefined;
  } catch (error) {
    if (error instanceof NoMiniscript) return undefined;
    throw error;
  }
}

function isSane(fragment: Fragment): boolean {
  const type = fragmentType(fragment);
  const isSafe = type?.basic === "B" && type.properties.has("s") && !type.isMalleable && !type.mixesTimelocks;
  if (!isSafe) return false;
  const keys = everyKey(fragment).map((key) => Buffer.from(key).toString("hex"));
  return new Set(keys).size === keys.length && isWithinBounds(fragment);
}

/**
 * Returns the tokens; `undefined` for a script with too many operations, a push that is not in its shortest form, or a check and its
 * verification apart.
 */
function tokensOf(script: Uint8Array): readonly Token[] | undefined {
  const tokens: Token[] = [];
  const checks = new Set(verifyingForms.values());
  let operations = 0;
  for (const { opcode, data, cutOff } of scriptOperations(script)) {
    if (cutOff !== undefined || (data !== undefined && !isShortestPush(opcode, data))) return undefined;
    if (opcode > opcodes.OP_16) operations += 1;
    if (operations > maximumOperations) return undefined;
    const last = tokens.at(-1)?.opcode ?? -1;
    if (opcode === op.verify && checks.has(last)) return undefined;
    const check = verifyingForms.get(opcode);
    if (check === undefined) tokens.push({ opcode, data });
    else tokens.push({ opcode: check }, { opcode: op.verify });
  }
  return tokens;
}

function isShortestPush(opcode: number, data: Uint8Array): boolean {
  const [only = 0] = data;
  if (data.length === 0) return opcode === opcodes.OP_0;
  if (data.length === 1 && ((only >= 1 && only <= 16) || only === 0x81)) return false;
  // No fragment pushes more than 75 bytes, which would take an opcode followed by a length.
  return opcode === data.length;
}

class NoMiniscript extends Error {}

/** Reader from the last operation to the first: in this direction, the next one always determines the expression. */
class BackwardReader {
  readonly #tokens: readonly Token[];
  #end: number;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
    this.#end = tokens.length;
  }

  get isAtStart(): boolean {
    return this.#end === 0;
  }

  /** Reads one expression, or several that follow each other: `and_v`. */
  sequence(): Fragment {
    let fragment = this.#single();
    const following: Fragment[] = [];
    while (!this.isAtStart && !boundaries.has(this.#peek().opcode)) {
      following.push(fragment);
      fragment = this.#single();
    }
    return following.reduceRight((left, right) => pair("and_v", left, right), fragment);
  }

  #single(): Fragment {
    const token = this.#take();
    const { opcode, data } = token;
    if (data?.length === keyLength) return { kind: "pk_k", key: plainKey(data) };
    switch (opcode) {
      case opcodes.OP_0:
        return { kind: "0" };
      case opcodes.OP_1:
        return { kind: "1" };
      case op.checkSequence:
        return { kind: "older", number: lockNumber(this.#take()) };
      case op.checkLocktime:
        return { kind: "after", number: lockNumber(this.#take()) };
      case op.equal:
        return this.#hashLock() ?? this.#threshold();
      case op.checkMultisig:
        return this.#multisig();
      case op.checkSignature:
        return wrap("c", this.#single());
      case op.verify:
        return wrap("v", this.#single());
      case op.notZero:
        return wrap("n", this.#single());
      case op.endIf:
        return this.#conditional();
      case op.boolAnd:
        return this.#combined("and_b");
      case op.boolOr:
        return this.#combined("or_b");
      default:
        throw new NoMiniscript();
    }
  }

  /** Reads `SIZE <32> EQUALVERIFY <hash function> <hash> EQUAL`. */
  #hashLock(): Fragment | undefined {
    const [hash, operation, verify, equal, length, size] = [1, 2, 3, 4, 5, 6].map(
      (back) => this.#tokens[this.#end - back],
    );
    const form = operation && hashes.get(operation.opcode);
    const matches =
      form !== undefined &&
      hash?.data?.length === form.length &&
      verify?.opcode === op.verify &&
      equal?.opcode === op.equal &&
      numberOf(length) === 32 &&
      size?.opcode === op.size;
    if (!matches) return undefined;
    this.#end -= 6;
    return { kind: form.kind, hash: hash.data };
  }

  /** Reads `<part> (<part> ADD)* <required> EQUAL`. */
  #threshold(): Fragment {
    const required = numberOf(this.#take());
    const parts: Fragment[] = [];
    while (!this.isAtStart && this.#peek().opcode === op.add) {
      this.#take();
      parts.unshift(this.#wrapped());
    }
    parts.unshift(this.#single());
    if (required === undefined || required < 1 || required > parts.length) throw new NoMiniscript();
    return { kind: "thresh", required, parts };
  }

  #multisig(): Fragment {
    const count = numberOf(this.#take()) ?? 0;
    if (count < 1 || count > maximumKeys) throw new NoMiniscript();
    const keys = Array.from({ length: count }, () => plainKey(this.#take().data)).reverse();
    const required = numberOf(this.#take()) ?? 0;
    if (required < 1 || required > count) throw new NoMiniscript();
    return { kind: "multi", required, keys };
  }

  #combined(kind: "and_b" | "or_b"): Fragment {
    const right = this.#wrapped();
    return pair(kind, this.#single(), right);
  }

  /** Reads an expression that preserves the stack: on the other stack, or swapped. */
  #wrapped(): Fragment {
    if (this.#peek().opcode !== op.fromAltStack) {
      const swapped = this.sequence();
      this.#expect(op.swap);
      return wrap("s", swapped);
    }
    this.#take();
    const moved = this.sequence();
    this.#expect(op.toAltStack);
    return wrap("a", moved);
  }

  /** Reads an expression that ends with ENDIF. */
  #conditional(): Fragment {
    const last = this.sequence();
    switch (this.#take().opcode) {
      case op.else:
        return this.#alternatives(last);
      case op.if:
        return this.#optional(last);
      case op.notIf:
        if (!this.isAtStart && this.#peek().opcode === op.ifDup) {
          this.#take();
          return pair("or_d", this.#single(), last);
        }
        return pair("or_c", this.#single(), last);
      default:
        throw new NoMiniscript();
    }
  }

  #alternatives(last: Fragment): Fragment {
    const first = this.sequence();
    switch (this.#take().opcode) {
      case op.if:
        return pair("or_i", first, last);
      case op.notIf:
        return { kind: "andor", condition: this.#single(), met: last, unmet: first };
      default:
        throw new NoMiniscript();
    }
  }

  /** Reads `DUP IF` or `SIZE 0NOTEQUAL IF` before it. */
  #optional(part: Fragment): Fragment {
    if (this.#take().opcode === op.dup) return wrap("d", part);
    if (this.#tokens[this.#end]?.opcode !== op.notZero) throw new NoMiniscript();
    this.#expect(op.size);
    return wrap("j", part);
  }

  #peek(): Token {
    const token = this.#tokens[this.#end - 1];
    if (token === undefined) throw new NoMiniscript();
    return token;
  }

  #take(): Token {
    const token = this.#peek();
    this.#end -= 1;
    return token;
  }

  #expect(opcode: number): void {
    if (this.#take().opcode !== opcode) throw new NoMiniscript();
  }
}

function wrap(kind: Wrapper, part: Fragment): Fragment {
  return { kind, part };
}

function pair(kind: Pair, left: Fragment, right: Fragment): Fragment {
  return { kind, left, right };
}

/** Returns a key that is neither hybrid nor of 65 bytes. */
function plainKey(data: Uint8Array | undefined): Uint8Array {
  if (data?.length !== keyLength || (data[0] !== 2 && data[0] !== 3)) throw new NoMiniscript();
  return data;
}

function lockNumber(token: Token): number {
  const number = numberOf(token) ?? 0;
  if (number < 1 || number > highestNumber) throw new NoMiniscript();
  return number;
}

/** Returns the number that an operation pushes. */
function numberOf(token: Token | undefined): number | undefined {
  if (token === undefined) return undefined;
  const { opcode, data } = token;
  if (opcode >= opcodes.OP_1 && opcode <= opcodes.OP_16) return opcode - opcodes.OP_RESERVED;
  if (data === undefined || data.length > 5) return undefined;
  return isShortest(data) ? scriptNumber(data) : undefined;
}

/** Returns whether a number has no needless zero bytes. */
function isShortest(data: Uint8Array): boolean {
  const last = data.at(-1);
  if (last === undefined || (last & 0x7f) !== 0) return true;
  return data.length > 1 && ((data.at(-2) ?? 0) & 0x80) !== 0;
}
