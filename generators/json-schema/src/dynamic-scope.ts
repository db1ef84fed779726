import type { Located } from "@nodewright/source";
import { placeKey, type SchemaResource } from "./schema-resources.ts";

/**
 * What `$dynamicRef` finds under each name (JSON Schema 2020-12, section 8.2.3.2): of the resources on the way to a schema, the
 * first to have a dynamic anchor of that name decides.
 */
export class DynamicScope {
  static readonly empty: DynamicScope = new DynamicScope(new Map());

  readonly #targets: ReadonlyMap<string, Located>;
  /** The same for two scopes in which every reference finds the same. */
  readonly key: string;

  private constructor(targets: ReadonlyMap<string, Located>) {
    this.#targets = targets;
    this.key = [...targets]
      .map(([name, target]) => `${name}=${placeKey(target)}`)
      .toSorted()
      .join(" ");
  }

  find(name: string): Located | undefined {
    return this.#targets.get(name);
  }

  /** The scope inside a resource that is reached from this one. */
  entering({ dynamicAnchors }: SchemaResource): DynamicScope {
    const added = [...dynamicAnchors].filter(([name]) => !this.#targets.has(name));
    return added.length === 0 ? this : new DynamicScope(new Map([...this.#targets, ...added]));
  }

  /** The schema that decides: named where one schema is read in several scopes. */
  get outermost(): Located | undefined {
    return this.#targets.values().next().value;
  }
}
