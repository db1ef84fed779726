import { endOfPlainText } from "./plain-text.ts";
import type { ResponseLease } from "./response-budget.ts";

export interface JsonLimits {
  /** Most values: members of objects and elements of arrays. */
  readonly values: number;
  /** Most objects and arrays within each other. */
  readonly depth: number;
  /**
   * Whether the responses of correct nodes may be longer, or have more values, because the result grows with what the call selects. Otherwise
   * such a response shows that the node is faulty.
   */
  readonly isPassedByCorrectNodes: boolean;
}

/** So many values may come in a row that are shorter than any result is made of: members of an envelope, indexes, flags. */
const denseValues = 16_384;

/** Bytes of a value of a result, with its name and punctuation, on average: the least are the 14 of addresses of other nodes. */
const leastBytesPerValue = 12;

/** A response has more values or deeper nesting than it may have. */
export class ExcessiveStructure extends Error {
  /** Whether the response of a correct node may be like that: only its number of values has passed the limit. */
  readonly isPassedByCorrectNodes: boolean;

  constructor(message: string, isPassedByCorrectNodes = false) {
    super(message);
    this.isPassedByCorrectNodes = isPassedByCorrectNodes;
  }
}

/** Bytes that are parsed at once, about: a millisecond's work, and a few of the values that take longest. */
const defaultSliceBytes = 16_384;

/** `JSON.parse` reads a string or number at once. The longest string of a node is a block in hex: 10 MiB (EIP-7934) in 21 million digits. */
const maximumScalarBytes = 24 * 1024 * 1024;

const uncutSlices = 4;
const initialBytes = 32_768;

const quote = 0x22;
const comma = 0x2c;
const openingBracket = 0x5b;
const backslash = 0x5c;
const closingBracket = 0x5d;
const openingBrace = 0x7b;
const closingBrace = 0x7d;

/** Members of one object that is parsed in several slices: a larger one is rehashed for too long at once. */
const maximumMembers = 100_000;

/** An object or array whose members are parsed in several slices. */
interface OpenContainer {
  readonly target: unknown[] | Record<string, unknown>;
  /** The name of this container in the object around it. */
  readonly key: string | undefined;
  /** Whether a comma stands before the next member, so that there has to be one. */
  needsMember: boolean;
  /** Whether its last member has been added and no comma has followed. */
  hasMember: boolean;
  /** Members of an object that have been added. */
  members: number;
}

/**
 * Parses one JSON value (RFC 8259) while its bytes arrive. No call of `push` takes longer than its chunk and one slice before it.
 *
 * `JSON.parse` reads every slice, so the result, and what is refused, are those of `JSON.parse` for the complete text. Only what is
 * around the slices is followed here: strings, nesting, and the commas between members.
 */
export class SlicedJsonReader {
  readonly #parse: (text: string) => unknown;
  readonly #limits: JsonLimits;
  readonly #lease: Pick<ResponseLease, "grow">;
  readonly #sliceBytes: number;
  /** The array around the value, then the containers that the bytes from `start` on stand in. */
  readonly #open: OpenContainer[] = [{ target: [], key: undefined, needsMember: false, hasMember: false, members: 0 }];
  #buffer: Buffer = Buffer.allocUnsafeSlow(initialBytes);
  /** Offset of the first byte that has not been parsed. */
  #start = 0;
  #length = 0;
  /** Objects and arrays around the next byte, counted without the outermost array. */
  #depth = 0;
  /** By depth: offset of the bracket or brace that opened the container; valid for containers that are not in `open`. */
  readonly #openings: Int32Array;
  /** By depth: offset of the last comma, or -1. */
  readonly #commas: Int32Array;
  #values = 0;
  #received = 0;
  #isInString = false;
  #isEscaped = false;

  constructor(
    parse: (text: string) => unknown,
    limits: JsonLimits,
    lease: Pick<ResponseLease, "grow">,
    sliceBytes: number = defaultSliceBytes,
  ) {
    this.#parse = parse;
    this.#limits = limits;
    this.#lease = lease;
    this.#sliceBytes = sliceBytes;
    this.#openings = new Int32Array(limits.depth + 1);
    this.#commas = new Int32Array(limits.depth + 1).fill(-1);
  }

