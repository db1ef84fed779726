import type { FastifyInstance } from "fastify";

/** How long requests under way are given when a process stops. */
export const drainMilliseconds = 600;

/**
 * Closes a listener: no new connections, idle ones closed at once, those with a request under way when it is answered or
 * after `milliseconds`, whichever is sooner.
 */
export async function closeWithin(listener: FastifyInstance, milliseconds: number): Promise<void> {
  const cut = setTimeout(() => listener.server.closeAllConnections(), milliseconds);
  try {
    await listener.close();
  } finally {
    clearTimeout(cut);
  }
}
