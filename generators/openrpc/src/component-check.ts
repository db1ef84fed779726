// OpenRPC 1.3, section "Components Object".
import { createSchemaReader } from "@nodewright/json-schema";
import type { SourceValue } from "@nodewright/source";
import { checkLinkTarget, readLink } from "./link-reader.ts";
import { readError } from "./method-reader.ts";
import { readParameter } from "./parameter-reader.ts";
import type { Reading } from "./reading.ts";

/**
 * Reads the components that no method refers to, so that their errors are reported in the same run. Their schemas are read separately:
 * schemas that only they refer to are not declared.
 */
export function checkComponents(reading: Reading, document: SourceValue): void {
  const { documents, sink, readOptions, dialect } = reading;
  const apart: Reading = { ...reading, schemas: createSchemaReader({ documents, sink, dialect, readOptions }) };
  const components = document.member("components");
  const placesOf = (kind: string): readonly SourceValue[] =>
    (components?.member(kind)?.members ?? []).flatMap(([, item]) => documents.resolve(item) ?? []);
  for (const place of placesOf("contentDescriptors")) readParameter(apart, place);
  for (const place of placesOf("errors")) readError(apart, place);
  const methods = new Set(reading.members.list(document, "methods").flatMap((item) => methodName(reading, item)));
  for (const place of placesOf("links")) {
    const link = readLink(apart, place, "");
    if (link !== undefined) checkLinkTarget(apart, link, methods);
  }
  for (const pairing of placesOf("examplePairings")) {
    for (const item of reading.members.list(pairing, "params")) documents.resolve(item);
    const result = pairing.member("result");
    if (result !== undefined) documents.resolve(result);
  }
  placesOf("examples");
  placesOf("tags");
  // Reports circular references among the schemas that only these components refer to.
  apart.schemas.declarations();
}

function methodName({ documents }: Reading, item: SourceValue): readonly string[] {
  const name = documents.resolve(item)?.member("name")?.string;
  return name === undefined ? [] : [name];
}
