/** Goes through a text of arguments. */
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

  /** True, and behind it, if the next character is this one. */
  take(character: string): boolean {
    const isThere = this.#text[this.#position] === character;
    if (isThere) this.#position += 1;
    return isThere;
  }

  /** All up to a comma or a closing bracket that belongs to no opening one. */
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
