import { once } from "node:events";
import {
  type BlockSource,
  createBlockFileSource,
  createNodeSource,
  type IndexerEvent,
  isIndexerError,
  openEmbeddedStore,
  runIndexer,
} from "@nodewright/bitcoin-indexer";
import { type Network, networks } from "@nodewright/bitcoin-primitives";
import { createHttpUpstream } from "@nodewright/upstream";
import type { IndexerAssignment, IndexerSource } from "./node/fork-indexer.ts";

// The program of an indexer process: it does what the first message says, until it is asked to stop or its parent is gone.

const stopping = new AbortController();
process.on("SIGTERM", () => stopping.abort());
process.on("disconnect", () => stopping.abort());
// Ctrl-C reaches the whole terminal; the parent asks us to stop in its own order.
process.on("SIGINT", () => {});

/** Whether the parent already knows why this process ends. */
let hasFailed = false;

const [assignment] = await once(process, "message");
process.exitCode = await work(assignment);
if (process.connected) process.disconnect();

/** Gives the exit code. */
async function work({ directory, network: name, source: origin }: IndexerAssignment): Promise<number> {
  const network = networks[name];
  try {
    const store = await openEmbeddedStore(directory, network);
    const source = createSource(origin, network);
    try {
      await runIndexer({ store, source, signal: stopping.signal, onEvent: tell });
      return 0;
    } finally {
      await source.close();
      await store.close();
    }
  } catch (error) {
    if (!isIndexerError(error)) throw error;
    if (!hasFailed) tell(failureBeforeStart(error.message));
    return 1;
  }
}

function createSource(source: IndexerSource, network: Network): BlockSource {
  if (source.kind === "files") return createBlockFileSource(source.path, network);
  return createNodeSource(createHttpUpstream(source.node), network);
}

function tell(event: IndexerEvent): void {
  hasFailed ||= event.state === "failed";
  if (process.connected) process.send?.(event, () => {});
}

function failureBeforeStart(reason: string): IndexerEvent {
  const nothing = { height: -1, targetHeight: -1, blocks: 0, transactions: 0, bytes: 0, megabytesPerSecond: 0 };
  return { state: "failed", ...nothing, reason };
}
