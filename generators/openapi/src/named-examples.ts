// OpenAPI 3.1, section 4.8.19: Example Object; OpenAPI 3.2, section 4.19.
import { checkExtensions, type JsonValue, type ValueExample } from "@nodewright/model";
import type { SourceValue, SourceRange } from "@nodewright/source";
import type { Reading } from "./reading.ts";

export interface NamedExample {
  readonly value: JsonValue;
  readonly summary?: string;
  /** Value of `x-live`. */
  readonly isLive: boolean;
  readonly source: SourceRange;
}

export type NamedExamples = ReadonlyMap<string, NamedExample>;

/** Name of a single `example`. */
export const soleExample = "default";

/**
 * Returns `examples` by name, and `example` as `soleExample`. External and serialized values are documentation only and are not included.
 */
export function readNamedExamples(reading: Reading, owner: SourceValue): NamedExamples {
  const examples = new Map<string, NamedExample>();
  const single = owner.member("example");
  if (single !== undefined)
    examples.set(soleExample, { value: single.value as JsonValue, isLive: false, source: single.source });
  for (const [name, item] of owner.member("examples")?.members ?? []) {
    const place = reading.documents.resolve(item);
    if (place === undefined) continue;
    checkExtensions(place, reading.sink);
    const value = place.member("value") ?? place.member("dataValue");
    if (value === undefined) continue;
    const summary = place.member("summary")?.string;
    examples.set(name, {
      value: value.value as JsonValue,
      isLive: place.member("x-live")?.boolean === true,
      source: place.source,
      ...(summary === undefined ? {} : { summary }),
    });
  }
  return examples;
}

/** Returns the member of the model whose examples are validated against their type. */
export function shownExamples(examples: NamedExamples): { readonly examples?: readonly ValueExample[] } {
  if (examples.size === 0) return {};
  return {
    examples: [...examples].map(([name, { value, source }]) =>
      name === soleExample ? { value, source } : { name, value, source },
    ),
  };
}

/** Returns the example value that a schema has itself. */
export function schemaExample(reading: Reading, schema: SourceValue | undefined): NamedExample | undefined {
  const place = schema && reading.schemas.resolve(schema);
  const value = place?.member("example") ?? place?.member("examples")?.items[0] ?? place?.member("default");
  return value && { value: value.value as JsonValue, isLive: false, source: value.source };
}
