import { dirname, join } from "node:path";
import { IndexerError, type IndexerErrorOptions } from "../basics/indexer-error.ts";

/**
 * Returns the error for damage to the tables in an LMDB directory. Its remedy is to delete the directory, which is then rebuilt. `reason`
 * goes into parentheses; `offset` is a byte of its data file, where that is known.
 */
export function damagedTables(
  directory: string,
  reason: string,
  { offset, cause }: { readonly offset?: number; readonly cause?: IndexerErrorOptions["cause"] } = {},
): IndexerError {
  const file = join(directory, "data.mdb");
  return new IndexerError(
    "tables-damaged",
    `The tables of the index in ${file} are damaged (${reason}): ` +
      `nodewright-service verify lists what is; delete ${dirname(directory)} to index anew.`,
    { cause, place: offset === undefined ? { file } : { file, offset } },
  );
}
