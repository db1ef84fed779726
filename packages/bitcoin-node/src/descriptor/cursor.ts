/** Cursor over the source text of arguments. */
export class Cursor {
  readonly #text: string;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#position === this.#text.length;
  }

  get rest(): string {
    return this.#text.slice(this.#position);
  }

  /** Returns whether the next character is this one, and if so moves past it. */
  take(character: string): boolean {
    const isThere = this.#text[this.#position] === character;
    if (isThere) this.#position += 1;
    return isThere;
  }

  /** Reads up to a comma or an unmatched closing bracket. */
  takeExpression(): string {
    const start = this.#position;
    for (let level = 0; !this.isAtEnd; this.#position += 1) {
      const character = this.#text[this.#position];
      if (character === "(" || character === "{") level += 1;
      else if (level > 0 && (character === ")" || character === "}")) level -= 1;
      else if (level === 0 && (character === ")" || character === "}" || character === ",")) break;
    }
    return this.#text.slice(start, this.#position);
  }
}
