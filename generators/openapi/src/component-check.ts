// OpenAPI 3.1, section 4.8.7: Components Object.
import type { SourceValue } from "@nodewright/source";
import { readHeader } from "./header-reader.ts";
import type { LeftOut } from "./left-out.ts";
import { checkLinkTarget } from "./link-reader.ts";
import { readNamedExamples } from "./named-examples.ts";
import type { OperationReaders } from "./operations.ts";
import { readPathItem } from "./path-item.ts";
import { follow, type Reading } from "./reading.ts";
import { checkRequirements } from "./security-reader.ts";

/**
 * Reads the components that no operation refers to, so that their errors are reported in the same run.
 *
 * Components that an operation refers to have been read already and are not read again.
 */
export function checkComponents(
  reading: Reading,
  document: SourceValue,
  { readers: { outgoing }, skipped }: { readonly readers: OperationReaders; readonly skipped: LeftOut },
): void {
  const components = document.member("components");
  const itemsOf = (kind: string): readonly SourceValue[] =>
    (components?.member(kind)?.members ?? []).map(([, item]) => item).filter(({ pointer }) => !skipped.has(pointer));
  const placesOf = (kind: string): readonly SourceValue[] =>
    itemsOf(kind).flatMap((item) => follow(reading, item)?.place ?? []);
  for (const item of itemsOf("parameters")) outgoing.parameters.readOne(item);
  for (const place of placesOf("requestBodies")) outgoing.bodies.contentsOf(place);
  for (const item of itemsOf("responses")) outgoing.responses.read(item);
  for (const item of itemsOf("headers")) readHeader(reading, item, "response");
  for (const item of itemsOf("pathItems")) readPathItem(reading, item);
  placesOf("callbacks");
  for (const [name, item] of components?.member("links")?.members ?? []) {
    const place = skipped.has(item.pointer) ? undefined : follow(reading, item)?.place;
    if (place?.isObject === true) checkLinkTarget(reading, name, place);
  }
  if (components !== undefined) readNamedExamples(reading, components);
  noteNames(reading, components);
  checkRequirements(reading, document);
  checkTags(reading, document);
}

/** Reports component names that section 4.8.7 does not allow. They are accepted, because tools write them and nothing is lost. */
function noteNames(reading: Reading, components: SourceValue | undefined): void {
  for (const [, kind] of components?.members ?? []) {
    for (const [name] of kind.members) {
      if (/^[a-zA-Z0-9._-]+$/.test(name)) continue;
      reading.habits.note("component-name", kind.keySource(name), (source, others) =>
        reading.report("component-name", source, { name, others }),
      );
    }
  }
}

/** Reports duplicate tags: section 4.8.1 requires unique names. */
function checkTags(reading: Reading, document: SourceValue): void {
  const seen = new Set<string>();
  for (const tag of reading.members.list(document, "tags")) {
    const name = tag.member("name");
    if (name?.string === undefined) continue;
    if (seen.has(name.string)) reading.report("duplicate-tag", name.source, { name: name.string });
    seen.add(name.string);
  }
}
