import type { Socket } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** Bytes up to which a body is read and discarded, so that the connection can be reused. */
const discardedBytes = 64 * 1024;

/** Limits of the reading and discarding of what a client continues to send before its connection is cut. */
export interface LingerLimits {
  /** Milliseconds from the end of the response. */
  readonly milliseconds: number;
  /** Milliseconds without a byte from the client. */
  readonly idleMilliseconds: number;
  readonly bytes: number;
}

/** Limits with which a client that reads nothing before it has sent its body, over a slow line, still gets its response. */
const defaultLingerLimits: LingerLimits = {
  milliseconds: 30_000,
  idleMilliseconds: 5_000,
  bytes: 256 * 1024 * 1024,
};

const checkMilliseconds = 100;

/**
 * Ends the connection with each response that is sent before the body of its request has arrived, unless that body is small.
 *
 * The rest of the body is read and discarded: the kernel resets a connection that is closed with unread bytes, and the client would lose
 * the response with the reason.
 */
export function lingerAfterReplies(instance: FastifyInstance, limits: LingerLimits = defaultLingerLimits): void {
  instance.addHook("onSend", (request, reply, payload, done) => {
    if (endsConnection(request, reply)) {
      reply.header("connection", "close");
      const { raw } = request;
      raw.socket.destroySoon = () => closeLingering(raw.socket, limits);
      raw.unpipe();
      raw.resume();
    }
    done(null, payload);
  });
}

function endsConnection({ raw }: FastifyRequest, reply: FastifyReply): boolean {
  const length = raw.headers["content-length"];
  const isChunked = raw.headers["transfer-encoding"] !== undefined;
  if ((!isChunked && (length === undefined || length === "0")) || raw.complete) return false;
  return isChunked || Number(length) > discardedBytes || reply.getHeader("connection") === "close";
}

const isLingering: unique symbol = Symbol("is lingering");

/** Closes the sending side at once, and the connection when the client has closed its side or has used up `limits`. */
export function closeLingering(
  socket: Socket & { [isLingering]?: boolean },
  limits: LingerLimits = defaultLingerLimits,
): void {
  // A destroyed connection has nothing left to wait for: it has emitted its `close`.
  if (socket[isLingering] === true || socket.destroyed) return;
  socket[isLingering] = true;
  socket.end();
  const startedAt = performance.now();
  const maximumBytes = socket.bytesRead + limits.bytes;
  let last = { bytes: socket.bytesRead, at: startedAt };
  const timer = setInterval(() => {
    const now = performance.now();
    if (socket.bytesRead > last.bytes) last = { bytes: socket.bytesRead, at: now };
    const isUsedUp = now - startedAt >= limits.milliseconds || last.bytes > maximumBytes;
    if (isUsedUp || now - last.at >= limits.idleMilliseconds) socket.destroy();
  }, checkMilliseconds).unref();
  socket.once("close", () => clearInterval(timer));
}
