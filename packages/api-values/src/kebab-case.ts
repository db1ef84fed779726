/** Maximum length of a name in characters. */
const maximumLength = 80;

/** Returns a text as part of a name: `previousblockhash`, `block-hash`, `x-1`; `value` when it has no letters or digits. */
export function kebabCase(text: string): string {
  const words = text
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replaceAll(/[^A-Za-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .toLowerCase();
  return words === "" ? "value" : words.slice(0, maximumLength).replace(/-$/, "");
}

/** Makes names unique: a second `a` becomes `a-2`. */
export class UniqueNames {
  readonly #given = new Set<string>();

  take(wanted: string): string {
    const base = kebabCase(wanted);
    let name = base;
    for (let count = 2; this.#given.has(name); count += 1) name = `${base}-${count}`;
    this.#given.add(name);
    return name;
  }
}
