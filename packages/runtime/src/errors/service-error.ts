/** Appearance of one kind of failure in each protocol. */
export interface ErrorAppearance {
  readonly httpStatus: number;
  readonly rpcCode: number;
  /** HTTP status of a JSON-RPC response that consists of this error alone; 200 when absent. */
  readonly rpcHttpStatus?: number;
  readonly graphqlCode: string;
}

/**
 * Table of failures: every `ServiceError` code with its HTTP status, JSON-RPC code and GraphQL `extensions.code`.
 *
 * JSON-RPC codes above -32000 are those of the JSON-RPC 2.0 specification, section 5.1; the others are ours.
 */
export const errorAppearances = {
  unauthenticated: { httpStatus: 401, rpcCode: -32001, rpcHttpStatus: 401, graphqlCode: "UNAUTHENTICATED" },
  /** The method or operation is disabled for this subscription. In JSON-RPC "method not found", with the reason in `data`. */
  method_disabled: { httpStatus: 403, rpcCode: -32601, graphqlCode: "FORBIDDEN" },
  /** A known client without permission. */
  forbidden: { httpStatus: 403, rpcCode: -32003, rpcHttpStatus: 403, graphqlCode: "FORBIDDEN" },
  method_not_allowed: { httpStatus: 405, rpcCode: -32600, rpcHttpStatus: 405, graphqlCode: "BAD_USER_INPUT" },
  unknown_method: { httpStatus: 404, rpcCode: -32601, graphqlCode: "BAD_USER_INPUT" },
  not_implemented: { httpStatus: 501, rpcCode: -32601, graphqlCode: "NOT_IMPLEMENTED" },
  parse_error: { httpStatus: 400, rpcCode: -32700, graphqlCode: "BAD_USER_INPUT" },
  invalid_request: { httpStatus: 400, rpcCode: -32600, graphqlCode: "BAD_USER_INPUT" },
  invalid_input: { httpStatus: 400, rpcCode: -32602, graphqlCode: "BAD_USER_INPUT" },
  /** Well-formed, but impossible to process. */
  unprocessable: { httpStatus: 422, rpcCode: -32602, graphqlCode: "BAD_USER_INPUT" },
  not_found: { httpStatus: 404, rpcCode: -32602, graphqlCode: "NOT_FOUND" },
  too_large: { httpStatus: 413, rpcCode: -32600, rpcHttpStatus: 413, graphqlCode: "BAD_USER_INPUT" },
  unsupported_media_type: { httpStatus: 415, rpcCode: -32600, rpcHttpStatus: 415, graphqlCode: "BAD_USER_INPUT" },
  /** RFC 9110, section 10.1.1: the request's `Expect`. */
  expectation_failed: { httpStatus: 417, rpcCode: -32600, rpcHttpStatus: 417, graphqlCode: "BAD_USER_INPUT" },
  rate_limited: { httpStatus: 429, rpcCode: -32005, rpcHttpStatus: 429, graphqlCode: "RATE_LIMITED" },
  /** The service has too much work at once. */
  overloaded: { httpStatus: 503, rpcCode: -32005, rpcHttpStatus: 503, graphqlCode: "OVERLOADED" },
  not_installed: { httpStatus: 404, rpcCode: -32601, rpcHttpStatus: 404, graphqlCode: "NOT_INSTALLED" },
  installing: { httpStatus: 503, rpcCode: -32603, rpcHttpStatus: 503, graphqlCode: "UPSTREAM_UNAVAILABLE" },
  upstream_unavailable: { httpStatus: 503, rpcCode: -32603, rpcHttpStatus: 503, graphqlCode: "UPSTREAM_UNAVAILABLE" },
  upstream_timeout: { httpStatus: 504, rpcCode: -32015, rpcHttpStatus: 504, graphqlCode: "UPSTREAM_TIMEOUT" },
  internal: { httpStatus: 500, rpcCode: -32603, graphqlCode: "INTERNAL_SERVER_ERROR" },
} as const;

errorAppearances satisfies Readonly<Record<string, ErrorAppearance>>;

/** Code of a `ServiceError`, which determines its HTTP status, JSON-RPC code and GraphQL code. */
export type ServiceErrorCode = keyof typeof errorAppearances;

/** Further facts of a `ServiceError`. */
export interface ServiceErrorOptions {
  /** Details for machines; public, sent as JSON-RPC `data` and GraphQL `extensions`. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  /** A JSON-RPC code of the API's own dialect, such as Bitcoin Core's -5 or -8, in place of the table's. */
  readonly rpcCode?: number | undefined;
  /** Value of `Retry-After`, in integer seconds. */
  readonly retryAfterSeconds?: number | undefined;
  /** Cause for logs only; never sent. */
  readonly cause?: unknown;
}

/** A failure of a request, an upstream or the service, as a client may see it: `message` and `details` are public. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly code: ServiceErrorCode;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly #rpcCode: number | undefined;

  constructor(code: ServiceErrorCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.#rpcCode = options.rpcCode;
  }

  get httpStatus(): number {
    return errorAppearances[this.code].httpStatus;
  }

  get rpcCode(): number {
    return this.#rpcCode ?? errorAppearances[this.code].rpcCode;
  }

  /** HTTP status of a JSON-RPC response that is this error alone. A batch is 200, whatever its members are. */
  get rpcHttpStatus(): number {
    const appearance: ErrorAppearance = errorAppearances[this.code];
    return appearance.rpcHttpStatus ?? 200;
  }

  get graphqlCode(): string {
    return errorAppearances[this.code].graphqlCode;
  }

  /**
   * Returns a `ServiceError` unchanged, and the public failure of an error of a lower layer. Anything else becomes `internal`, without its
   * text in the message.
   */
  static from(reason: unknown): ServiceError {
    if (isServiceError(reason)) return reason;
    if (hasPublicFailure(reason)) {
      const { code, message, retryAfterSeconds } = reason.publicFailure;
      return new ServiceError(code, message, { retryAfterSeconds, cause: reason });
    }
    return new ServiceError("internal", "Internal error", { cause: reason });
  }
}

/** Public part of an error whose own message is for the operator. */
interface PublicFailure {
  readonly code: ServiceErrorCode;
  readonly message: string;
  readonly retryAfterSeconds?: number | undefined;
}

function hasPublicFailure(reason: unknown): reason is Error & { readonly publicFailure: PublicFailure } {
  if (!(reason instanceof Error) || !("publicFailure" in reason)) return false;
  const { publicFailure } = reason;
  if (typeof publicFailure !== "object" || publicFailure === null) return false;
  if (!("code" in publicFailure) || !("message" in publicFailure)) return false;
  return typeof publicFailure.code === "string" && Object.hasOwn(errorAppearances, publicFailure.code);
}

/**
 * Returns whether a value is a `ServiceError`. Compares the name, because `instanceof` fails when two copies of this package are installed.
 */
export function isServiceError(value: unknown): value is ServiceError {
  return value instanceof Error && value.name === "ServiceError";
}
