/** Response of a handler to a failure that its document describes. */
export interface HttpFailureOptions {
  /** Body as the document describes it. Bytes and, under a `text/` type, strings are sent unchanged, everything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Content type. Absent: `application/json`, for bytes `application/octet-stream`. */
  readonly contentType?: string | undefined;
  /** Cause for logs only; never sent. */
  readonly cause?: unknown;
}

/** Error thrown by a handler whose document has bodies for failures: status, headers and body are sent unchanged. */
export class HttpFailure extends Error {
  override readonly name = "HttpFailure";
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string | undefined;

  constructor(status: number, options: HttpFailureOptions = {}) {
    super(`Responded with ${status}`, { cause: options.cause });
    this.status = status;
    this.body = options.body;
    this.headers = options.headers ?? {};
    this.contentType = options.contentType;
  }
}

/**
 * Returns whether a value is an `HttpFailure`. Compares the name, because `instanceof` fails when two copies of this package are installed.
 */
export function isHttpFailure(value: unknown): value is HttpFailure {
  return value instanceof Error && value.name === "HttpFailure";
}
