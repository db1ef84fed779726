/** A text, or a part of one, as characters or as bytes in UTF-8. */
export type JsonPiece = string | Uint8Array;

/** The whole text; or its pieces in order, all of them there, or each asked for when the caller has taken what was before it. */
type JsonText = JsonPiece | readonly JsonPiece[] | AsyncIterable<JsonPiece>;

const className = "PreparedJson";

/** Text that is written when it is asked for, which it is not where the caller has it already. */
type LateText = () => JsonPiece;

/**
 * JSON text of a `Value` that is sent as it stands: what a handler may answer in place of the value itself where it has the text
 * for less. Nothing is encoded any more: the text is the wire's. What is no text of a `Value` is seen where answers are validated.
 */
export class PreparedJson<Value> {
  #text: JsonText | LateText;
  /** Never there: carries the type of what the text says. */
  declare readonly value?: Value;

  constructor(text: JsonText | LateText) {
    this.#text = text;
  }

  /** Throws what the writing of a late text throws. */
  get text(): JsonText {
    if (typeof this.#text === "function") this.#text = this.#text();
    return this.#text;
  }

  /** False for a text that nobody has asked for yet. */
  get isWritten(): boolean {
    return typeof this.#text !== "function";
  }

  get [Symbol.toStringTag](): string {
    return className;
  }
}

/** Whether a value is prepared JSON, be it made by another copy of this module. */
export function isPreparedJson(value: unknown): value is PreparedJson<unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    Symbol.toStringTag in value &&
    value[Symbol.toStringTag] === className
  );
}

/** The replies of an operation, whose bodies may be prepared JSON. */
export type PreparedReply<Reply> = Reply extends { readonly body: infer Body }
  ? Omit<Reply, "body"> & { readonly body: Body | PreparedJson<Body> }
  : Reply;
