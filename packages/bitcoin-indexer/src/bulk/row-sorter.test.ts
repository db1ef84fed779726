import fc from "fast-check";
import { expect, it } from "vitest";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import { BulkFiles } from "./bulk-files.ts";
import { MergedRuns } from "./merged-runs.ts";
import { RowSorter } from "./row-sorter.ts";
import { isComplete, WordFileWriter } from "./run-file.ts";

const shape = { width: 4, keyWords: 3 };

/** Words of which many are equal, and some differ only in their highest or lowest bits. */
const word = fc.oneof(fc.constantFrom(0, 1, 0x1ff, 0x200, 0x3ffffff, 0x4000000, 0x80000000, 0xffffffff), fc.nat(3));
const keys = fc.array(fc.tuple(word, word, word), { maxLength: 600, size: "max" });

/** Each record's last word is its number. */
function sorterOf(records: readonly (readonly number[])[], firstNumber: number): RowSorter {
  const sorter = new RowSorter(shape.width, shape.keyWords, 1_000);
  for (const [index, key] of records.entries()) {
    const start = sorter.add(key[0] ?? 0);
    sorter.words.set([...key, firstNumber + index], start);
  }
  return sorter;
}

function recordsOf(words: Iterable<number>): readonly (readonly number[])[] {
  const all = [...words];
  return Array.from({ length: all.length / shape.width }, (_, record) =>
    all.slice(record * shape.width, (record + 1) * shape.width),
  );
}

function compare(left: readonly number[], right: readonly number[]): number {
  for (let index = 0; index < shape.keyWords; index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

it("sorts by the complete key, and keeps records with equal keys in the order in which they came", () => {
  fc.assert(
    fc.property(keys, (records) => {
      const sorter = sorterOf(records, 0);
      const sorted: number[] = [];
      sorter.drain((words) => sorted.push(...words));
      expect(recordsOf(sorted)).toEqual(records.map((key, index) => [...key, index]).toSorted(compare));
      expect(sorter.length).toBe(0);
    }),
  );
});

it("merges runs as if all of their records had been sorted together", async () => {
  await withTemporaryDirectory(async (directory) => {
    const files = new BulkFiles(directory);
    fc.assert(
      fc.property(fc.array(keys, { minLength: 1, maxLength: 5 }), (runs) => {
        let number = 0;
        const written = runs.map((records) => {
          const writer = new WordFileWriter(directory, `run-${number}-${records.length}`);
          sorterOf(records, number).drain((words) => writer.addAll(words));
          number += records.length;
          const file = writer.finish();
          writer.close();
          return file;
        });
        expect(written.every((file) => isComplete(directory, file))).toBe(true);
        const merged = new MergedRuns(directory, [files.merge("merged", written, shape)], shape);
        const found: number[] = [];
        while (merged.next()) found.push(...merged.words.subarray(merged.start, merged.start + shape.width));
        merged.close();
        expect(recordsOf(found)).toEqual(
          runs
            .flat()
            .map((key, index) => [...key, index])
            .toSorted(compare),
        );
      }),
      { numRuns: 30 },
    );
  });
});
