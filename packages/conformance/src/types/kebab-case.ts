/** Of a name. */
const maximumLength = 80;

/** Text as part of a name: `previousblockhash`, `block-hash`, `x-1`; `value` when it has no letters or digits. */
export function kebabCase(text: string): string {
  const words = text
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replaceAll(/[^A-Za-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .toLowerCase();
  return words === "" ? "value" : words.slice(0, maximumLength).replace(/-$/, "");
}

/** Gives each name once: a second `a` is `a-2`. */
export class UniqueNames {
  readonly #given = new Set<string>();
  readonly #counts = new Map<string, number>();

  take(wanted: string): string {
    const base = kebabCase(wanted);
    let count = (this.#counts.get(base) ?? 0) + 1;
    while (this.#given.has(numbered(base, count))) count += 1;
    this.#counts.set(base, count);
    const name = numbered(base, count);
    this.#given.add(name);
    return name;
  }
}

function numbered(name: string, count: number): string {
  return count === 1 ? name : `${name}-${count}`;
}
