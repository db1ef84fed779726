/** A JSON value with the position of each of its parts. Offsets are into the document's text. */
export type SourceNode = ScalarSource | ArraySource | ObjectSource;

interface SourceNodeBase {
  readonly start: number;
  readonly end: number;
}

/** A string, number, boolean or null in a document. */
export interface ScalarSource extends SourceNodeBase {
  readonly kind: "scalar";
  readonly value: string | number | boolean | null;
  /** Source text of the scalar. It keeps all digits of a number, which a double may round. */
  readonly text: string;
}

/** An array in a document. */
export interface ArraySource extends SourceNodeBase {
  readonly kind: "array";
  readonly items: readonly SourceNode[];
}

/** A member of an object: its value, and the offsets of its key. */
export interface SourceMember {
  readonly name: string;
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly node: SourceNode;
}

/** An object in a document. */
export interface ObjectSource extends SourceNodeBase {
  readonly kind: "object";
  /** Members in document order. */
  readonly members: ReadonlyMap<string, SourceMember>;
}

/** Maximum nesting of values. No API description needs more, and readers recurse. */
export const maximumDepth = 500;
