/** What is wrong with text or bytes that came in. `too-large` is a limit that was passed, `malformed` everything else. */
export type WireErrorKind = "malformed" | "too-large";

/**
 * Something that was received can't be read. The message is for the sender's eyes: it says what is wrong where, and holds no
 * value. Servers answer it as the request's mistake, clients as an answer that is not what the document says.
 */
export class WireError extends Error {
  override readonly name = "WireError";
  readonly kind: WireErrorKind;

  constructor(kind: WireErrorKind, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.kind = kind;
  }
}

/** Compares the name, because `instanceof` fails when two copies of this package are installed. */
export function isWireError(value: unknown): value is WireError {
  return value instanceof Error && value.name === "WireError";
}
