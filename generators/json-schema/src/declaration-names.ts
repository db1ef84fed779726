import { createNameAllocator, declarationName, type NameAllocator, pascalCase } from "@nodewright/model";
import { type SourceValue, pointerTokens } from "@nodewright/source";
import { isKnownKeyword } from "./keywords.ts";
import { placeKey } from "./schema-resources.ts";

export interface DeclarationNamesOptions {
  readonly reserved: Iterable<string>;
  /** Name of a schema as the document spells it → name of its TypeScript declaration. */
  readonly chosen: Readonly<Record<string, string>>;
}

interface Component {
  readonly name: string;
  readonly schema: SourceValue;
}

/**
 * Assigns names to declarations. The schemas of the components are named first, independent of their order in the document: those with a
 * configured name, then those whose name needs no change, then the others in alphabetical order. So a name changes only when it clashes
 * with another.
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

  /** Registers a schema of the components. It gets its name when the first name is requested. */
  add(name: string, schema: SourceValue): void {
    if (this.#isSettled) this.#nameByPlace.set(placeKey(schema), this.allocator.allocate(this.#wanted(name)));
    else this.#components.push({ name, schema });
  }

  /** Returns the name of the declaration of a schema; always the same one. */
  of(schema: SourceValue): string {
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

/**
 * Returns the name of a schema in its document: `Block` for `#/components/schemas/Block`; the last tokens of the pointer where the schema
 * has no name of its own.
 */
export function originalNameOf(schema: SourceValue): string {
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
