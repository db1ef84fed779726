/**
 * Program of the process of optional indexes: forked next to the indexer once there is a main index, which it only reads. So neither blocks
 * nor clients wait for it, and its failures stay isolated.
 *
 * It ends on SIGTERM, with its parent, and when it has all of a main index that is complete.
 */
import { constants, setPriority } from "node:os";
import { networks } from "@nodewright/bitcoin-primitives";
import { openChainIndex } from "./chain-index-reader.ts";
import { endWithParent } from "./process/end-with-parent.ts";
import { isIndexerError } from "./basics/indexer-error.ts";
import { lockDirectory } from "./store/directory-lock.ts";
import { storeFailure } from "./basics/store-failure.ts";
import { blockFilters } from "./optional/block-filters.ts";
import { coinStatistics } from "./optional/coin-statistics.ts";
import { followMainIndex } from "./optional/follow-main-index.ts";
import { createMainIndexChanges } from "./optional/main-index-changes.ts";
import { makeOptionalIndexesDirectory } from "./optional/optional-directory.ts";
import type { MessageFromOptional, MessageToOptional, OptionalConfiguration } from "./optional/optional-message.ts";
import type { OptionalIndexName } from "./optional/optional-progress.ts";

const stopping = new AbortController();
const changes = createMainIndexChanges();
let isComplete = false;
let lastDelivery: Promise<void> = Promise.resolve();

// This comes before the priority is lowered: each thread inherits it.
endWithParent();

// Indexing blocks has priority, and clients before that.
setPriority(constants.priority.PRIORITY_LOW);

process.on("SIGTERM", () => stopping.abort());
// A terminal sends it to parent and child alike; the parent ends this process in its own order.
process.on("SIGINT", () => undefined);

process.on("message", (message: MessageToOptional) => {
  if (message.kind === "configuration") void begin(message);
  if (message.kind === "complete") isComplete = true;
  changes.notify();
});

async function begin(configuration: OptionalConfiguration): Promise<void> {
  try {
    await run(configuration);
    process.exitCode = 0;
  } catch (reason) {
    process.exitCode = 1;
    const failure = isIndexerError(reason) ? reason : storeFailure(reason);
    if (!failure.retry && !isIndexerError(reason)) console.error(reason);
    for (const index of chosen(configuration)) {
      const state = failure.retry ? "stalled" : "failed";
      send({ index, state, height: -1, targetHeight: -1, reason: failure.message });
    }
  }
  await lastDelivery;
  process.exit();
}

async function run(configuration: OptionalConfiguration): Promise<void> {
  const { directory } = configuration;
  const lock = await lockDirectory(makeOptionalIndexesDirectory(directory));
  try {
    const chain = openChainIndex(directory, {
      network: networks[configuration.network],
      repairHint: () => configuration.repairHint,
    });
    const shared = {
      dataDirectory: directory,
      chain,
      signal: stopping.signal,
      isComplete: () => isComplete,
      onProgress: send,
    };
    try {
      await Promise.all([
        configuration.blockFilters === true
          ? followMainIndex({ ...shared, kind: blockFilters, changed: changes.listen() })
          : undefined,
        configuration.coinStatistics === true
          ? followMainIndex({ ...shared, kind: coinStatistics, changed: changes.listen() })
          : undefined,
      ]);
    } finally {
      await chain.close();
    }
  } finally {
    lock.release();
  }
}

function chosen({ blockFilters: filters, coinStatistics: statistics }: OptionalConfiguration): OptionalIndexName[] {
  return [...(filters === true ? [blockFilters.name] : []), ...(statistics === true ? [coinStatistics.name] : [])];
}

function send(message: MessageFromOptional): void {
  lastDelivery = new Promise((resolve) => {
    // Delivered, or no parent is left to receive it.
    if (process.send === undefined || !process.connected) resolve();
    else process.send(message, () => resolve());
  });
}
