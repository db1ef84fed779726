// OpenAPI 3.1, section 4.8.25: a discriminator in a schema that others extend with `allOf`.
import type { IntersectionNode } from "@nodewright/model";
import type { SourceValue } from "@nodewright/source";
import { originalNameOf } from "./declaration-names.ts";
import type { MappedSchema } from "./discriminator.ts";
import { placeKey } from "./schema-resources.ts";

type Selection = NonNullable<IntersectionNode["selection"]>;

export interface InheritedSelectionOptions {
  /** Schemas of the components. */
  readonly components: () => Iterable<SourceValue>;
  /** Returns the schema that the `$ref` of a schema refers to. */
  readonly target: (schema: SourceValue) => SourceValue | undefined;
  /** Returns the schemas that the discriminator of a schema maps to. */
  readonly mapped: (schema: SourceValue) => readonly MappedSchema[];
}

/** Places of the alternatives of a schema, and of the alternatives together with all schemas that they extend. */
interface Alternatives {
  readonly own: ReadonlySet<string>;
  readonly extended: ReadonlySet<string>;
}

/** Maximum number of ancestors that are visited for one schema. No hand-written hierarchy has more. */
const maximumAncestors = 200;

/**
 * Discriminator values of the schemas that extend a schema with a discriminator: those of its mapping or, without a mapping, their names. A
 * schema that is extended further also has the values of the schemas that extend it.
 */
export class InheritedSelections {
  readonly #options: InheritedSelectionOptions;
  /** Values by place of the schema that they select, by place of the schema with the discriminator. */
  readonly #mappings = new Map<string, ReadonlyMap<string, readonly string[]>>();
  readonly #byPlace = new Map<string, Map<string, Set<string>>>();
  readonly #named = new Set<string>();
  readonly #visited = new Set<string>();
  readonly #ancestry = new Map<string, ReadonlyMap<string, SourceValue>>();
  readonly #alternatives = new Map<string, Alternatives>();

  constructor(options: InheritedSelectionOptions) {
    this.#options = options;
  }

