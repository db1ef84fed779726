/**
 * Program of the indexer process: forked by `startIndexer`, it receives its configuration as its first message, so that no credentials are
 * in its arguments or environment, and sends its events back.
 *
 * It ends on SIGTERM, and with its parent.
 */
import { constants, setPriority } from "node:os";
import type { Network } from "@nodewright/bitcoin-primitives";
import { endWithParent } from "./process/end-with-parent.ts";
import { isIndexerError } from "./basics/indexer-error.ts";
import type { IndexerEvent } from "./sync/indexer-event.ts";
import type { IndexerMessage } from "./indexer-message.ts";
import { createConfiguredMempool } from "./configured-mempool.ts";
import { runIndexer } from "./sync/run-indexer.ts";
import type { BlockSource } from "./source/block-source.ts";
import { assertSpace, storeFailure, systemErrorName } from "./basics/store-failure.ts";
import { createConfiguredSource, type IndexerConfiguration, networkOf, repairHintOf } from "./source-configuration.ts";
import { openEmbeddedStore } from "./engine/embedded-store.ts";
import type { IndexStore } from "./engine/index-store.ts";
import { type BlockRepairOutcome, repairReportedBlocks, repairReportedBlocksOnce } from "./sync/repair-blocks.ts";

/** Milliseconds between two messages about the responses of a node. */
const responseIntervalMilliseconds = 1_000;

const stopping = new AbortController();
let lastDelivery: Promise<void> = Promise.resolve();
let reportedResponse: number | undefined;

// This comes before the priority is lowered: each thread inherits it.
endWithParent();

// When it and the serving processes want the same core, clients go first. This comes before any thread of ours is started: each inherits
// it.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

process.on("SIGTERM", () => stopping.abort());
// A terminal sends it to parent and child alike; the parent ends this process in its own order.
process.on("SIGINT", () => undefined);

process.once("message", async (configuration: IndexerConfiguration) => {
  try {
    await index(configuration);
    process.exitCode = 0;
  } catch (reason) {
    process.exitCode = 1;
    if (!isIndexerError(reason)) console.error(reason);
  }
  await lastDelivery;
  process.exit();
});

async function index(configuration: IndexerConfiguration): Promise<void> {
  const network = networkOf(configuration);
  const store = await openStore(configuration, network).catch(failBeforeStart);
  try {
    const source = await createConfiguredSource(configuration.source, network).catch(failBeforeStart);
    try {
      const mempool = await createConfiguredMempool(configuration, store, (progress) =>
        send({ mempool: progress }),
      ).catch(failBeforeStart);
      const mempoolRun = mempool.run(stopping.signal);
      const repairRun = store.repairs && repairReportedBlocks(store.repairs, source, stopping.signal, reportRepair);
      repairRun?.catch((reason: unknown) => console.error(reason));
      const responses = setInterval(() => reportResponses(source), responseIntervalMilliseconds);
      const onEvent = (event: IndexerEvent): void => {
        send(event);
        mempool.wake();
      };
      try {
        await runIndexer({ store, source, onEvent, reorganise: mempool.reorganise, signal: stopping.signal });
        // A source that never changes ends this process before the repairs have had their time.
        if (store.repairs !== undefined)
          await repairReportedBlocksOnce(store.repairs, source, stopping.signal, reportRepair);
      } finally {
        stopping.abort();
        clearInterval(responses);
        await mempoolRun;
        await repairRun?.catch(() => undefined);
      }
    } finally {
      await source.close();
    }
  } finally {
    await store.close();
  }
}

function reportRepair(repair: BlockRepairOutcome): void {
  send({ repair });
}

async function openStore(configuration: IndexerConfiguration, network: Network): Promise<IndexStore> {
  const { directory, addressSearch, blocksInPlace } = configuration;
  const repairHint = (): string => repairHintOf(configuration.source);
  assertSpace(directory);
  for (;;) {
    try {
      return await openEmbeddedStore(directory, network, { addressSearch, blocksInPlace, repairHint });
    } catch (reason) {
      const isLocked = isIndexerError(reason) && reason.code === "directory-locked";
      if (!isLocked || stopping.signal.aborted) throw reason;
      // Its owner may be about to end.
      send(failureBeforeStart(reason));
    }
  }
}

function reportResponses({ respondedAt }: BlockSource): void {
  if (respondedAt === undefined || respondedAt === reportedResponse) return;
  reportedResponse = respondedAt;
  send({ respondedAt });
}

function send(message: IndexerMessage): void {
  lastDelivery = new Promise((resolve) => {
    // Delivered, or no parent is left to receive it.
    if (process.send === undefined || !process.connected) resolve();
    else process.send(message, () => resolve());
  });
}

function failBeforeStart(reason: unknown): never {
  send(failureBeforeStart(reason));
  throw reason;
}

function failureBeforeStart(cause: unknown): IndexerEvent {
  const reason = systemErrorName(cause) === undefined ? cause : storeFailure(cause);
  return {
    // The parent restarts a stalled indexer.
    state: isIndexerError(reason) && reason.retry ? "stalled" : "failed",
    height: -1,
    targetHeight: -1,
    blocks: 0,
    transactions: 0,
    bytes: 0,
    megabytesPerSecond: 0,
    reason: isIndexerError(reason) ? reason.message : "The indexer could not be started.",
  };
}
