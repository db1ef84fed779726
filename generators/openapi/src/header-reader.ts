import type { Direction } from "@nodewright/api-model";
// OpenAPI 3.1, section 4.8.21: Header Object.
import { camelCase, createNameAllocator, pascalCase, type ResponseHeader, type TypeNode } from "@nodewright/model";
import type { SourceValue } from "@nodewright/source";
import { readStyle } from "./parameter-style.ts";
import { follow, type Reading } from "./reading.ts";

/** Reads the `headers` of a response or of a part. */
export function readHeaders(reading: Reading, owner: SourceValue, direction: Direction): readonly ResponseHeader[] {
  const names = createNameAllocator();
  return (owner.member("headers")?.members ?? []).flatMap(([name, item]) => {
    const header = readHeader(reading, item, direction);
    // Section 4.8.17.1: a header named Content-Type is ignored.
    if (header === undefined || name.toLowerCase() === "content-type") return [];
    return [{ name, property: names.allocate(camelCase(pascalCase(name))), ...header }];
  });
}

/** Reads a Header Object, which has no name of its own. */
export function readHeader(
  reading: Reading,
  item: SourceValue,
  direction: Direction,
): Omit<ResponseHeader, "name" | "property"> | undefined {
  const followed = follow(reading, item);
  if (followed === undefined) return undefined;
  const { place, description } = followed;
  if (!place.isObject) return undefined;
  checkEitherType(reading, place, "A header");
  readStyle(reading, place, "header", "A header");
  const isDeprecated = reading.members.flag(place, "deprecated") === true;
  const isDocumented = description !== undefined || isDeprecated;
  return {
    required: reading.members.flag(place, "required") ?? false,
    type: headerType(reading, place, direction),
    ...(isDocumented
      ? {
          documentation: {
            ...(description === undefined ? {} : { description }),
            ...(isDeprecated ? { deprecated: true } : {}),
          },
        }
      : {}),
  };
}

/** Reports a value with both or neither of `schema` and `content` (sections 4.8.12.2 and 4.8.21). `ownerName` starts the message. */
export function checkEitherType(reading: Reading, place: SourceValue, ownerName: string): void {
  if (place.has("schema") && place.has("content"))
    reading.report("schema-and-content", place.keySource("content"), { owner: ownerName });
}

/** Reads the type of a header from `schema`, or from the single media type of `content`. */
function headerType(reading: Reading, place: SourceValue, direction: Direction): TypeNode {
  const content = place.member("content")?.members[0]?.[1];
  const schema = place.member("schema") ?? (content && reading.documents.resolve(content)?.member("schema"));
  return schema === undefined ? { kind: "any", source: place.source } : reading.typeOf(schema, direction);
}
