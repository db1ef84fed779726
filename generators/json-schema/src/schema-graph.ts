import type { SourceValue } from "@nodewright/source";
import { subschemas } from "./keywords.ts";
import { placeKey } from "./schema-resources.ts";

/** Facts about one schema and its subschemas, and the schemas that they refer to. */
interface Outline {
  readonly holds: boolean;
  readonly targets: readonly SourceValue[];
}

export interface SchemaGraphOptions {
  /** Returns whether one schema, without its subschemas, has the property that is searched for. */
  readonly holds: (schema: SourceValue) => boolean;
  /** Returns the schemas that one schema refers to. */
  readonly targets: (schema: SourceValue) => readonly SourceValue[];
}

/** Search for a property in schemas and all schemas reachable from them. Each schema is visited once, however often it is queried. */
export class SchemaGraph {
  readonly #options: SchemaGraphOptions;
  readonly #results = new Map<string, boolean>();

  constructor(options: SchemaGraphOptions) {
    this.#options = options;
  }

  reaches(schema: SourceValue): boolean {
    const known = this.#results.get(placeKey(schema));
    if (known !== undefined) return known;
    const found = new Map<string, Outline>();
    const sources = new Map<string, string[]>();
    const pending = [schema];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const key = placeKey(next);
      if (found.has(key) || this.#results.has(key)) continue;
      const outline = this.#outline(next);
      found.set(key, outline);
      for (const target of outline.targets) {
        const targetKey = placeKey(target);
        const others = sources.get(targetKey);
        if (others === undefined) sources.set(targetKey, [key]);
        else others.push(key);
        pending.push(target);
      }
    }
    this.#spread(found, sources);
    return this.#results.get(placeKey(schema)) === true;
  }

  /** Stores the result for all visited schemas: those with the property, and those from which one is reachable. */
  #spread(found: ReadonlyMap<string, Outline>, sources: ReadonlyMap<string, readonly string[]>): void {
    const holding = [...found].filter(([, { holds }]) => holds).map(([key]) => key);
    const known = [...sources.keys()].filter((key) => this.#results.get(key) === true);
    for (const key of found.keys()) this.#results.set(key, false);
    const pending = [...holding, ...known];
    for (let key = pending.pop(); key !== undefined; key = pending.pop()) {
      this.#results.set(key, true);
      for (const source of sources.get(key) ?? []) if (this.#results.get(source) !== true) pending.push(source);
    }
  }

  #outline(schema: SourceValue): Outline {
    let holds = false;
    const targets: SourceValue[] = [];
    const pending = [schema];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      holds ||= this.#options.holds(next);
      targets.push(...this.#options.targets(next));
      pending.push(...subschemas(next));
    }
    return { holds, targets };
  }
}
