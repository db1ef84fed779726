import { isAscii } from "node:buffer";
import { endOfPlainText } from "./plain-text.ts";
import type { ResponseLease } from "./response-budget.ts";

export interface JsonLimits {
  /** Maximum number of values: members of objects and elements of arrays. */
  readonly values: number;
  /** Maximum nesting of objects and arrays. */
  readonly depth: number;
  /**
   * Whether the responses of correct nodes may be longer, or have more values, because the result grows with what the call selects.
   * Otherwise such a response shows that the node is faulty.
   */
  readonly isPassedByCorrectNodes: boolean;
  /** Whether clients also choose how deep the result is nested and how short its values are, so that neither is evidence of a fault. */
  readonly isShapedByClients?: boolean | undefined;
}

/** Number of consecutive values that may be shorter than any result is made of: members of an envelope, indexes, flags. */
const denseValues = 16_384;

/** Average bytes of a value of a result, with its name and punctuation: the least are the 14 of addresses of other nodes. */
const minimumBytesPerValue = 12;

/** Error for a response with more values or deeper nesting than is allowed. */
export class ExcessiveStructure extends Error {
  /** Whether a correct node may send such a response, for what the client has sent or selected. */
  readonly isPassedByCorrectNodes: boolean;

  constructor(message: string, isPassedByCorrectNodes = false) {
    super(message);
    this.isPassedByCorrectNodes = isPassedByCorrectNodes;
  }
}

/** Approximate bytes that are parsed at once: a millisecond's work, and a few of the values that take longest. */
const defaultSliceBytes = 16_384;

/**
 * Length in bytes from which a string is decoded by itself where it does not arrive at once: in one copy when it ends where it is ASCII
 * without escapes, as bytes in hex and Base64 are, and else in pieces while it arrives, as the reasons are that code gives for a revert. A
 * name is never as long.
 */
const longStringBytes = 131_072;

/** Memory of parsed text for each of its bytes: strings, and as much garbage, by which the heap grows before it is collected. */
const parsedBytesPerByte = 2;

/** Memory of the buffer for each of its bytes, with the string that they may be decoded to while they are still there. */
const bufferBytesPerByte = 2;

/** Maximum bytes of a string, escaped. The longest of a node is a block in hex: 10 MiB (EIP-7934) in 21 million digits. */
const maximumScalarBytes = 24 * 1024 * 1024;

/**
 * Maximum bytes outside of strings without a bracket, brace, comma or quote between them. Only numbers and white space are that long, and
 * none that a node sends: a number of 256 bits has 78 digits, and indentation is as deep as the nesting.
 */
const maximumGapBytes = 65_536;

const uncutSlices = 4;
const initialBytes = 32_768;

/** Bytes by which a larger buffer grows at a time instead of doubling, so that little of it is unused. */
const growthBytes = 1_048_576;

/** Length in bytes above which a chunk is processed in parts. */
const maximumPartBytes = 1_048_576;

const quote = 0x22;
const comma = 0x2c;
const openingBracket = 0x5b;
const backslash = 0x5c;
const closingBracket = 0x5d;
const colon = 0x3a;
const openingBrace = 0x7b;
const closingBrace = 0x7d;

/** `\u` with four digits. */
const maximumEscapeBytes = 6;

/** Bytes of the longest character in UTF-8, whose characters beyond ASCII begin with such a byte (RFC 3629). */
const maximumCharacterBytes = 4;
const minimumLeadingByte = 0xc0;

/** Maximum members of one object that is parsed in several slices: a larger one is rehashed for too long at once. */
const maximumMembers = 100_000;

/** An object or array whose members are parsed in several slices. */
interface OpenContainer {
  readonly target: unknown[] | Record<string, unknown>;
  /** Name of this container in its parent object. */
  readonly key: string | undefined;
  /** Whether a comma stands before the next member, so that one is required. */
  needsMember: boolean;
  /** Whether the last member has been added and no comma has followed. */
  hasMember: boolean;
  /** Number of members of an object that have been added. */
  members: number;
}

