import { toHex } from "@nodewright/bitcoin-primitives";
import { blockFilters } from "../optional/block-filters.ts";
import { coinStatistics } from "../optional/coin-statistics.ts";
import { optionalDirectory } from "../optional/optional-directory.ts";
import { optionalTables } from "../optional/optional-table.ts";
import { Environment } from "../store/environment.ts";

/**
 * Returns the rows of the best chain in both optional indexes of a data directory, in hex by index and height; they must not be written
 * meanwhile.
 */
export async function optionalRowsOf(dataDirectory: string): Promise<Readonly<Record<string, string>>> {
  const rows: Record<string, string> = {};
  for (const { name, best, tips, all } of [
    { name: blockFilters.name, ...optionalTables(blockFilters) },
    { name: coinStatistics.name, ...optionalTables(coinStatistics) },
  ]) {
    const environment = new Environment(optionalDirectory(dataDirectory, name).rows, "read", { tables: all });
    for (const { key, value } of environment.everyRow(best)) rows[`${name} ${toHex(key)}`] = toHex(value);
    rows[`${name} tip`] = String(environment.get(tips));
    await environment.close();
  }
  return rows;
}
