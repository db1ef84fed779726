const quote = 0x22;
const comma = 0x2c;
const openingBracket = 0x5b;
const backslash = 0x5c;
const closingBracket = 0x5d;
const openingBrace = 0x7b;
const closingBrace = 0x7d;
const space = 0x20;
const letterT = 0x74;
const letterF = 0x66;
const letterN = 0x6e;

/**
 * Reads text that `JSON.parse` has accepted, with numbers created by `readNumber` from their text; all other values are those of
 * `JSON.parse`.
 *
 * A reviver of `JSON.parse` receives the text of numbers too, and takes many times as long for each value, number or not: a client could
 * make a body of a megabyte cost half a second.
 */
export function readValidJson(text: string, readNumber: (source: string) => unknown): unknown {
  return new ValidJsonReader(text, readNumber).readValue();
}

class ValidJsonReader {
  readonly #text: string;
  readonly #readNumber: (source: string) => unknown;
  #at = 0;

  constructor(text: string, readNumber: (source: string) => unknown) {
    this.#text = text;
    this.#readNumber = readNumber;
  }

  readValue(): unknown {
    switch (this.#next()) {
      case quote:
        return this.#readString();
      case openingBrace:
        return this.#readObject();
      case openingBracket:
        return this.#readArray();
      case letterT:
        return this.#readWord(true, 4);
      case letterF:
        return this.#readWord(false, 5);
      case letterN:
        return this.#readWord(null, 4);
      default:
        return this.#readNumeral();
    }
  }

  /** Returns the next character that is not white space, without consuming it. */
  #next(): number {
    let code = this.#text.charCodeAt(this.#at);
    while (code <= space) {
      this.#at += 1;
      code = this.#text.charCodeAt(this.#at);
    }
    return code;
  }

  #readObject(): unknown {
    const object: Record<string, unknown> = {};
    this.#at += 1;
    while (this.#next() !== closingBrace) {
      if (this.#next() === comma) this.#at += 1;
      this.#next();
      const name = this.#readString();
      this.#next();
      this.#at += 1;
      setMember(object, name, this.readValue());
    }
    this.#at += 1;
    return object;
  }

  #readArray(): unknown {
    const list: unknown[] = [];
    this.#at += 1;
    while (this.#next() !== closingBracket) {
      if (this.#next() === comma) this.#at += 1;
      list.push(this.readValue());
    }
    this.#at += 1;
    return list;
  }

  #readString(): string {
    const text = this.#text;
    const start = this.#at;
    let end = start + 1;
    let isEscaped = false;
    for (let code = text.charCodeAt(end); code !== quote; code = text.charCodeAt(end)) {
      if (code === backslash) isEscaped = true;
      end += code === backslash ? 2 : 1;
    }
    this.#at = end + 1;
    return isEscaped ? JSON.parse(text.slice(start, end + 1)) : text.slice(start + 1, end);
  }

  #readWord(value: boolean | null, length: number): boolean | null {
    this.#at += length;
    return value;
  }

  #readNumeral(): unknown {
    const text = this.#text;
    const start = this.#at;
    let end = start + 1;
    while (end < text.length && !isNumeralEnd(text.charCodeAt(end))) end += 1;
    this.#at = end;
    return this.#readNumber(text.slice(start, end));
  }
}

function isNumeralEnd(code: number): boolean {
  return code <= space || code === comma || code === closingBracket || code === closingBrace;
}

/** Sets a member as `JSON.parse` does, for which `__proto__` is a name like others. */
function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") object[name] = value;
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}
