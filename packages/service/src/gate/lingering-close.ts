import type { FastifyReply, FastifyRequest } from "fastify";

/** Bodies up to here are read and thrown away, so that the connection can be used again. */
const discardedBytes = 64 * 1024;
/** How long a caller that goes on sending is given to read the answer before the connection is cut. */
const lingerMilliseconds = 1_000;

/**
 * Ends the connection with the reply when a request with a large body was refused.
 *
 * The body is not kept. What still arrives is thrown away for a moment: a connection closed at once is reset by the
 * kernel, and the caller might never see why.
 */
export function closeAfterReply(request: FastifyRequest, reply: FastifyReply): void {
  const { headers, socket } = request.raw;
  const length = headers["content-length"];
  const isSmall = headers["transfer-encoding"] === undefined && Number(length ?? 0) <= discardedBytes;
  if (isSmall || request.raw.complete || socket === undefined || reply.sent) return;
  reply.header("connection", "close");
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), lingerMilliseconds).unref();
  };
  request.raw.resume();
}
