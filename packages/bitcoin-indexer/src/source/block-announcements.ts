import { IndexerError } from "../indexer-error.ts";

/** Word of new blocks from a node that publishes it. */
export interface BlockAnnouncements {
  /** Resolves at the next word. Rejects when `signal` is aborted. */
  next(signal: AbortSignal): Promise<void>;
  close(): void;
}

/** What Bitcoin Core publishes for each new best block (`-zmqpubhashblock`). */
const topic = "hashblock";

/**
 * Listens to a node's ZMQ publisher at an address like `tcp://127.0.0.1:28332`. A node that is not there yet, or is gone for a while,
 * is connected to again by itself.
 *
 * Throws `IndexerError` when the npm package zeromq is not installed, or the address is none.
 */
export async function listenForBlocks(address: string): Promise<BlockAnnouncements> {
  // Installed by those who want it: it brings libzmq for every platform.
  const { Subscriber } = await import("zeromq").catch((cause: unknown) => {
    throw new IndexerError(
      "source-unusable",
      "The npm package zeromq is not installed: install it, or leave ZMQ out; the node is asked for new blocks every second.",
      { cause },
    );
  });
  const socket = new Subscriber();
  try {
    socket.connect(address);
    socket.subscribe(topic);
  } catch (cause) {
    socket.close();
    throw new IndexerError("source-unusable", `${address} is no address of a ZMQ publisher.`, { cause });
  }
  let word = Promise.withResolvers<void>();
  const listen = async (): Promise<void> => {
    for await (const _message of socket) {
      word.resolve();
      word = Promise.withResolvers<void>();
    }
  };
  // It ends when the socket is closed; what goes wrong in it is made good by asking.
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
