import { toHex } from "@nodewright/bitcoin-primitives";
import { dataDirectory } from "../store/data-directory.ts";
import { Environment } from "../store/environment.ts";
import { bestChainTables } from "../store/layout.ts";

/**
 * Compares the best chain's tables of two data directories byte for byte; they must not be written meanwhile.
 *
 * Returns a sentence for each table that differs; none when the indexes are equal.
 */
export async function compareIndexes(leftPath: string, rightPath: string): Promise<readonly string[]> {
  const left = new Environment(dataDirectory(leftPath).index, "read");
  const right = new Environment(dataDirectory(rightPath).index, "read");
  try {
    return bestChainTables.map((table) => differenceOf(table, left, right)).filter((text) => text !== undefined);
  } finally {
    await left.close();
    await right.close();
  }
}

function differenceOf(table: { readonly name: string }, left: Environment, right: Environment): string | undefined {
  const rightRows = right.everyRow(table)[Symbol.iterator]();
  let position = 0;
  for (const row of left.everyRow(table)) {
    const other = rightRows.next();
    if (other.done === true || rowText(row) !== rowText(other.value)) {
      return `${table.name}: row ${position} is ${rowText(row)} and ${other.done === true ? "none" : rowText(other.value)}`;
    }
    position += 1;
  }
  const more = rightRows.next();
  return more.done === true ? undefined : `${table.name}: row ${position} is none and ${rowText(more.value)}`;
}

function rowText({ key, value }: { readonly key: Uint8Array; readonly value: Uint8Array }): string {
  return `${toHex(key)}=${toHex(value)}`;
}
