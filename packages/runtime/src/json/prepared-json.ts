/** A text, or a part of one, as characters or as bytes in UTF-8. */
export type JsonPiece = string | Uint8Array;

/** The complete text; or its pieces in order, all of them available, or each requested when the client has taken those before it. */
type JsonText = JsonPiece | readonly JsonPiece[] | AsyncIterable<JsonPiece>;

const className = "PreparedJson";

/** Text that is written on demand, which it is not where the client has it already. */
type LateText = () => JsonPiece;

/**
 * JSON text of a `Value` that is sent unchanged: a handler may return it in place of the value itself where the text costs less. It is not
 * encoded any more: the text is the wire's. Text that is not a valid `Value` is detected where responses are validated.
 */
export class PreparedJson<Value> {
  #text: JsonText | LateText;
  /** Never present: carries the type of the text's value. */
  declare readonly value?: Value;

  constructor(text: JsonText | LateText) {
    this.#text = text;
  }

  /** Returns the text. Throws what the writing of a late text throws. */
  get text(): JsonText {
    if (typeof this.#text === "function") this.#text = this.#text();
    return this.#text;
  }

  /** Whether the text is written; false for a late one before its first use. */
  get isWritten(): boolean {
    return typeof this.#text !== "function";
  }

  get [Symbol.toStringTag](): string {
    return className;
  }
}

/** Returns whether a value is prepared JSON, also of another copy of this module. */
export function isPreparedJson(value: unknown): value is PreparedJson<unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    Symbol.toStringTag in value &&
    value[Symbol.toStringTag] === className
  );
}

/** Replies of an operation, whose bodies may be prepared JSON. */
export type PreparedReply<Reply> = Reply extends { readonly body: infer Body }
  ? Omit<Reply, "body"> & { readonly body: Body | PreparedJson<Body> }
  : Reply;
