import { type DecodeOptions, readJsonText } from "./json-text.ts";
import { LineSplitter } from "./line-splitter.ts";
import { WireError } from "./wire-error.ts";
import { defaultWireLimits, type WireLimits } from "./wire-limits.ts";

/** Form of values: each on a line of its own, or each between a record separator and a line feed (RFC 7464). */
export type JsonLinesForm = "lines" | "sequence";

const recordSeparator = "\u001e";

const ends: Readonly<Record<JsonLinesForm, RegExp>> = { lines: /\n/g, sequence: new RegExp(recordSeparator, "g") };

export function jsonLinesForm(mediaType: string): JsonLinesForm {
  return /^[^;]*[/+]json-seq\s*(?:;|$)/i.test(mediaType) ? "sequence" : "lines";
}

/** Serializes a value. */
export function writeJsonLine(value: unknown, form: JsonLinesForm): string {
  const text = JSON.stringify(value);
  if (text === undefined) throw new RangeError("undefined has no JSON representation");
  return `${form === "sequence" ? recordSeparator : ""}${text}\n`;
}

/** Parser of values from text in pieces. Empty lines are ignored. */
export class JsonLinesParser {
  readonly #lines: LineSplitter;
  readonly #form: JsonLinesForm;
  readonly #limits: WireLimits;
  readonly #keepsLongIntegers: boolean;

  constructor(form: JsonLinesForm, { limits = defaultWireLimits, keepsLongIntegers = false }: DecodeOptions = {}) {
    this.#lines = new LineSplitter(ends[form], limits.maximumItemLength);
    this.#form = form;
    this.#limits = limits;
    this.#keepsLongIntegers = keepsLongIntegers;
  }

  /** Returns the values that end in `text`. Throws `WireError` for a line that is not JSON. */
  push(text: string): readonly unknown[] {
    return this.#lines.push(text).flatMap((line) => this.#read(line));
  }

  /** Returns the value that ends with the text, in a list; throws `WireError` for an incomplete one. */
  end(): readonly unknown[] {
    return this.#read(this.#lines.rest());
  }

  #read(text: string): readonly unknown[] {
    if (text.trim() === "") return [];
    // RFC 7464, section 2.4: a number or word without white space after it may be incomplete.
    if (this.#form === "sequence" && /[^\s\]}"]$/.test(text)) {
      throw new WireError("malformed", "A value of the sequence is cut");
    }
    return [readJsonText(text, this.#limits, this.#keepsLongIntegers)];
  }
}
