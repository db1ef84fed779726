import { join } from "node:path";
import { IndexerError, type IndexerErrorOptions } from "../indexer-error.ts";

/** Describes damage to the tables in an LMDB directory. `reason` goes into parentheses; the offset is a byte of its data file. */
export function damagedTables(
  directory: string,
  reason: string,
  { offset = 0, cause }: { readonly offset?: number; readonly cause?: IndexerErrorOptions["cause"] } = {},
): IndexerError {
  const file = join(directory, "data.mdb");
  return new IndexerError(
    "tables-damaged",
    `The tables of the index in ${file} are damaged (${reason}): ` +
      "nodewright-service verify lists what is; delete the data directory to index anew.",
    { cause, place: { file, offset } },
  );
}
