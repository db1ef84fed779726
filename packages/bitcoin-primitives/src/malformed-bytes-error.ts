/** Error for malformed bytes. `message` describes the problem and its place, never the content. */
export class MalformedBytesError extends Error {
  override readonly name = "MalformedBytesError";
  /** Offset of the malformed part, 0-based, in bytes from the start of what was to be parsed. */
  readonly offset: number;
  /** Reason without the offset, such as `transaction ends early`. */
  readonly reason: string;

  constructor(offset: number, reason: string) {
    super(`${reason} (at byte ${offset})`);
    this.offset = offset;
    this.reason = reason;
  }
}

/**
 * Returns whether a value is a `MalformedBytesError`. Compares the name, because `instanceof` fails when two copies of this package are
 * installed.
 */
export function isMalformedBytesError(value: unknown): value is MalformedBytesError {
  return value instanceof Error && value.name === "MalformedBytesError";
}
