import { createNameAllocator, declarationName, type NameAllocator, pascalCase } from "@nodewright/model";
import { type Located, pointerTokens } from "@nodewright/source";
import { isKnownKeyword } from "./keywords.ts";
import { placeKey } from "./schema-resources.ts";

export interface DeclarationNamesOptions {
  readonly reserved: Iterable<string>;
  /** Name of a schema as the document spells it → name of its declaration. */
  readonly chosen: Readonly<Record<string, string>>;
}

interface Component {
  readonly name: string;
  readonly schema: Located;
}

/**
 * Names declarations. The schemas of the components come first, whatever the order they stand in: a name that somebody chose, then
 * those that need no change, then the others by the order of their spelling. So only a name that clashes with another can move it.
 */
export class DeclarationNames {
  readonly allocator: NameAllocator;
  readonly #chosen: ReadonlyMap<string, string>;
  readonly #components: Component[] = [];
  readonly #nameByPlace = new Map<string, string>();
  #isSettled = false;

  constructor({ reserved, chosen }: DeclarationNamesOptions) {
    const allocator = createNameAllocator(reserved);
    this.#chosen = new Map(Object.entries(chosen));
    this.allocator = {
      allocate: (wanted) => {
        this.#settle();
        return allocator.allocate(wanted);
      },
    };
  }

  /** Makes a schema of the components known; it gets its name when the first name is asked for. */
  add(name: string, schema: Located): void {
    if (this.#isSettled) this.#nameByPlace.set(placeKey(schema), this.allocator.allocate(this.#wanted(name)));
    else this.#components.push({ name, schema });
  }

  /** The name of the declaration of a schema, always the same. */
  of(schema: Located): string {
    this.#settle();
    const key = placeKey(schema);
    const known = this.#nameByPlace.get(key);
    if (known !== undefined) return known;
    const name = this.allocator.allocate(this.#wanted(originalNameOf(schema)));
    this.#nameByPlace.set(key, name);
    return name;
  }

  #wanted(name: string): string {
    const chosen = this.#chosen.get(name);
    if (chosen === undefined) return declarationName(name);
    return /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(chosen) ? chosen : declarationName(chosen);
  }

  #settle(): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    const ranked = this.#components.map(({ name, schema }) => ({ name, schema, rank: this.#rank(name) }));
    ranked.sort((left, right) => left.rank - right.rank || (left.name < right.name ? -1 : 1));
    for (const { name, schema } of ranked) {
      const key = placeKey(schema);
      if (!this.#nameByPlace.has(key)) this.#nameByPlace.set(key, this.allocator.allocate(this.#wanted(name)));
    }
  }

  #rank(name: string): number {
    if (this.#chosen.has(name)) return 0;
    return pascalCase(name) === name ? 1 : 2;
  }
}

/** `#/components/schemas/Block` gives `Block`; a place without a name of its own is named by its last tokens. */
export function originalNameOf(schema: Located): string {
  const tokens = pointerTokens(schema.pointer) ?? [];
  const last = tokens.at(-1);
  if (last === undefined)
    return schema.document.file
      .replace(/[#?].*$/, "")
      .replace(/^.*[/:]/, "")
      .replace(/\.[^.]*$/, "");
  const isIndexOrKeyword = /^[0-9]+$/.test(last) || isKnownKeyword(last) || last === "schema";
  return isIndexOrKeyword ? tokens.slice(-3).join(" ") : last;
}
