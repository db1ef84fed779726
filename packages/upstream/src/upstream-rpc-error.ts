/** The node's own error response to a call: JSON-RPC 2.0, section 5.1. */
export class UpstreamRpcError extends Error {
  override readonly name = "UpstreamRpcError";
  readonly code: number;
  /** The error object's `data`, undefined when it had none. */
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/**
 * Returns whether a value is an `UpstreamRpcError`. Compares the name, because `instanceof` fails when two copies of this package are
 * installed.
 */
export function isUpstreamRpcError(value: unknown): value is UpstreamRpcError {
  return value instanceof Error && value.name === "UpstreamRpcError";
}
