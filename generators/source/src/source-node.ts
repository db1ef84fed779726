/** A JSON value with the place of each of its parts. Offsets are into the document's text. */
export type SourceNode = ScalarSource | ArraySource | ObjectSource;

interface SourceNodeBase {
  readonly start: number;
  readonly end: number;
}

export interface ScalarSource extends SourceNodeBase {
  readonly kind: "scalar";
  readonly value: string | number | boolean | null;
  /** As written: a number's own digits, which a double may not hold. */
  readonly text: string;
}

export interface ArraySource extends SourceNodeBase {
  readonly kind: "array";
  readonly items: readonly SourceNode[];
}

export interface SourceMember {
  readonly name: string;
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly node: SourceNode;
}

export interface ObjectSource extends SourceNodeBase {
  readonly kind: "object";
  /** In document order. */
  readonly members: ReadonlyMap<string, SourceMember>;
}

/** Values nested deeper than this are refused: no description of an API needs them, and readers recurse. */
export const maximumDepth = 500;
