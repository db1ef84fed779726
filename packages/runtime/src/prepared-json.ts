const textKey: unique symbol = Symbol.for("nodewright.prepared-json");

/** The whole text, or its pieces in order, each asked for when the caller has taken what was before it. */
type JsonText = string | Uint8Array | AsyncIterable<string | Uint8Array>;

/**
 * JSON text of a `Value` that is sent as it stands: what a handler may answer in place of the value itself where it has the
 * text for less. Nothing is encoded any more: the text is the wire's.
 */
export interface PreparedJson<Value> {
  readonly [textKey]: JsonText;
  /** Never there: carries the type of what the text says. */
  readonly value?: Value;
}

/** The replies of an operation, whose bodies may be prepared JSON. */
export type PreparedReply<Reply> = Reply extends { readonly body: infer Body }
  ? Omit<Reply, "body"> & { readonly body: Body | PreparedJson<Body> }
  : Reply;

/** Says of `text` that it is JSON of a `Value`. What is no text of one is seen only where answers are validated. */
export function preparedJson<Value>(text: JsonText): PreparedJson<Value> {
  return { [textKey]: text };
}

/** The text of prepared JSON; undefined for any other value. It may come from another copy of this module. */
export function preparedText(value: unknown): JsonText | undefined {
  return typeof value === "object" && value !== null && textKey in value ? (value[textKey] as JsonText) : undefined;
}
