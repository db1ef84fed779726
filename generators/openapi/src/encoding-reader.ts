import type { Direction } from "@nodewright/api-model";
// OpenAPI 3.1, section 4.8.15: Encoding Object.
import type { Parameter, PropertyEncoding } from "@nodewright/model";
import type { SourceValue } from "@nodewright/source";
import { propertiesOf } from "./form-type.ts";
import { readHeaders } from "./header-reader.ts";
import { isFileSchema } from "./media-type.ts";
import { readStyle } from "./parameter-style.ts";
import { follow, type Reading } from "./reading.ts";

type Encodings = Readonly<Record<string, PropertyEncoding>>;

/** Reads how the properties of a form or multipart body are encoded, where the document defines it. */
export function readEncodings(
  reading: Reading,
  mediaType: SourceValue,
  schema: SourceValue | undefined,
  direction: Direction,
): Encodings | undefined {
  const properties = schema === undefined ? new Map<string, SourceValue>() : propertiesOf(reading, schema);
  const encodings = new Map<string, PropertyEncoding>();
  for (const [name, property] of properties) {
    const contentType = impliedContentType(reading, property);
    if (contentType !== undefined) encodings.set(name, { contentType });
  }
  const encoding = mediaType.member("encoding");
  for (const [name, item] of encoding?.members ?? []) {
    if (properties.size > 0 && !properties.has(name))
      reading.report("unknown-encoding", encoding?.keySource(name) ?? item.source, { name });
    const place = follow(reading, item)?.place;
    if (place !== undefined)
      encodings.set(name, { ...encodings.get(name), ...readEncoding(reading, name, place, direction) });
  }
  return encodings.size === 0 ? undefined : Object.fromEntries(encodings);
}

function readEncoding(reading: Reading, name: string, place: SourceValue, direction: Direction): PropertyEncoding {
  const contentType = reading.members.text(place, "contentType");
  const style: Parameter["style"] | undefined = place.has("style")
    ? readStyle(reading, place, "query", `The property "${name}"`)
    : undefined;
  const explode = reading.members.flag(place, "explode");
  const allowReserved = reading.members.flag(place, "allowReserved");
  const headers = readHeaders(reading, place, direction);
  return {
    ...(contentType === undefined ? {} : { contentType }),
    ...(style === undefined ? {} : { style }),
    ...(explode === undefined ? {} : { explode }),
    ...(allowReserved === undefined ? {} : { allowReserved }),
    ...(headers.length === 0 ? {} : { headers }),
  };
}

/** Returns the media type that the schema of a file specifies. */
function impliedContentType(reading: Reading, property: SourceValue): string | undefined {
  const place = reading.schemas.resolve(property);
  const items = place?.member("items");
  if (items !== undefined) return impliedContentType(reading, items);
  return place !== undefined && isFileSchema(place) ? place.member("contentMediaType")?.string : undefined;
}
