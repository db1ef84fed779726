import { endOfPlainText } from "./plain-text.ts";
import { ExcessiveStructure } from "./sliced-json-reader.ts";

/** Callback for one string of a list: the bytes between its quotes, still escaped, valid until it returns. */
export type ListedString = (bytes: Uint8Array, start: number, end: number) => void;

/** Maximum length in bytes of a response without its list, and of a string in the list, which is an identifier. */
const maximumKeptBytes = 65_536;

/** Maximum nesting of objects and arrays. A response without its list is an error, whose data may nest. */
const maximumDepth = 128;

const quote = 0x22;
const backslash = 0x5c;
const openingBracket = 0x5b;
const closingBracket = 0x5d;
const openingBrace = 0x7b;
const closingBrace = 0x7d;

/**
 * Incremental reader of a response whose result is a list of strings. It emits each string and keeps only the rest of the response.
 *
 * Elements that are not strings are skipped. Malformed input inside the list may go unnoticed.
 */
export class ListScanner {
  readonly #take: ListedString;
  readonly #kept: Buffer[] = [];
  #keptBytes = 0;
  /** Depth of objects and arrays: members of the response have 1, elements of the list 2. */
  #depth = 0;
  #isInList = false;
  #isInString = false;
  #isEscaped = false;
  /** Beginning of a string from an earlier chunk. */
  #beginning: Buffer = nothing;

  constructor(take: ListedString) {
    this.#take = take;
  }

  /**
   * Reads a chunk. Throws a `RangeError` when there is too much around the list, or a string of it is too long; an `ExcessiveStructure` for
   * deep nesting.
   */
  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) at = this.#isInList ? this.#scanList(chunk, at) : this.#scanRest(chunk, at);
  }

  /** Returns the response with an empty list in it. */
  rest(): string {
    return Buffer.concat(this.#kept).toString("utf8");
  }

  /** Returns the position after the bracket that opens the list, or the chunk's end. */
  #scanRest(chunk: Buffer, start: number): number {
    for (let at = start; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (this.#isInString) this.#scanText(byte);
      else {
        this.#scanMark(byte);
        if (byte === openingBracket && this.#depth === 2) {
          this.#isInList = true;
          this.#keep(chunk, start, at + 1);
          return at + 1;
        }
      }
    }
    this.#keep(chunk, start, chunk.length);
    return chunk.length;
  }

  /** Returns the position of the bracket that closes the list, which is kept, plus one, or the chunk's end. */
  #scanList(chunk: Buffer, start: number): number {
    let stringStart = start;
    for (let at = start; at < chunk.length; at += 1) {
      if (this.#isInString) {
        if (!this.#isEscaped) at = endOfPlainText(chunk, at, chunk.length);
        if (at < chunk.length) this.#scanText(chunk[at] ?? 0);
        if (!this.#isInString && this.#depth === 2) this.#give(chunk, stringStart, at);
        continue;
      }
      this.#scanMark(chunk[at] ?? 0);
      if (this.#isInString) stringStart = at + 1;
      else if (this.#depth === 1) {
        this.#isInList = false;
        this.#keep(chunk, at, at + 1);
        return at + 1;
      }
    }
    if (this.#isInString && this.#depth === 2) {
      if (this.#beginning.length + chunk.length - stringStart > maximumKeptBytes) throw new RangeError("Too long");
      this.#beginning = Buffer.concat([this.#beginning, chunk.subarray(stringStart)]);
    }
    return chunk.length;
  }

  #scanText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) this.#isInString = false;
  }

  #scanMark(byte: number): void {
    if (byte === quote) this.#isInString = true;
    else if (byte === openingBracket || byte === openingBrace) {
      this.#depth += 1;
      if (this.#depth > maximumDepth) throw new ExcessiveStructure("Nested too deeply");
    } else if (byte === closingBracket || byte === closingBrace) this.#depth -= 1;
  }

  #give(chunk: Buffer, start: number, end: number): void {
    if (this.#beginning.length === 0) {
      this.#take(chunk, start, end);
      return;
    }
    const whole = Buffer.concat([this.#beginning, chunk.subarray(start, end)]);
    this.#beginning = nothing;
    this.#take(whole, 0, whole.length);
  }

  #keep(chunk: Buffer, start: number, end: number): void {
    this.#keptBytes += end - start;
    if (this.#keptBytes > maximumKeptBytes) throw new RangeError("Too long");
    this.#kept.push(Buffer.from(chunk.subarray(start, end)));
  }
}

const nothing = Buffer.alloc(0);
