import { join } from "node:path";
import { type IndexerError, isIndexerError } from "../basics/indexer-error.ts";
import { Environment, type EnvironmentOptions } from "../store/environment.ts";
import { LmdbPages } from "../store/lmdb-pages.ts";
import type { VerifyRun } from "./verify-run.ts";

/** Tables in one state, whatever is committed meanwhile. */
export interface PinnedTables {
  readonly environment: Environment;
  /** File that contains them. */
  readonly file: string;
  close(): Promise<void>;
}

/** Opens the tables in an LMDB directory and checks each of their pages. Returns `undefined` where some are damaged, which is reported. */
export async function openPinnedTables(
  run: VerifyRun,
  directory: string,
  options?: EnvironmentOptions,
): Promise<PinnedTables | undefined> {
  let tables: PinnedTables | undefined;
  let refusal: IndexerError | undefined;
  try {
    tables = pinTables(directory, options);
  } catch (reason) {
    if (!isIndexerError(reason)) throw reason;
    refusal = reason;
  }
  let isSound = false;
  try {
    await verifyPages(run, directory, refusal);
    isSound = run.damaged === 0;
  } finally {
    if (!isSound) await tables?.close();
  }
  return isSound ? tables : undefined;
}

/** Opens tables. Throws `IndexerError` where LMDB can't open the file safely: it follows invalid pointers. */
function pinTables(directory: string, options?: EnvironmentOptions): PinnedTables {
  const environment = new Environment(directory, "read", options);
  // Every page of the current tables stays unchanged until this is released.
  const release = environment.pin();
  return {
    environment,
    file: join(directory, "data.mdb"),
    async close() {
      release();
      await environment.close();
    },
  };
}

/** Checks the pages. `refusal`: known problem, which is reported where no page is found that describes it better. */
async function verifyPages(run: VerifyRun, directory: string, refusal: IndexerError | undefined): Promise<void> {
  const file = join(directory, "data.mdb");
  try {
    const pages = new LmdbPages(directory);
    try {
      let done = 0;
      for (const damage of pages.walk()) {
        done += 1;
        if (damage !== undefined) {
          const { table, offset, reason } = damage;
          run.report({ kind: "table", file, offset, table, reason: `the page at byte ${offset}: ${reason}` });
        }
        await run.takeTurn({ phase: "pages", done, total: pages.count });
      }
    } finally {
      pages.close();
    }
  } catch (reason) {
    if (refusal === undefined || !isIndexerError(reason)) throw reason;
  }
  if (refusal !== undefined && run.damaged === 0) {
    run.report({ kind: "table", file, ...refusal.place, reason: refusal.message });
  }
}
