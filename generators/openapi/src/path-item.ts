// OpenAPI 3.1, section 4.8.9: Path Item Object.
import type { Located } from "@nodewright/source";
import type { Reading } from "./reading.ts";

/** A path item with those that it refers to: what stands beside a `$ref` goes before what the reference leads to. */
export interface PathItem {
  member(name: string): Located | undefined;
  /** Own members first; a name that stands in several layers is given once. */
  readonly members: readonly (readonly [name: string, member: Located])[];
  readonly source: Located["source"];
}

/** The path item at a place; undefined, with a diagnostic, when its reference leads nowhere. */
export function readPathItem(reading: Reading, item: Located): PathItem | undefined {
  const target = reading.documents.resolve(item);
  if (target === undefined) return undefined;
  const layers = [item];
  // `resolve` has refused circles.
  for (let layer = item; layer.has("$ref"); ) {
    const next = reading.documents.resolveOnce(layer);
    if (next === undefined) break;
    layers.push(next);
    layer = next;
  }
  const members = new Map<string, Located>();
  for (const layer of layers) {
    for (const [name, member] of layer.members) {
      if (name !== "$ref" && !members.has(name)) members.set(name, member);
    }
  }
  return { member: (name) => members.get(name), members: [...members], source: item.source };
}
