import type { SourceValue, SourceNode } from "@nodewright/source";

/** A named value, by offsets into its document's text. */
export type NamedRange = readonly [name: string, start: number, end: number];

/** Ranges of the parts of a document that can be read separately. */
export interface DocumentOutline {
  /** Members of the document except `paths`, `components`, `webhooks` and extensions. */
  readonly head: readonly NamedRange[];
  readonly paths: readonly NamedRange[];
  readonly components: readonly (readonly [kind: string, components: readonly NamedRange[]])[];
}

/**
 * Returns the outline of a JSON document; undefined if its operations cannot be read separately, because a reference leads to something
 * other than a component, or because identifiers affect how references are resolved.
 */
export function outlineOf(root: SourceValue): DocumentOutline | undefined {
  const { text } = root.document;
  if (!/^\s*\{/.test(text) || unsliceable.some((pattern) => pattern.test(text))) return undefined;
  return {
    head: rangesOf(root.node).filter(([name]) => !apart.has(name) && !name.startsWith("x-")),
    paths: rangesOf(root.member("paths")?.node),
    components: (root.member("components")?.members ?? []).map(([kind, { node }]) => [kind, rangesOf(node)] as const),
  };
}

/** Returns the outline for a text in which the part that ends at `end` is longer by `delta`. */
export function shiftOutline(outline: DocumentOutline, end: number, delta: number): DocumentOutline {
  const move = (offset: number): number => (offset >= end ? offset + delta : offset);
  const shift = (ranges: readonly NamedRange[]): readonly NamedRange[] =>
    ranges.map(([name, from, to]) => [name, move(from), move(to)]);
  return {
    head: shift(outline.head),
    paths: shift(outline.paths),
    components: outline.components.map(([kind, components]) => [kind, shift(components)] as const),
  };
}

/** Patterns that the text must not contain, because they give a part of it a meaning that depends on the complete document. */
export const unsliceable: readonly RegExp[] = [
  /"\$ref"\s*:(?!\s*"#\/components\/)/,
  /"operationRef"\s*:/,
  /\$(?:id|anchor|dynamicAnchor|dynamicRef|recursiveAnchor|recursiveRef|schema|self)"/,
  /jsonSchemaDialect|json-schema\.org\/draft-04\//,
  // Letters and signs that need no escape: escapes may hide a reference.
  /\\u00(?:2[34fF]|[4-7][0-9a-fA-F])/,
];

const apart: ReadonlySet<string> = new Set(["paths", "components", "webhooks"]);

function rangesOf(node: SourceNode | undefined): readonly NamedRange[] {
  if (node?.kind !== "object") return [];
  return [...node.members.values()].map(({ name, node: { start, end } }) => [name, start, end] as const);
}
