import { dataDirectory } from "../store/data-directory.ts";
import { Environment } from "../store/environment.ts";
import { bestChainTables } from "../store/layout.ts";

/**
 * Compares the best chain's tables of two data directories byte for byte; nobody may be writing them.
 *
 * Gives a sentence for each table that differs; none when the indexes are equal.
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
  const leftRows = rowsOf(table, left);
  const rightRows = rowsOf(table, right);
  const index = leftRows.findIndex((row, position) => row !== rightRows[position]);
  if (index === -1 && leftRows.length === rightRows.length) return undefined;
  const position = index === -1 ? leftRows.length : index;
  return (
    `${table.name}: ${leftRows.length} and ${rightRows.length} rows, ` +
    `the first difference at ${position}: ${leftRows[position] ?? "none"} and ${rightRows[position] ?? "none"}`
  );
}

function rowsOf(table: { readonly name: string }, environment: Environment): readonly string[] {
  return Array.from(environment.everyRow(table), ({ key, value }) => {
    return `${Buffer.from(key).toString("hex")}=${Buffer.from(value).toString("hex")}`;
  });
}
