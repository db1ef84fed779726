import { expect, it } from "vitest";
import { scriptStatistics, transactionNumbers } from "../store/layout.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import type { SortedTable } from "./bulk-journal.ts";
import { recordShapes, spendFlag } from "./joined-rows.ts";
import { MergedRuns } from "./merged-runs.ts";
import { writeWordFile } from "./run-file.ts";
import { createRowMakers } from "./sorted-tables.ts";

interface MadeRow {
  readonly table: string;
  readonly key: Buffer;
  readonly value: Buffer;
}

/** Returns the rows built from sorted records, and the number of records of each step. */
async function rowsOf(name: SortedTable, records: readonly (readonly number[])[]) {
  return await withTemporaryDirectory(async (directory) => {
    const file = writeWordFile(directory, "run", Uint32Array.from(records.flat()));
    const merged = new MergedRuns(directory, [file], recordShapes[name]);
    const rows: MadeRow[] = [];
    const counts: number[] = [];
    const make = createRowMakers()[name];
    for (let isLeft = merged.next(); isLeft; ) {
      const made = make(merged, ({ name: table }, key, value) => {
        rows.push({ table, key: Buffer.from(key), value: Buffer.from(value) });
      });
      counts.push(made.count);
      isLeft = made.isLeft;
    }
    merged.close();
    return { rows, counts };
  });
}

it("puts transactions whose txids begin alike into one row, ascending", async () => {
  const { rows, counts } = await rowsOf("numbers", [
    [1, 2, 5],
    [1, 2, 9],
    [1, 3, 4],
  ]);
  const alike = Buffer.from("0000000100000002", "hex");
  expect(rows.map(({ key }) => key)).toEqual([alike, Buffer.from("0000000100000003", "hex")]);
  expect(rows.map(({ value }) => transactionNumbers.decode(value, alike))).toEqual([[5, 9], [4]]);
  expect(counts).toEqual([2, 1]);
});

it("adds amounts up beyond what a number holds exactly", async () => {
  const money = 2_100_000_000_000_000;
  const [high, low] = [Math.floor(money / 2 ** 32), money % 2 ** 32];
  const funded = Array.from({ length: 9 }, (_, number) => [1, 2, 3, 4, number, high, low]);
  const spent = Array.from({ length: 3 }, (_, number) => [1, 2, 3, 4, number + 9, (high | spendFlag) >>> 0, low]);
  const { rows } = await rowsOf("scripts", [...funded, ...spent, [1, 2, 3, 4, 12, 0, 1]]);
  const row = rows.find(({ table }) => table === scriptStatistics.name);
  expect(row && scriptStatistics.decode(row.value, row.key)).toEqual({
    transactions: 13,
    fundedOutputs: 10,
    fundedValue: 9n * BigInt(money) + 1n,
    spentOutputs: 3,
    spentValue: 3n * BigInt(money),
    newestHistoryRow: 0,
  });
});