  /** Returns the first property that selects a schema which extends others, with its values; undefined without such a property. */
  of(schema: SourceValue): Selection | undefined {
    if (!schema.has("allOf")) return undefined;
    if (this.#visited.size === 0) {
      const components = [...this.#options.components()];
      for (const component of components) this.#named.add(placeKey(component));
      this.#visit(components);
    }
    this.#visit([schema]);
    for (const [property, values] of this.#byPlace.get(placeKey(schema)) ?? []) {
      if (!ownParts(schema).some((part) => hasConstant(part, property))) return { property, values: [...values] };
    }
    return undefined;
  }

  /** Returns whether a schema is an alternative of another, or is extended by one of its alternatives. */
  isAlternativeOf(schema: SourceValue, other: SourceValue): boolean {
    return hasAlternatives(other) && this.#alternativesOf(other).extended.has(placeKey(schema));
  }

  #alternativesOf(schema: SourceValue): Alternatives {
    const key = placeKey(schema);
    const known = this.#alternatives.get(key);
    if (known !== undefined) return known;
    const found = { own: new Set<string>(), extended: new Set<string>() };
    for (const keyword of ["oneOf", "anyOf"]) {
      for (const place of schema.member(keyword)?.items ?? []) {
        const alternative = (place.has("$ref") ? this.#options.target(place) : undefined) ?? place;
        found.own.add(placeKey(alternative));
        for (const one of [placeKey(alternative), ...this.#ancestors(alternative).keys()]) found.extended.add(one);
      }
    }
    this.#alternatives.set(key, found);
    return found;
  }

  /** Visits schemas, and the schemas in the mappings of their ancestors, which may be outside the components. */
  #visit(schemas: readonly SourceValue[]): void {
    const pending = [...schemas];
    for (let schema = pending.pop(); schema !== undefined; schema = pending.pop()) {
      if (this.#visited.has(placeKey(schema))) continue;
      this.#visited.add(placeKey(schema));
      const ancestors = [...this.#ancestors(schema).values()];
      const bases = ancestors.filter(isBase);
      for (const base of bases) if (!this.#mappings.has(placeKey(base))) pending.push(...this.#readMapping(base));
      for (const base of bases) this.#select(schema, base, ancestors);
    }
  }

  /** Adds the values that select a schema to the schema itself and to the schemas between it and the one with the discriminator. */
  #select(schema: SourceValue, base: SourceValue, ancestors: readonly SourceValue[]): void {
    const property = base.member("discriminator")?.member("propertyName")?.string;
    const values = this.#valuesOf(schema, base);
    if (property === undefined || values.length === 0 || !values.every((value) => admits(base, property, value)))
      return;
    const key = placeKey(base);
    const between = ancestors.filter((one) => this.#ancestors(one).has(key));
    for (const one of [schema, ...between]) this.#add(placeKey(one), property, values);
  }

  #add(place: string, property: string, values: readonly string[]): void {
    const properties = this.#byPlace.get(place) ?? new Map<string, Set<string>>();
    const known = properties.get(property) ?? new Set<string>();
    for (const value of values) known.add(value);
    properties.set(property, known);
    this.#byPlace.set(place, properties);
  }

  #valuesOf(schema: SourceValue, base: SourceValue): readonly string[] {
    const key = placeKey(schema);
    if (hasAlternatives(base) && !this.#alternativesOf(base).own.has(key)) return [];
    if (base.member("discriminator")?.has("mapping") === true)
      return this.#mappings.get(placeKey(base))?.get(key) ?? [];
    return this.#named.has(key) ? [originalNameOf(schema)] : [];
  }

  /** Returns the schemas that the discriminator of a schema maps to, and stores their values. */
  #readMapping(base: SourceValue): readonly SourceValue[] {
    const mapped = this.#options.mapped(base);
    const values = new Map<string, string[]>();
    for (const { value, target } of mapped) {
      const known = values.get(placeKey(target));
      if (known === undefined) values.set(placeKey(target), [value]);
      else known.push(value);
    }
    this.#mappings.set(placeKey(base), values);
    return mapped.map(({ target }) => target);
  }

  /** Returns the ancestors of a schema by their places, nearest first, without the schema itself. */
  #ancestors(schema: SourceValue): ReadonlyMap<string, SourceValue> {
    const key = placeKey(schema);
    const known = this.#ancestry.get(key);
    if (known !== undefined) return known;
    const found = new Map<string, SourceValue>([[key, schema]]);
    for (const one of found.values()) {
      for (const part of one.member("allOf")?.items ?? []) {
        const target = part.has("$ref") && found.size <= maximumAncestors ? this.#options.target(part) : undefined;
        if (target !== undefined) found.set(placeKey(target), found.get(placeKey(target)) ?? target);
      }
    }
    found.delete(key);
    this.#ancestry.set(key, found);
    return found;
  }
}

/** Returns whether a schema has a discriminator for the schemas that extend it. */
function isBase(schema: SourceValue): boolean {
  return schema.has("discriminator");
}

function hasAlternatives(schema: SourceValue): boolean {
  return schema.has("oneOf") || schema.has("anyOf");
}

function ownParts(schema: SourceValue): readonly SourceValue[] {
  return [schema, ...(schema.member("allOf")?.items ?? []).filter((part) => !part.has("$ref"))];
}

/** Returns whether a schema defines the values of a property itself. */
function hasConstant(schema: SourceValue, property: string): boolean {
  const described = schema.member("properties")?.member(property);
  return described !== undefined && (described.has("const") || described.has("enum"));
}

/** Returns whether the schema with the discriminator allows a value for its property. */
function admits(base: SourceValue, property: string, value: string): boolean {
  const described = base.member("properties")?.member(property);
  const values = described?.member("enum")?.items;
  return described?.has("const") !== true && (values === undefined || values.some(({ string }) => string === value));
}
