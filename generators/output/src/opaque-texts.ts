import { randomBytes } from "node:crypto";

/**
 * Finished texts that ts-morph does not have to see: each is an identifier while a file is laid out, and is put back afterwards.
 *
 * ts-morph reads everything it is handed, character by character and again as TypeScript; of a generated file that is mostly
 * bodies and values whose layout is already decided.
 */
export class OpaqueTexts {
  readonly #texts: string[] = [];
  /** Not to be guessed by whoever writes the documents, so that no text of theirs is taken for one of these. */
  readonly #prefix = `opaque_${randomBytes(8).toString("hex")}_`;

  /** An identifier that stands for `text`; lines after the first get `indentation`. */
  put(text: string, indentation = ""): string {
    this.#texts.push(indentation === "" ? text : text.replaceAll(/\n(?=[^\n])/g, `\n${indentation}`));
    return `${this.#prefix}${this.#texts.length - 1}_`;
  }

  /** Puts the texts back where their identifiers stand; no space is left in front of one that begins with a new line. */
  restore(text: string): string {
    return text.replaceAll(new RegExp(`( ?)${this.#prefix}([0-9]+)_`, "g"), (_, space: string, index: string) => {
      const put = this.#texts[Number(index)] ?? "";
      return put.startsWith("\n") ? put : space + put;
    });
  }
}
