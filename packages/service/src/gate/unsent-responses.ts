import { graphqlErrorResponse, ServiceError } from "@nodewright/runtime";
import type { FastifyInstance } from "fastify";

export interface UnsentResponsesOptions {
  /** Maximum bytes of responses that clients have not read yet, of all clients together. */
  readonly maximumBytes: number;
  /** Minimum length of a counted response. */
  readonly minimumLength: number;
  /** Milliseconds until the connection of a client that does not read is closed, in addition to those for the length of the response. */
  readonly readTimeoutMilliseconds: number;
  /** Minimum rate at which a client must read. */
  readonly bytesPerSecond: number;
}

/** Limits for 512 responses of a megabyte, to clients with 400 kbit/s. */
export const defaultUnsentResponses: UnsentResponsesOptions = {
  maximumBytes: 512 * 1024 * 1024,
  minimumLength: 64 * 1024,
  readTimeoutMilliseconds: 30_000,
  bytesPerSecond: 50_000,
};

const retryAfterSeconds = 2;

/**
 * Limits the memory of responses that clients read slowly: beyond the limit, an error is sent instead of a long response. A client that does
 * not read in time is disconnected. For routes with GraphQL responses.
 */
export function limitUnsentResponses(scope: FastifyInstance, options: UnsentResponsesOptions): void {
  const { maximumBytes, minimumLength, readTimeoutMilliseconds, bytesPerSecond } = options;
  let unsent = 0;
  scope.addHook("onSend", (_request, reply, payload, done) => {
    if (typeof payload !== "string" || payload.length < minimumLength) {
      done(null, payload);
      return;
    }
    const { length } = payload;
    if (unsent + length > maximumBytes) {
      const { status, headers, body } = graphqlErrorResponse(tooManyUnsent());
      reply.code(status).headers(headers);
      done(null, body);
      return;
    }
    unsent += length;
    const response = reply.raw;
    const timer = setTimeout(() => response.destroy(), readTimeoutMilliseconds + (length / bytesPerSecond) * 1_000);
    timer.unref();
    response.once("close", () => {
      clearTimeout(timer);
      unsent -= length;
    });
    done(null, payload);
  });
}

function tooManyUnsent(): ServiceError {
  return new ServiceError("overloaded", "Too many long responses are being sent; try again, or request less at once", {
    retryAfterSeconds,
  });
}
