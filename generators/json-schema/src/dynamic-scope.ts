import type { SourceValue } from "@nodewright/source";
import { placeKey, type SchemaResource } from "./schema-resources.ts";

/**
 * Targets of `$dynamicRef` by anchor name (JSON Schema 2020-12, section 8.2.3.2): the first resource on the evaluation path that has a
 * dynamic anchor of that name provides the target.
 */
export class DynamicScope {
  static readonly empty: DynamicScope = new DynamicScope(new Map());

  readonly #targets: ReadonlyMap<string, SourceValue>;
  /** Key of the scope; equal for two scopes in which every reference has the same target. */
  readonly key: string;

  private constructor(targets: ReadonlyMap<string, SourceValue>) {
    this.#targets = targets;
    this.key = [...targets]
      .map(([name, target]) => `${name}=${placeKey(target)}`)
      .toSorted()
      .join(" ");
  }

  find(name: string): SourceValue | undefined {
    return this.#targets.get(name);
  }

  /** Returns the scope inside a resource that is entered from this one. */
  entering({ dynamicAnchors }: SchemaResource): DynamicScope {
    const added = [...dynamicAnchors].filter(([name]) => !this.#targets.has(name));
    return added.length === 0 ? this : new DynamicScope(new Map([...this.#targets, ...added]));
  }

  /** First target of the scope. It gives a name to a schema that is read in several scopes. */
  get outermost(): SourceValue | undefined {
    return this.#targets.values().next().value;
  }
}
