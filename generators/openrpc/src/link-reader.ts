// OpenRPC 1.3, section "Link Object".
import type { JsonValue, Link, Operation } from "@nodewright/model";
import type { SourceValue } from "@nodewright/source";
import type { Reading } from "./reading.ts";

/** Reads a link, with names as the document spells them. A link without a method refers to the method that contains it. */
export function readLink(reading: Reading, item: SourceValue, owner: string): Link | undefined {
  const place = reading.documents.resolve(item);
  if (place === undefined) return undefined;
  const method = place.member("method")?.string ?? owner;
  const description = reading.members.text(place, "description");
  return {
    name: place.member("name")?.string ?? method,
    operation: method,
    inputs: Object.fromEntries(
      (place.member("params")?.members ?? []).map(([name, value]) => [name, value.value as JsonValue]),
    ),
    source: item.source,
    ...(description === undefined ? {} : { description }),
  };
}

/**
 * Returns the operations with links that use the names of operations and properties in the model. A link to an unknown method is reported;
 * a link to a method that the configuration leaves out is removed.
 */
export function resolveLinks(
  reading: Reading,
  operations: readonly Operation[],
  described: ReadonlyMap<string, SourceValue>,
): readonly Operation[] {
  const byMethod = new Map(operations.map((operation) => [operation.origin, operation]));
  return operations.map((operation) => ({
    ...operation,
    links: operation.links.flatMap((link) => {
      const target = byMethod.get(link.operation);
      if (target !== undefined) return [{ ...link, operation: target.name, inputs: inputsOf(link, target) }];
      if (!described.has(link.operation))
        reading.report("unknown-link-target", link.source, { name: link.name, method: link.operation });
      return [];
    }),
  }));
}

function inputsOf({ inputs }: Link, target: Operation): Link["inputs"] {
  const properties = new Map(target.parameters.map(({ name, property }) => [name, property]));
  return Object.fromEntries(Object.entries(inputs).map(([name, value]) => [properties.get(name) ?? name, value]));
}

/** Reports a link to an unknown method, in any component. */
export function checkLinkTarget(
  reading: Reading,
  { name, operation, source }: Link,
  methods: ReadonlySet<string>,
): void {
  if (operation !== "" && !methods.has(operation))
    reading.report("unknown-link-target", source, { name, method: operation });
}
