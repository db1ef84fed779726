// OpenAPI 3.1, section 4.8.7: Components Object.
import { createNameAllocator } from "@nodewright/model";
import type { Located } from "@nodewright/source";
import { readContents } from "./content-reader.ts";
import { readParameter } from "./parameter-reader.ts";
import type { Reading } from "./reading.ts";
import { readHeaders } from "./response-reader.ts";

/**
 * Reads the components that no operation may refer to, so that their mistakes are told with all others.
 *
 * A mistake in one that is used is found twice at the same place, and told once.
 */
export function checkComponents(reading: Reading, document: Located): void {
  const components = document.member("components");
  for (const place of resolved(reading, components, "parameters")) readParameter(reading, place, createNameAllocator());
  for (const kind of ["requestBodies", "responses"]) {
    for (const place of resolved(reading, components, kind)) {
      readContents(reading, place);
      readHeaders(reading, place);
    }
  }
  for (const place of resolved(reading, components, "headers")) {
    const schema = place.member("schema");
    if (schema !== undefined) reading.schemas.read(schema);
  }
  checkSecurityNames(reading, document);
}

function resolved(reading: Reading, components: Located | undefined, kind: string): readonly Located[] {
  return (components?.member(kind)?.members ?? []).flatMap(([, item]) => reading.documents.resolve(item) ?? []);
}

/** Section 4.8.30: each name of a requirement is that of a scheme. */
function checkSecurityNames(reading: Reading, document: Located): void {
  const schemes = document.member("components")?.member("securitySchemes");
  const owners = [document, ...operationsOf(document)];
  for (const requirement of owners.flatMap((owner) => reading.members.list(owner, "security"))) {
    for (const [name] of requirement.members) {
      if (!schemes?.has(name)) reading.report("unknown-security-scheme", requirement.keySource(name), { name });
    }
  }
}

function operationsOf(document: Located): readonly Located[] {
  const pathItems = (document.member("paths")?.members ?? []).map(([, pathItem]) => pathItem);
  return pathItems.flatMap((pathItem) =>
    pathItem.members.map(([, member]) => member).filter((member) => member.isObject),
  );
}
