import { WireError } from "./wire-error.ts";

/** Splitter of text in pieces, cut where `end` matches. It buffers an incomplete line, and scans no character twice. */
export class LineSplitter {
  readonly #end: RegExp;
  readonly #maximumLength: number;
  #pending: string[] = [];
  #pendingLength = 0;

  /** Creates the splitter. `end` is global; `maximumLength` of a line is in UTF-16 units. */
  constructor(end: RegExp, maximumLength: number) {
    this.#end = end;
    this.#maximumLength = maximumLength;
  }

  /** Returns the lines that end in `text`, without their ends. Throws `WireError` for one that is too long. */
  push(text: string): readonly string[] {
    const lines: string[] = [];
    let start = 0;
    for (const match of text.matchAll(this.#end)) {
      lines.push(this.#finish(text.slice(start, match.index)));
      start = match.index + match[0].length;
    }
    if (start < text.length) this.#keep(text.slice(start));
    return lines;
  }

  /** Returns the incomplete line. */
  rest(): string {
    return this.#finish("");
  }

  #keep(text: string): void {
    this.#pending.push(text);
    this.#pendingLength += text.length;
    if (this.#pendingLength > this.#maximumLength) {
      throw new WireError("too-large", `A line is longer than ${this.#maximumLength} characters`);
    }
  }

  #finish(text: string): string {
    this.#keep(text);
    const line = this.#pending.join("");
    this.#pending = [];
    this.#pendingLength = 0;
    return line;
  }
}