  /** Throws a `SyntaxError`, an `ExcessiveStructure`, or what the lease throws. */
  push(chunk: Buffer): void {
    this.#append(chunk);
    const values = this.#values;
    this.#scan(this.#length - chunk.length);
    this.#received += chunk.length;
    if (this.#values > denseValues + this.#received / leastBytesPerValue)
      throw new ExcessiveStructure("Too many values for the length");
    if (this.#values > this.#limits.values)
      throw new ExcessiveStructure("Too many values", this.#limits.isPassedByCorrectNodes);
    this.#lease.grow(chunk.length, this.#values - values);
    // What fits into a few slices is parsed at once: cutting costs more than it saves.
    if (this.#received <= uncutSlices * this.#sliceBytes) return;
    while (this.#length - this.#start >= this.#sliceBytes && this.#cut());
    if (this.#length - this.#start > maximumScalarBytes) throw new ExcessiveStructure("Too long a string or number");
  }

  /** Returns the value. Throws a `SyntaxError` when it is not complete. */
  end(): unknown {
    const [root] = this.#open;
    if (root === undefined || this.#open.length > 1) throw new SyntaxError("Unexpected end of JSON");
    if (!root.hasMember) return this.#parse(this.#buffer.toString("utf8", this.#start, this.#length));
    this.#skipSpace(this.#length);
    return (root.target as readonly unknown[])[0];
  }

  #append(chunk: Buffer): void {
    const room = this.#buffer.length - this.#length;
    if (room < chunk.length) this.#makeRoom(chunk.length);
    chunk.copy(this.#buffer, this.#length);
    this.#length += chunk.length;
  }

  #makeRoom(bytes: number): void {
    const { length: capacity } = this.#buffer;
    const used = this.#length - this.#start;
    const buffer =
      used + bytes <= capacity / 2 ? this.#buffer : Buffer.allocUnsafeSlow(Math.max(capacity * 2, used + bytes));
    this.#lease.grow(buffer.length - capacity, 0);
    this.#buffer.copy(buffer, 0, this.#start, this.#length);
    for (let depth = this.#open.length - 1; depth <= this.#depth; depth += 1) {
      this.#openings[depth] = (this.#openings[depth] ?? 0) - this.#start;
      this.#commas[depth] = Math.max(-1, (this.#commas[depth] ?? -1) - this.#start);
    }
    this.#buffer = buffer;
    this.#length = used;
    this.#start = 0;
  }

  /** Works on copies of the fields: nearly all time of a response that is read at once is spent here. */
  #scan(from: number): void {
    const buffer = this.#buffer;
    const end = this.#length;
    const openings = this.#openings;
    const commas = this.#commas;
    const maximumDepth = this.#limits.depth;
    let depth = this.#depth;
    let values = this.#values;
    let at = from;
    if (this.#isInString) at = this.#scanString(at, end);
    for (; at < end; at += 1) {
      switch (buffer[at]) {
        case quote: {
          this.#isInString = true;
          // Of the strings of a response, nearly all have no escapes and have come whole.
          at = endOfPlainText(buffer, at + 1, end);
          if (buffer[at] === quote && at < end) this.#isInString = false;
          else at = this.#scanString(at, end) - 1;
          break;
        }
        case comma:
          values += 1;
          commas[depth] = at;
          if (depth === this.#open.length - 1) this.#passComma(at, depth);
          break;
        case openingBracket:
        case openingBrace:
          values += 1;
          depth += 1;
          if (depth > maximumDepth) throw new ExcessiveStructure("Nested too deeply");
          openings[depth] = at;
          commas[depth] = -1;
          break;
        case closingBracket:
        case closingBrace:
          if (depth === this.#open.length - 1) this.#close(at);
          depth -= 1;
          break;
        default:
      }
    }
    this.#depth = depth;
    this.#values = values;
  }

  /** Returns the offset behind the string that `at` stands in, or `end`. */
  #scanString(start: number, end: number): number {
    let at = start;
    while (at < end) {
      if (this.#isEscaped) this.#isEscaped = false;
      else {
        at = endOfPlainText(this.#buffer, at, end);
        if (at === end) return end;
        if (this.#buffer[at] === backslash) this.#isEscaped = true;
        else {
          this.#isInString = false;
          return at + 1;
        }
      }
      at += 1;
    }
    return end;
  }

  /** A comma between members of the innermost open container, where the member before it has been added already. */
  #passComma(at: number, depth: number): void {
    const container = this.#innermost;
    if (this.#open.length === 1) throw new SyntaxError("A comma after the value");
    if (!container.hasMember) return;
    this.#skipSpace(at);
    this.#start = at + 1;
    this.#commas[depth] = -1;
    container.hasMember = false;
    container.needsMember = true;
  }

  /** The innermost open container ends. */
  #close(at: number): void {
    const container = this.#innermost;
    const closing = Array.isArray(container.target) ? closingBracket : closingBrace;
    if (this.#open.length === 1 || this.#buffer[at] !== closing) throw new SyntaxError("Unexpected end of a container");
    if (container.hasMember) this.#skipSpace(at);
    else this.#addMembers(container, at, !container.needsMember);
    this.#start = at + 1;
    this.#open.pop();
    const parent = this.#innermost;
    if (Array.isArray(parent.target)) parent.target.push(container.target);
    else define(parent.target, container.key ?? "", container.target);
    parent.hasMember = true;
  }

  /** Parses the complete members before the last comma, or begins to parse the member behind it in slices. False where it cannot be cut. */
  #cut(): boolean {
    const depth = this.#open.length - 1;
    const container = this.#innermost;
    const lastComma = this.#commas[depth] ?? -1;
    if (lastComma >= this.#start) {
      this.#addMembers(container, lastComma);
      this.#start = lastComma + 1;
      this.#commas[depth] = -1;
      container.needsMember = true;
      return true;
    }
    if (this.#depth <= depth) return false;
    const opening = this.#openings[depth + 1] ?? 0;
    this.#open.push({
      target: this.#buffer[opening] === openingBracket ? [] : {},
      key: this.#readKey(container, opening),
      needsMember: false,
      hasMember: false,
      members: 0,
    });
    this.#start = opening + 1;
    return true;
  }

  /** Adds the members between `start` and `end`. Throws when there are none, unless there may be none. */
  #addMembers(container: OpenContainer, end: number, mayBeEmpty = false): void {
    const { target } = container;
    const text = this.#buffer.toString("utf8", this.#start, end);
    if (Array.isArray(target)) {
      const members = this.#parse(`[${text}]`) as readonly unknown[];
      if (members.length === 0 && !mayBeEmpty) throw new SyntaxError("A missing element");
      for (const member of members) target.push(member);
    } else {
      const members = this.#parse(`{${text}}`) as Readonly<Record<string, unknown>>;
      const before = container.members;
      for (const key in members) {
        define(target, key, members[key]);
        container.members += 1;
      }
      if (container.members === before && !mayBeEmpty) throw new SyntaxError("A missing member");
      if (container.members > maximumMembers)
        throw new ExcessiveStructure("Too many members of an object", this.#limits.isPassedByCorrectNodes);
    }
  }

  /** Returns the name before the container that opens at `opening`; undefined in an array. */
  #readKey({ target, hasMember }: OpenContainer, opening: number): string | undefined {
    if (hasMember) throw new SyntaxError("A missing comma");
    if (Array.isArray(target)) {
      this.#skipSpace(opening);
      return undefined;
    }
    const before = this.#buffer.toString("utf8", this.#start, opening);
    const [key] = Object.keys(this.#parse(`{${before}[]}`) as object);
    return key;
  }

  /** Throws when anything but white space stands between `start` and `end`. */
  #skipSpace(end: number): void {
    for (let at = this.#start; at < end; at += 1) {
      const byte = this.#buffer[at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09)
        throw new SyntaxError("Unexpected text between members");
    }
    this.#start = end;
  }

  get #innermost(): OpenContainer {
    const container = this.#open[this.#open.length - 1];
    if (container === undefined) throw new Error("The outermost container is never closed");
    return container;
  }
}

/** As `JSON.parse` does it: also `__proto__` becomes a member. */
function define(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__")
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  else target[key] = value;
}
