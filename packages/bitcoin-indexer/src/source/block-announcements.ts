import { IndexerError } from "../basics/indexer-error.ts";

/** Announcements of new blocks by a node. */
export interface BlockAnnouncements {
  /** Resolves at the next announcement. Rejects when `signal` is aborted. */
  next(signal: AbortSignal): Promise<void>;
  close(): void;
}

/** ZMQ topic that Bitcoin Core publishes for each new best block (`-zmqpubhashblock`). */
const topic = "hashblock";

/**
 * Subscribes to a node's ZMQ publisher at an address like `tcp://127.0.0.1:28332`. A node that is unavailable, at first or temporarily, is
 * reconnected automatically.
 *
 * Throws `IndexerError` when the npm package zeromq is not installed, or the address is invalid.
 */
export async function listenForBlocks(address: string): Promise<BlockAnnouncements> {
  // Installed on demand only: it includes libzmq for every platform.
  const { Subscriber } = await import("zeromq").catch((cause: unknown) => {
    throw new IndexerError(
      "source-unusable",
      "The npm package zeromq is not installed: install it, or leave ZMQ out; the node is polled for new blocks every second.",
      { cause },
    );
  });
  const socket = new Subscriber();
  try {
    socket.connect(address);
    socket.subscribe(topic);
  } catch (cause) {
    socket.close();
    throw new IndexerError("source-unusable", `${address} is not an address of a ZMQ publisher.`, { cause });
  }
  let word = Promise.withResolvers<void>();
  const listen = async (): Promise<void> => {
    for await (const _message of socket) {
      word.resolve();
      word = Promise.withResolvers<void>();
    }
  };
  // It ends when the socket is closed. Polling compensates for its failures.
  listen().catch(() => undefined);
  return {
    next: (signal) => abortable(word.promise, signal),
    close: () => socket.close(),
  };
}

async function abortable(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