/** A string of an array or object that did not arrive at once. */
interface LongString {
  readonly key: string | undefined;
  /** Decoded part: a rope, which is flattened when it is used. */
  text: string;
  /** Number of bytes that `text` was decoded from. */
  bytes: number;
  /** Whether all of it is ASCII without escapes so far: it stays in the buffer until it ends. */
  isPlain: boolean;
  /** Whether a piece, and so the complete string, may take two bytes for each character. */
  isWide: boolean;
}

/**
 * Incremental parser of one JSON value (RFC 8259). No call of `push` takes longer than its chunk and one slice before it.
 *
 * `JSON.parse` reads every slice, so results and errors are those of `JSON.parse` for the complete text, except for the lengths of strings
 * and names. Only the text around the slices is followed here: strings, nesting, and the commas between members.
 */
export class SlicedJsonReader {
  readonly #parse: (text: string) => unknown;
  readonly #limits: JsonLimits;
  readonly #lease: Pick<ResponseLease, "grow">;
  readonly #sliceBytes: number;
  /** Length in bytes above which a string is read in pieces. */
  readonly #longBytes: number;
  /** Array around the value, then the containers that hold the bytes from `start` on. */
  readonly #open: OpenContainer[] = [{ target: [], key: undefined, needsMember: false, hasMember: false, members: 0 }];
  /** Buffer that grows in place and is freed by `close`: memory that waits for a garbage collection would not be counted by any lease. */
  readonly #memory: ArrayBuffer = new ArrayBuffer(initialBytes, {
    maxByteLength: maximumScalarBytes + maximumPartBytes,
  });
  #buffer: Buffer = Buffer.from(this.#memory);
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
  /** Bytes outside of strings since the last bracket, brace, comma or quote. */
  #gap = 0;
  #isInString = false;
  /** Offset of the opening quote of the string that is not complete; valid while in a string. */
  #stringStart = 0;
  /** Bytes of the last complete string, which is a name when a colon follows. */
  #lastStringBytes = 0;
  /** Long string whose bytes continue at `start`. */
  #longString: LongString | undefined;
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
    this.#longBytes = Math.max(longStringBytes, sliceBytes);
    this.#lease.grow(bufferBytesPerByte * initialBytes, 0);
    this.#openings = new Int32Array(limits.depth + 1);
    this.#commas = new Int32Array(limits.depth + 1).fill(-1);
  }

  /** Reads a chunk. Throws a `SyntaxError`, an `ExcessiveStructure`, or what the lease throws. */
  push(chunk: Buffer): void {
    for (let start = 0; start < chunk.length; start += maximumPartBytes)
      this.#pushPart(chunk.subarray(start, start + maximumPartBytes));
  }

  #pushPart(chunk: Buffer): void {
    this.#append(chunk);
    const values = this.#values;
    this.#scan(chunk);
    this.#received += chunk.length;
    if (this.#values > this.#limits.values)
      throw new ExcessiveStructure("Too many values", this.#limits.isPassedByCorrectNodes);
    this.#lease.grow(0, this.#values - values);
    // A body of a few slices is parsed at once: cutting costs more than it saves.
    if (this.#received <= uncutSlices * this.#sliceBytes) return;
    while (this.#length - this.#start >= this.#sliceBytes && this.#cut());
    this.#readLongString(chunk);
    const used = this.#length - this.#start;
    if (this.#buffer.length > growthBytes && used < this.#buffer.length / 4) {
      this.#moveToFront();
      this.#resize(growthBytes);
    }
  }

  /** Returns the value. Throws a `SyntaxError` when it is not complete. */
  end(): unknown {
    const [root] = this.#open;
    if (root === undefined || this.#open.length > 1) throw new SyntaxError("Unexpected end of JSON");
    if (!root.hasMember) return this.#parse(this.#buffer.toString("utf8", this.#start, this.#length));
    this.#skipSpace(this.#length);
    return (root.target as readonly unknown[])[0];
  }

  /** Frees the memory at once. Nothing may be called afterwards. */
  close(): void {
    this.#lease.grow(-bufferBytesPerByte * this.#buffer.length, 0);
    this.#memory.transferToFixedLength(0);
  }

  #append(chunk: Buffer): void {
    const room = this.#buffer.length - this.#length;
    if (room < chunk.length) this.#makeSpace(chunk.length);
    chunk.copy(this.#buffer, this.#length);
    this.#length += chunk.length;
  }

  #makeSpace(bytes: number): void {
    this.#moveToFront();
    const { length: capacity } = this.#buffer;
    const needed = this.#length + bytes;
    // The bytes are moved rarely when half of the buffer is free each time.
    if (needed > capacity / 2) this.#resize(Math.max(needed, capacity + Math.min(capacity, growthBytes)));
  }

  /** Moves the unparsed bytes to the beginning of the buffer. */
  #moveToFront(): void {
    if (this.#start === 0) return;
    this.#buffer.copyWithin(0, this.#start, this.#length);
    for (let depth = this.#open.length - 1; depth <= this.#depth; depth += 1) {
      this.#openings[depth] = (this.#openings[depth] ?? 0) - this.#start;
      this.#commas[depth] = Math.max(-1, (this.#commas[depth] ?? -1) - this.#start);
    }
    this.#stringStart -= this.#start;
    this.#length -= this.#start;
    this.#start = 0;
  }

  #resize(bytes: number): void {
    const capacity = Math.min(bytes, this.#memory.maxByteLength);
    this.#lease.grow(bufferBytesPerByte * (capacity - this.#buffer.length), 0);
    this.#memory.resize(capacity);
    this.#buffer = Buffer.from(this.#memory);
  }

  /** Scans a chunk. It works on copies of the fields: nearly all time of a response that is read at once is spent here. */
  #scan(chunk: Buffer): void {
    const end = chunk.length;
    /** Offset of the chunk in the buffer. */
    const offset = this.#length - end;
    const openings = this.#openings;
    const commas = this.#commas;
    const maximumDepth = this.#limits.depth;
    let depth = this.#depth;
    let values = this.#values;
    let stringBytes = this.#lastStringBytes;
    let at = this.#isInString ? this.#scanString(chunk, 0) : 0;
    if (at > 0 && !this.#isInString) stringBytes = offset + at - this.#stringStart - 2;
    if (this.#longString !== undefined && !this.#isInString) this.#endLongString(this.#longString, chunk, at - 1);
    /** Offset in the chunk after the last punctuation. */
    let gapStart = at === 0 ? -this.#gap : at;
    /**
     * Number of values that may stand before the chunk. It is counted with each value, so that nothing depends on how the bytes are split.
     */
    const allowedValues = denseValues + this.#received / minimumBytesPerValue;
    for (; at < end; at += 1) {
      const start = at;
      switch (chunk[at]) {
        case quote:
          this.#isInString = true;
          // Nearly all strings of a response have no escapes and have arrived completely.
          at = endOfPlainText(chunk, at + 1, end);
          if (chunk[at] === quote && at < end) this.#isInString = false;
          else {
            this.#stringStart = offset + start;
            at = this.#scanString(chunk, at) - 1;
          }
          stringBytes = at - start - 1;
          break;
        case colon:
          if (stringBytes > this.#longBytes) this.#refuseName();
          continue;
        case comma:
          values += 1;
          commas[depth] = offset + at;
          if (depth === this.#open.length - 1) this.#passComma(offset + at, depth);
          break;
        case openingBracket:
        case openingBrace:
          values += 1;
          depth += 1;
          if (depth > maximumDepth) throw this.#tooDeep();
          openings[depth] = offset + at;
          commas[depth] = -1;
          break;
        case closingBracket:
        case closingBrace:
          if (depth === this.#open.length - 1) this.#closeContainer(offset + at);
          depth -= 1;
          break;
        default:
          continue;
      }
      if (start - gapStart > maximumGapBytes) this.#refuseGap(offset + gapStart);
      if (values > allowedValues + at / minimumBytesPerValue) this.#refuseDensity();
      gapStart = at + 1;
    }
    this.#depth = depth;
    this.#values = values;
    this.#lastStringBytes = stringBytes;
    this.#gap = end - gapStart;
    if (this.#gap > maximumGapBytes) this.#refuseGap(offset + gapStart);
  }

  /** Throws the error for the bytes from `start` on, after punctuation: text that is not JSON, or a number or white space without end. */
  #refuseGap(start: number): void {
    const end = start + maximumGapBytes;
    const last = this.#buffer.toString("latin1", end - 64, end);
    if (/[^\s\d.eE+-]/.test(last)) throw new SyntaxError("Neither a number nor white space");
    throw new ExcessiveStructure("Too long a number or white space");
  }

  #refuseDensity(): never {
    throw new ExcessiveStructure("Too many values for the length", this.#limits.isShapedByClients);
  }

  #refuseName(): never {
    throw new ExcessiveStructure("Too long a name", this.#limits.isShapedByClients);
  }

  #tooDeep(): ExcessiveStructure {
    return new ExcessiveStructure("Nested too deeply", this.#limits.isShapedByClients);
  }

  /** Begins or continues to read a long string, when the chunk has ended in one. */
  #readLongString(chunk: Buffer): void {
    if (!this.#isInString) return;
    let added = chunk;
    if (this.#longString === undefined) {
      if (this.#length - this.#stringStart - 1 <= this.#longBytes) return;
      // All members before it have been parsed by now, and its parent containers are open.
      const before = this.#buffer.toString("utf8", this.#start, this.#stringStart);
      if (!Array.isArray(this.#innermost.target) && before.trim() === "") this.#refuseName();
      const key = this.#readKey(this.#innermost, this.#stringStart);
      this.#longString = { key, text: "", bytes: 0, isPlain: true, isWide: false };
      this.#start = this.#stringStart + 1;
      added = this.#buffer.subarray(this.#start, this.#length);
    }
    this.#decodeLongString(this.#longString, added, this.#length, false);
  }

  /** Ends the long string before the quote at `end` of the chunk. */
  #endLongString(long: LongString, chunk: Buffer, end: number): void {
    const closing = this.#length - chunk.length + end;
    this.#decodeLongString(long, chunk.subarray(0, end), closing, true);
    this.#addMember(long.text, long.key);
    this.#longString = undefined;
    this.#start = closing + 1;
  }

  /** Reads the long string up to `end` of the buffer, whose last bytes were added. */
  #decodeLongString(long: LongString, added: Buffer, end: number, isComplete: boolean): void {
    if (long.bytes + end - this.#start > maximumScalarBytes)
      throw new ExcessiveStructure("Too long a string or number", this.#limits.isPassedByCorrectNodes);
    if (long.isPlain && !isPlain(added)) {
      this.#addPiece(long, end - added.length);
      long.isPlain = false;
    }
    if (isComplete) this.#addPiece(long, end);
    else if (!long.isPlain && end - this.#start >= this.#sliceBytes)
      this.#addPiece(long, end - unfinishedBytes(this.#buffer.subarray(this.#start, end)));
  }

  /** Decodes the bytes of the long string from `start` to `end`. */
  #addPiece(long: LongString, end: number): void {
    const bytes = this.#buffer.subarray(this.#start, end);
    let counted = bytes.length;
    if (!long.isWide && !long.isPlain && mayTakeTwoBytes(bytes)) {
      long.isWide = true;
      // The part decoded before takes two bytes for each character as well when the rope is flattened.
      counted += long.bytes / 2;
    }
    this.#lease.grow(parsedBytesPerByte * counted * (long.isWide ? 2 : 1), 0);
    long.text += long.isPlain ? bytes.toString("latin1") : (this.#parse(`"${bytes.toString("utf8")}"`) as string);
    long.bytes += bytes.length;
    this.#start = end;
  }

  /** Returns the offset in the chunk after the string that contains `start`, or the chunk's length. */
  #scanString(chunk: Buffer, start: number): number {
    const end = chunk.length;
    let at = start;
    while (at < end) {
      if (this.#isEscaped) this.#isEscaped = false;
      else {
        at = endOfPlainText(chunk, at, end);
        if (at === end) return end;
        if (chunk[at] === backslash) this.#isEscaped = true;
        else {
          this.#isInString = false;
          return at + 1;
        }
      }
      at += 1;
    }
    return end;
  }

  /** Reads a comma between members of the innermost open container, where the member before it has been added already. */
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

  /** Closes the innermost open container. */
  #closeContainer(at: number): void {
    const container = this.#innermost;
    const closing = Array.isArray(container.target) ? closingBracket : closingBrace;
    if (this.#open.length === 1 || this.#buffer[at] !== closing) throw new SyntaxError("Unexpected end of a container");
    if (container.hasMember) this.#skipSpace(at);
    else this.#addMembers(container, at, !container.needsMember);
    this.#start = at + 1;
    this.#open.pop();
    this.#addMember(container.target, container.key);
  }

  /** Adds a member that was not parsed with others to the innermost container. */
  #addMember(value: unknown, key: string | undefined): void {
    const container = this.#innermost;
    if (Array.isArray(container.target)) container.target.push(value);
    else define(container.target, key ?? "", value);
    container.hasMember = true;
  }

  /**
   * Parses the complete members before the last comma, or begins to parse the member after it in slices. Returns false where it cannot be
   * cut.
   */
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

  /** Adds the members between `start` and `end`. Throws when there are none, unless `mayBeEmpty`. */
  #addMembers(container: OpenContainer, end: number, mayBeEmpty = false): void {
    const { target } = container;
    const bytes = this.#buffer.subarray(this.#start, end);
    this.#lease.grow(parsedBytesPerByte * bytes.length * (mayTakeTwoBytes(bytes) ? 2 : 1), 0);
    const text = bytes.toString("utf8");
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

  /** Returns the name before the value that begins at `opening`; undefined in an array. */
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

  /** Throws when anything except white space stands between `start` and `end`. */
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

/** Returns whether the bytes of a string are ASCII without escapes and control characters (RFC 8259, section 7). */
function isPlain(bytes: Buffer): boolean {
  return !/[^\x20-\x5b\x5d-\x7f]/.test(bytes.toString("latin1"));
}

/** Returns how many of the last bytes of a string belong to an escape or a character that may continue after them. */
function unfinishedBytes(bytes: Buffer): number {
  const { length } = bytes;
  const lastBackslash = bytes.lastIndexOf(backslash);
  if (lastBackslash >= Math.max(0, length - maximumEscapeBytes + 1)) {
    let first = lastBackslash;
    while (bytes[first - 1] === backslash) first -= 1;
    // In a run of backslashes each second one is escaped.
    if ((lastBackslash - first) % 2 === 0) return length - lastBackslash;
  }
  for (let count = 1; count < maximumCharacterBytes; count += 1) {
    if ((bytes[length - count] ?? 0) >= minimumLeadingByte) return count;
  }
  return 0;
}

/** Returns whether strings may have characters that take two bytes each, which then holds for their other characters, too. */
function mayTakeTwoBytes(bytes: Buffer): boolean {
  return !isAscii(bytes) || bytes.includes("\\u");
}

/** Defines a member as `JSON.parse` does: `__proto__` also becomes a member. */
function define(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__")
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  else target[key] = value;
}
