// OpenAPI 3.1, section 4.8.9: Path Item Object.
import type { SourceValue } from "@nodewright/source";
import type { Reading } from "./reading.ts";

/** A path item together with those that it refers to. Members next to a `$ref` take precedence over those of the target. */
export interface PathItem {
  member(name: string): SourceValue | undefined;
  /** Members in order of precedence, each name once. */
  readonly members: readonly (readonly [name: string, member: SourceValue])[];
  readonly source: SourceValue["source"];
}

/** Reads the path item at a place. Returns undefined, with a diagnostic, if its reference cannot be resolved. */
export function readPathItem(reading: Reading, item: SourceValue): PathItem | undefined {
  const target = reading.documents.resolve(item);
  if (target === undefined) return undefined;
  const layers = [item];
  // `resolve` has rejected cycles.
  for (let layer = item; layer.has("$ref"); ) {
    const next = reading.documents.resolveOnce(layer);
    if (next === undefined) break;
    layers.push(next);
    layer = next;
  }
  const members = new Map<string, SourceValue>();
  for (const layer of layers) {
    for (const [name, member] of layer.members) {
      if (name !== "$ref" && !members.has(name)) members.set(name, member);
    }
  }
  return { member: (name) => members.get(name), members: [...members], source: item.source };
}
