/** Text as part of a name: `previousblockhash`, `block-hash`, `x-1`; `value` when it has no letters or digits. */
export function kebabCase(text: string): string {
  const words = text
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replaceAll(/[^A-Za-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .toLowerCase();
  return words === "" ? "value" : words.slice(0, 60);
}

/** Gives each name once: a second `a` is `a-2`. */
export class UniqueNames {
  readonly #counts = new Map<string, number>();

  take(wanted: string): string {
    const name = kebabCase(wanted);
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    return count === 1 ? name : this.take(`${name}-${count}`);
  }
}
