/** Bytes that are not what they claim to be. `message` says why and where, never what the bytes hold. */
export class MalformedBytesError extends Error {
  override readonly name = "MalformedBytesError";
  /** 0-based, in bytes from the start of what was to be parsed: where the part begins that is wrong. */
  readonly offset: number;
  /** A phrase without the offset, such as `transaction ends early`. */
  readonly reason: string;

  constructor(offset: number, reason: string) {
    super(`${reason} (at byte ${offset})`);
    this.offset = offset;
    this.reason = reason;
  }
}

/** Compares the name, because `instanceof` fails when two copies of this package are installed. */
export function isMalformedBytesError(value: unknown): value is MalformedBytesError {
  return value instanceof Error && value.name === "MalformedBytesError";
}
