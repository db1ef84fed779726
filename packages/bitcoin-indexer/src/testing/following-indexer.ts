import type { IndexerEvent } from "../sync/indexer-event.ts";
import { type RunIndexerOptions, runIndexer } from "../sync/run-indexer.ts";
import type { BlockSource } from "../source/block-source.ts";
import { openEmbeddedStore } from "../engine/embedded-store.ts";
import type { IndexStore } from "../engine/index-store.ts";
import { withTemporaryDirectory } from "./temporary-directory.ts";

/** An indexer that follows a source, with its reports. */
export interface Following {
  readonly directory: string;
  readonly store: IndexStore;
  readonly events: readonly IndexerEvent[];
  /** Values that `RunIndexerOptions.reorganise` received, for each reorganization. */
  readonly switchHeights: readonly (number | undefined)[];
  /** Resolves with the next matching event, from now on. */
  until(fits: (event: IndexerEvent) => boolean): Promise<IndexerEvent>;
}

/** Runs an indexer over `source` in a directory of its own while `action` runs; closes the source. */
export async function follow(
  source: BlockSource,
  action: (following: Following) => Promise<void>,
  options: Pick<RunIndexerOptions, "bulkLimits"> = {},
): Promise<void> {
  await withTemporaryDirectory(async (directory) => {
    const store = await openEmbeddedStore(directory, source.network);
    const stop = new AbortController();
    const events: IndexerEvent[] = [];
    const switchHeights: (number | undefined)[] = [];
    const waiting = new Set<(event: IndexerEvent) => void>();
    const running = runIndexer({
      ...options,
      store,
      source,
      signal: stop.signal,
      reorganise: (_forkHeight, commit, switchHeight) => {
        switchHeights.push(switchHeight);
        return commit();
      },
      onEvent: (event) => {
        events.push(event);
        for (const notify of waiting) notify(event);
      },
    });
    const until: Following["until"] = (fits) =>
      new Promise((resolve) => {
        const notify = (event: IndexerEvent): void => {
          if (!fits(event)) return;
          waiting.delete(notify);
          resolve(event);
        };
        waiting.add(notify);
      });
    try {
      await action({ directory, store, events, switchHeights, until });
    } finally {
      stop.abort();
      await running;
      await source.close();
      await store.close();
    }
  });
}

/** Returns a predicate for `Following.until`. */
export function isReadyAt(height: number): (event: IndexerEvent) => boolean {
  return (event) => event.state === "ready" && event.height === height;
}
