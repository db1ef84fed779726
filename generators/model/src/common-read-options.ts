/** Configuration of one operation. */
export interface OperationSelection {
  /** Name in generated code, instead of the one derived from the operationId. */
  readonly name?: string;
  /** Whether to leave out the operation, with everything that only it refers to. */
  readonly skip?: boolean;
}

/** Configuration of a document that does not change the document itself. Every member is optional. */
export interface CommonReadOptions {
  /** Options by operationId, method name or `GET /path`. */
  readonly operations?: Readonly<Record<string, OperationSelection>>;
  /** Name of a schema as the document spells it → name of its TypeScript declaration. */
  readonly declarations?: Readonly<Record<string, string>>;
  /** String formats that are asserted: none (`annotate`), all that the runtime supports (`assert`), or the listed ones. */
  readonly formats?: "annotate" | "assert" | readonly string[];
  /** Whether to leave out operations that use unsupported features, with a warning instead of an error. */
  readonly skipUnsupported?: boolean;
}
