import type { Located, SourceNode } from "@nodewright/source";

/** A value with its name, by offsets into the text of its document. */
export type NamedRange = readonly [name: string, start: number, end: number];

/** Where the parts of a document stand that can be read apart from others. */
export interface DocumentOutline {
  /** Members of the document but for `paths`, `components`, `webhooks` and extensions. */
  readonly head: readonly NamedRange[];
  readonly paths: readonly NamedRange[];
  readonly components: readonly (readonly [kind: string, components: readonly NamedRange[]])[];
}

/**
 * The outline of a document written in JSON; undefined where its operations cannot be read one by one: where something refers to
 * anything but components, or where identifiers say what references lead to.
 */
export function outlineOf(root: Located): DocumentOutline | undefined {
  const { text } = root.document;
  if (!/^\s*\{/.test(text) || unsliceable.some((pattern) => pattern.test(text))) return undefined;
  return {
    head: rangesOf(root.node).filter(([name]) => !apart.has(name) && !name.startsWith("x-")),
    paths: rangesOf(root.member("paths")?.node),
    components: (root.member("components")?.members ?? []).map(([kind, { node }]) => [kind, rangesOf(node)] as const),
  };
}

/** The same for the text in which what ends at `end` is longer by `delta`. */
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

/** What a text may not hold: signs that a part of it means something only within the whole. */
export const unsliceable: readonly RegExp[] = [
  /"\$ref"\s*:(?!\s*"#\/components\/)/,
  /"operationRef"\s*:/,
  /\$(?:id|anchor|dynamicAnchor|dynamicRef|recursiveAnchor|recursiveRef|schema|self)"/,
  /jsonSchemaDialect|json-schema\.org\/draft-04\//,
  // Letters and signs that need no escape: a reference may be hidden behind them.
  /\\u00(?:2[34fF]|[4-7][0-9a-fA-F])/,
];

const apart: ReadonlySet<string> = new Set(["paths", "components", "webhooks"]);

function rangesOf(node: SourceNode | undefined): readonly NamedRange[] {
  if (node?.kind !== "object") return [];
  return [...node.members.values()].map(({ name, node: { start, end } }) => [name, start, end] as const);
}
