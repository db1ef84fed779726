import { firstPlainLength, type ScriptForm, scriptForms } from "../store/script-codec.ts";

interface NumberedForm extends ScriptForm {
  readonly number: number;
}

/** Encoder of scripts as rows store them, from one address of a memory to another: the same bytes as `writeScript` writes. */
export class ScriptSpeller {
  readonly #bytes: Uint8Array;
  /** Forms by the length of their scripts. */
  readonly #forms: readonly (readonly NumberedForm[])[];

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    const numbered = scriptForms.map((form, number) => ({ ...form, number }));
    const longest = Math.max(...numbered.map(lengthOf));
    this.#forms = Array.from({ length: longest + 1 }, (_, length) => {
      return numbered.filter((form) => lengthOf(form) === length);
    });
  }

  /** Encodes the script of `length` bytes at `address` to `target`, and returns the address after it. */
  spell(address: number, length: number, target: number): number {
    const bytes = this.#bytes;
    const forms = this.#forms[length];
    if (forms !== undefined) {
      for (const form of forms) {
        const hole = address + form.head.length;
        if (!this.#matchesAt(address, form.head) || !this.#matchesAt(hole + form.hole, form.tail)) continue;
        bytes[target] = form.number;
        for (let index = 0; index < form.hole; index += 1) bytes[target + 1 + index] = bytes[hole + index] ?? 0;
        return target + 1 + form.hole;
      }
    }
    let end = target;
    let rest = length + firstPlainLength;
    while (rest > 0x7f) {
      bytes[end] = (rest & 0x7f) | 0x80;
      end += 1;
      rest >>>= 7;
    }
    bytes[end] = rest;
    end += 1;
    bytes.copyWithin(end, address, address + length);
    return end + length;
  }

  #matchesAt(address: number, part: readonly number[]): boolean {
    for (let index = 0; index < part.length; index += 1) if (this.#bytes[address + index] !== part[index]) return false;
    return true;
  }
}

function lengthOf({ head, hole, tail }: ScriptForm): number {
  return head.length + hole + tail.length;
}
