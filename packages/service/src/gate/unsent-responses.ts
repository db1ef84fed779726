import { graphqlErrorResponse, ServiceError } from "@nodewright/runtime";
import type { FastifyInstance } from "fastify";

export interface UnsentResponsesOptions {
  /** Maximum bytes of responses that are written and not sent yet, of all clients together. */
  readonly bytes: number;
  /** Length below which responses are not counted. */
  readonly shortest: number;
  /** Milliseconds that a client may take to read, and a second more for each `bytesPerSecond`; then its connection is closed. */
  readonly patienceMilliseconds: number;
  readonly bytesPerSecond: number;
}

/** Limits for 512 full responses of a megabyte, to clients with a connection as slow as a poor telephone line. */
export const defaultUnsentResponses: UnsentResponsesOptions = {
  bytes: 512 * 1024 * 1024,
  shortest: 64 * 1024,
  patienceMilliseconds: 30_000,
  bytesPerSecond: 50_000,
};

const retryAfterSeconds = 2;

/**
 * Limits the memory of responses that clients read slowly: beyond the limit long responses are rejected instead of being sent, and a client
 * that does not read at all is disconnected. For routes with GraphQL responses.
 */
export function limitUnsentResponses(scope: FastifyInstance, options: UnsentResponsesOptions): void {
  const { bytes, shortest, patienceMilliseconds, bytesPerSecond } = options;
  let unsent = 0;
  scope.addHook("onSend", (_request, reply, payload, done) => {
    if (typeof payload !== "string" || payload.length < shortest) {
      done(null, payload);
      return;
    }
    const { length } = payload;
    if (unsent + length > bytes) {
      const { status, headers, body } = graphqlErrorResponse(tooManyUnsent());
      reply.code(status).headers(headers);
      done(null, body);
      return;
    }
    unsent += length;
    const response = reply.raw;
    const timer = setTimeout(() => response.destroy(), patienceMilliseconds + (length / bytesPerSecond) * 1_000);
    timer.unref();
    response.once("close", () => {
      clearTimeout(timer);
      unsent -= length;
    });
    done(null, payload);
  });
}

function tooManyUnsent(): ServiceError {
  return new ServiceError("overloaded", "Too many long responses wait to be read; try again, or request less at once", {
    retryAfterSeconds,
  });
}
