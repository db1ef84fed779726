/** What a handler answers a failure with that its document describes. */
export interface HttpFailureOptions {
  /** As the document describes it. Bytes and, under a `text/` type, texts are sent as they are, all else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Absent: `application/json`, for bytes `application/octet-stream`. */
  readonly contentType?: string | undefined;
  /** For logs alone; never sent. */
  readonly cause?: unknown;
}

/** Thrown by a handler whose document gives failures bodies of their own: status, headers and body are sent as they are. */
export class HttpFailure extends Error {
  override readonly name = "HttpFailure";
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string | undefined;

  constructor(status: number, options: HttpFailureOptions = {}) {
    super(`Answered ${status}`, { cause: options.cause });
    this.status = status;
    this.body = options.body;
    this.headers = options.headers ?? {};
    this.contentType = options.contentType;
  }
}

/** Compares the name, because `instanceof` fails when two copies of this package are installed. */
export function isHttpFailure(value: unknown): value is HttpFailure {
  return value instanceof Error && value.name === "HttpFailure";
}
