// OpenAPI 3.1, section 4.8.27: Security Scheme Object.
import type { SecurityScheme } from "@nodewright/model";
import type { Located } from "@nodewright/source";
import type { Reading } from "./reading.ts";

/** The schemes that a client can be given a key for; others are left to the caller's own headers. */
export function readSecurity(reading: Reading, document: Located): readonly SecurityScheme[] {
  return (document.member("components")?.member("securitySchemes")?.members ?? []).flatMap(([name, item]) => {
    const place = reading.documents.resolve(item);
    return place === undefined ? [] : (readScheme(reading, name, place) ?? []);
  });
}

function readScheme(reading: Reading, name: string, place: Located): SecurityScheme | undefined {
  const described = reading.members.text(place, "description");
  const documentation = described === undefined ? {} : { description: described };
  const scheme = place.member("scheme")?.string?.toLowerCase();
  if (place.member("type")?.string === "http" && (scheme === "basic" || scheme === "bearer")) {
    return { name, kind: scheme, location: "header", parameter: "Authorization", ...documentation };
  }
  const location = place.member("in")?.string;
  const parameter = place.member("name")?.string;
  const isKey =
    place.member("type")?.string === "apiKey" &&
    (location === "query" || location === "header" || location === "cookie");
  return isKey && parameter !== undefined
    ? { name, kind: "api-key", location, parameter, ...documentation }
    : undefined;
}
