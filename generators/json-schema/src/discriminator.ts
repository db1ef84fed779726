// OpenAPI 3.1, section 4.8.25: Discriminator Object.
import type { TypeNode, UnionNode } from "@nodewright/model";
import type { SourceValue, Report } from "@nodewright/source";
import type { jsonSchemaDiagnostics } from "./json-schema-diagnostics.ts";
import { originalNameOf } from "./declaration-names.ts";
import { placeKey } from "./schema-resources.ts";

export interface DiscriminatorReading {
  readonly report: Report<typeof jsonSchemaDiagnostics>;
  /** Returns the schema with this name in the components. */
  component(name: string): SourceValue | undefined;
  /** Returns the values of `property` that select a schema, as the discriminator of a schema that it extends defines them. */
  inherited(schema: SourceValue, property: string): readonly string[] | undefined;
  /** Resolves a string as a reference and returns the schema. */
  target(reference: SourceValue): SourceValue | undefined;
}

/**
 * Returns the discriminator of a union with the declaration that each value of the property selects: as `mapping` defines it; for the other
 * alternatives by the values they inherit, or by their names.
 */
export function readDiscriminator(
  schema: SourceValue,
  alternatives: readonly { readonly place: SourceValue; readonly type: TypeNode }[],
  reading: DiscriminatorReading,
): UnionNode["discriminator"] {
  const discriminator = schema.member("discriminator");
  const property = discriminator?.member("propertyName")?.string;
  if (discriminator === undefined || property === undefined) return undefined;
  const mapping = new Map<string, string>();
  const open = new Map<string, SourceValue>();
  for (const { place, type } of alternatives) {
    const reference = place.member("$ref");
    const target = reference && reading.target(reference);
    if (type.kind === "reference" && target !== undefined) open.set(type.target, target);
  }
  const members = new Map([...open].map(([name, target]) => [placeKey(target), name]));
  for (const { value, place, target } of mappedSchemas(discriminator, reading)) {
    const name = members.get(placeKey(target));
    if (name !== undefined) {
      mapping.set(value, name);
      open.delete(name);
    } else reading.report("foreign-mapping", place.source, { value, target: place.string ?? "" });
  }
  for (const [name, target] of open) {
    const values = reading.inherited(target, property) ?? [originalNameOf(target)];
    for (const value of values) if (!mapping.has(value)) mapping.set(value, name);
  }
  return mapping.size === 0 ? { property } : { property, mapping: Object.fromEntries(mapping) };
}

/** Reports the mapping entries of a discriminator that cannot be resolved, where the schema has no alternatives and others extend it. */
export function checkMapping(schema: SourceValue, reading: DiscriminatorReading): void {
  const discriminator = schema.member("discriminator");
  if (discriminator !== undefined) mappedSchemas(discriminator, reading);
}

/** A schema that the mapping of a discriminator names. */
export interface MappedSchema {
  readonly value: string;
  readonly place: SourceValue;
  readonly target: SourceValue;
}

/** Returns the schemas that the mapping of a discriminator names, with their values. Reports entries that cannot be resolved. */
export function mappedSchemas(discriminator: SourceValue, reading: DiscriminatorReading): readonly MappedSchema[] {
  return (discriminator.member("mapping")?.members ?? []).flatMap(([value, place]) => {
    const target = mappedSchema(value, place, reading);
    return target === undefined ? [] : [{ value, place, target }];
  });
}

/** Resolves a mapping entry: as the name of a schema in the components if there is one, else as a reference. */
function mappedSchema(value: string, place: SourceValue, reading: DiscriminatorReading): SourceValue | undefined {
  const text = place.string;
  if (text === undefined) {
    reading.report("wrong-keyword-value", place.source, {
      keyword: "mapping",
      expected: "names",
      found: place.typeName,
    });
    return undefined;
  }
  const component = reading.component(text);
  if (component !== undefined) return component;
  if (/[#/]|\.(?:json|ya?ml)$/i.test(text)) return reading.target(place);
  reading.report("unknown-mapping", place.source, { value, target: text });
  return undefined;
}
