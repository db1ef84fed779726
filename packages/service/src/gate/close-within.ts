import type { FastifyInstance } from "fastify";

/** Milliseconds that requests in flight get when a process stops. */
export const drainMilliseconds = 600;

/**
 * Closes a listener: no new connections, idle ones closed at once, those with a request in flight when its response is sent or after
 * `milliseconds`, whichever is sooner.
 */
export async function closeWithin(listener: FastifyInstance, milliseconds: number): Promise<void> {
  const cut = setTimeout(() => listener.server.closeAllConnections(), milliseconds);
  try {
    await listener.close();
  } finally {
    clearTimeout(cut);
  }
}
