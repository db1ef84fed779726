import { graphqlErrorAnswer, ServiceError } from "@nodewright/runtime";
import type { FastifyInstance } from "fastify";

export interface UnsentAnswersOptions {
  /** Most bytes of answers that are written and have not gone out, of all callers together. */
  readonly bytes: number;
  /** Shorter answers are not counted. */
  readonly shortest: number;
  /** For so long a caller may take to read, and a second more for each `bytesPerSecond`; then its connection is closed. */
  readonly patienceMilliseconds: number;
  readonly bytesPerSecond: number;
}

/** 512 full answers of a megabyte, to callers who read as slowly as a poor telephone. */
export const defaultUnsentAnswers: UnsentAnswersOptions = {
  bytes: 512 * 1024 * 1024,
  shortest: 64 * 1024,
  patienceMilliseconds: 30_000,
  bytesPerSecond: 50_000,
};

const retryAfterSeconds = 2;

/**
 * Bounds the memory of answers that callers are slow to read: beyond the bound long answers are refused in place of being sent, and who
 * does not read at all is not waited for. For routes whose answers are GraphQL.
 */
export function limitUnsentAnswers(scope: FastifyInstance, options: UnsentAnswersOptions): void {
  const { bytes, shortest, patienceMilliseconds, bytesPerSecond } = options;
  let unsent = 0;
  scope.addHook("onSend", (_request, reply, payload, done) => {
    if (typeof payload !== "string" || payload.length < shortest) {
      done(null, payload);
      return;
    }
    const { length } = payload;
    if (unsent + length > bytes) {
      const { status, headers, body } = graphqlErrorAnswer(tooManyUnsent());
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
  return new ServiceError("overloaded", "Too many long answers wait to be read; ask again, or for less at once", {
    retryAfterSeconds,
  });
}
