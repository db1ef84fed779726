/**
 * An indexer as a process of its own, for tests that kill it or take its disk away: indexes the block files of one directory in bulk,
 * and ends. Arguments: the data directory, the block files, the limits as JSON. Prints what it could not do.
 */
import { networks } from "@nodewright/bitcoin-primitives";
import type { BulkLimits } from "../bulk/bulk-target.ts";
import { isIndexerError } from "../indexer-error.ts";
import type { IndexerEvent } from "../indexer-event.ts";
import { runIndexer } from "../run-indexer.ts";
import { createBlockFileSource } from "../source/block-file-source.ts";
import { openEmbeddedStore } from "../store/embedded-store.ts";

const [directory = "", path = "", limits = "{}"] = process.argv.slice(2);
const network = networks.regtest;

try {
  const store = await openEmbeddedStore(directory, network);
  try {
    const bulkLimits = JSON.parse(limits) as Partial<BulkLimits>;
    const onEvent = ({ state, reason }: IndexerEvent): void => {
      process.stdout.write(".");
      if (state === "stalled") console.error(`${state}: ${reason}`);
    };
    await runIndexer({ store, source: createBlockFileSource(path, network), bulkLimits, onEvent });
  } finally {
    await store.close();
  }
} catch (reason) {
  process.exitCode = 1;
  console.error(isIndexerError(reason) ? `${reason.code}: ${reason.message}` : reason);
}
