/** What a configuration says about one operation. */
export interface OperationSelection {
  /** Name in generated code, instead of the one made from the operationId. */
  readonly name?: string;
  /** Leaves the operation out, with whatever only it refers to. */
  readonly skip?: boolean;
}

/** What people decide about a document without editing it. Every member may be left out. */
export interface CommonReadOptions {
  /** By operationId, name of a method or `GET /path`. */
  readonly operations?: Readonly<Record<string, OperationSelection>>;
  /** Name of a schema as the document spells it → name of its declaration. */
  readonly declarations?: Readonly<Record<string, string>>;
  /** Which formats of texts are asserted: none (`annotate`), all that the runtime knows (`assert`), or those listed. */
  readonly formats?: "annotate" | "assert" | readonly string[];
  /** Leaves out an operation that uses something not supported, with a warning instead of an error. */
  readonly skipUnsupported?: boolean;
}
