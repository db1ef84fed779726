/**
 * An indexer as a process of its own, for tests that kill it or remove its disk: it indexes block files, or a node's chain, in bulk, and
 * ends. Arguments: the data directory, the block files or the node's address, the limits of bulk and of batches as JSON. It prints its
 * failures.
 */
import { networks } from "@nodewright/bitcoin-primitives";
import { createHttpUpstream } from "@nodewright/upstream";
import type { BulkLimits } from "../bulk/bulk-target.ts";
import { isIndexerError } from "../basics/indexer-error.ts";
import type { IndexerEvent } from "../sync/indexer-event.ts";
import { type BatchLimits, runIndexer } from "../sync/run-indexer.ts";
import { createBlockFileSource } from "../source/block-file-source.ts";
import { createNodeSource } from "../source/node-source.ts";
import { openEmbeddedStore } from "../engine/embedded-store.ts";

const [directory = "", place = "", limits = "{}", batches = "null"] = process.argv.slice(2);
const network = networks.regtest;

try {
  const store = await openEmbeddedStore(directory, network);
  const source = place.startsWith("http:")
    ? createNodeSource(createHttpUpstream({ url: place }), network)
    : createBlockFileSource(place, network);
  const stopping = new AbortController();
  try {
    const bulkLimits = JSON.parse(limits) as Partial<BulkLimits>;
    const onEvent = ({ state, reason }: IndexerEvent): void => {
      process.stdout.write(".");
      if (state === "stalled") console.error(`${state}: ${reason}`);
      // A node may have more later.
      if (state === "ready") stopping.abort();
    };
    const batchLimits = (JSON.parse(batches) as BatchLimits | null) ?? undefined;
    await runIndexer({ store, source, bulkLimits, batchLimits, onEvent, signal: stopping.signal });
  } finally {
    await source.close();
    await store.close();
  }
} catch (reason) {
  process.exitCode = 1;
  console.error(isIndexerError(reason) ? `${reason.code}: ${reason.message}` : reason);
}
