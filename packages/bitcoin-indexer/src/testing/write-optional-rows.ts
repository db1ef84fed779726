import { blockFilters } from "../optional/block-filters.ts";
import { optionalDirectory } from "../optional/optional-directory.ts";
import type { OptionalIndexName } from "../optional/optional-progress.ts";
import { optionalTables } from "../optional/optional-table.ts";
import { Environment } from "../store/environment.ts";

/** All optional indexes have the same tables; only the bytes of their rows are written here. */
const { all, best } = optionalTables(blockFilters);

/** Writes rows of an optional index of a data directory, in one transaction. */
export async function writeOptionalRows(
  dataDirectory: string,
  index: OptionalIndexName,
  action: (environment: Environment) => void,
): Promise<void> {
  const environment = new Environment(optionalDirectory(dataDirectory, index).rows, "write", { tables: all });
  environment.write(() => action(environment));
  await environment.close();
}

/** Changes one bit of a row; a negative `byte` counts from the row's end. */
export function flipRowBit(
  environment: Environment,
  table: { readonly name: string },
  key: Uint8Array,
  byte: number,
): void {
  const view = environment.getBytes(table, key);
  if (view === undefined) throw new Error(`The table ${table.name} has no such row`);
  const bytes = Uint8Array.from(view);
  const at = byte < 0 ? bytes.length + byte : byte;
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  environment.putBytes(table, key, bytes, false);
}

/** Changes the last bit of the row of the block at a height. */
export async function changeOptionalRow(
  dataDirectory: string,
  index: OptionalIndexName,
  height: number,
): Promise<void> {
  await writeOptionalRows(dataDirectory, index, (environment) => {
    flipRowBit(environment, best, best.key(height), -1);
  });
}
