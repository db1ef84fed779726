/**
 * The indexer as a process of its own: forked by `startIndexer`, it gets its configuration as its first message, so that no
 * credentials stand in its arguments or environment, and sends its events back.
 *
 * It ends when it is asked to by SIGTERM or SIGINT, and when its parent is gone: whatever killed that, the channel to it closes.
 */
import { isIndexerError } from "./indexer-error.ts";
import type { IndexerEvent } from "./indexer-event.ts";
import { runIndexer } from "./run-indexer.ts";
import { createConfiguredSource, type IndexerConfiguration, networkOf } from "./source-configuration.ts";
import { openEmbeddedStore } from "./store/embedded-store.ts";

const stopping = new AbortController();

process.once("SIGTERM", () => stopping.abort());
// A terminal sends it to parent and child alike; the parent then ends this process.
process.once("SIGINT", () => stopping.abort());
process.once("disconnect", () => stopping.abort());

process.once("message", async (configuration: IndexerConfiguration) => {
  try {
    await index(configuration);
    process.exit(0);
  } catch (reason) {
    if (!isIndexerError(reason)) console.error(reason);
    process.exit(1);
  }
});

async function index(configuration: IndexerConfiguration): Promise<void> {
  const network = networkOf(configuration);
  const store = await openEmbeddedStore(configuration.directory, network).catch(async (reason: unknown) => {
    await send(failureBeforeStart(reason));
    throw reason;
  });
  try {
    const source = await createConfiguredSource(configuration.source, network);
    try {
      await runIndexer({ store, source, onEvent: send, signal: stopping.signal });
    } finally {
      await source.close();
    }
  } finally {
    await store.close();
  }
}

/** Resolves when the event is handed over, or nobody is there to take it. */
function send(event: IndexerEvent): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined || !process.connected) resolve();
    else process.send(event, () => resolve());
  });
}

function failureBeforeStart(reason: unknown): IndexerEvent {
  return {
    state: "failed",
    height: -1,
    targetHeight: -1,
    blocks: 0,
    transactions: 0,
    bytes: 0,
    megabytesPerSecond: 0,
    reason: isIndexerError(reason) ? reason.message : "The indexer could not be started.",
  };
}
