/** Kind of a problem with received text or bytes. `too-large` is an exceeded limit, `malformed` everything else. */
export type WireErrorKind = "malformed" | "too-large";

/**
 * Error for unreadable input. The message is for the sender: it describes the problem and its place, and contains no value. Servers report
 * it as the request's mistake, clients as a response that does not match the document.
 */
export class WireError extends Error {
  override readonly name = "WireError";
  readonly kind: WireErrorKind;

  constructor(kind: WireErrorKind, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.kind = kind;
  }
}

/**
 * Returns whether a value is a `WireError`. Compares the name, because `instanceof` fails when two copies of this package are installed.
 */
export function isWireError(value: unknown): value is WireError {
  return value instanceof Error && value.name === "WireError";
}
