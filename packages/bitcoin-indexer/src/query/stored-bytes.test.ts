import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { dataDirectory } from "../store/data-directory.ts";
import type { TableReads } from "../store/environment.ts";
import { emptyTip, firstSourceFile, sourceFiles } from "../store/layout.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import { StoredBytes } from "./stored-bytes.ts";

it("adds up the index's own files, of which the last one grows, and those of the node", async () => {
  await withTemporaryDirectory((path) => {
    const directory = dataDirectory(path);
    mkdirSync(directory.blocks);
    const file = (name: string): string => join(directory.blocks, name);
    writeFileSync(file("blk00000.dat"), Buffer.alloc(100));
    writeFileSync(file("blk00001.dat"), Buffer.alloc(20));
    writeFileSync(file("blk00002.dat"), Buffer.alloc(999));
    writeFileSync(join(path, "node.dat"), Buffer.alloc(3_000));
    let last: number | undefined;
    let nodeFiles: readonly string[] = [];
    const reads = {
      get: () => (last === undefined ? undefined : { ...emptyTip, blocksEnd: { file: last, offset: 0 } }),
      rows: () =>
        nodeFiles.map((name, index) => ({
          value: sourceFiles.encode({ path: join(path, name), mask: new Uint8Array(0) }, firstSourceFile + index),
        })),
    } as unknown as TableReads;
    const bytes = new StoredBytes();
    expect(bytes.count(reads, directory)).toBe(0);
    last = 1;
    expect(bytes.count(reads, directory)).toBe(120);
    appendFileSync(file("blk00001.dat"), Buffer.alloc(5));
    appendFileSync(file("blk00000.dat"), Buffer.alloc(7));
    expect(bytes.count(reads, directory)).toBe(125);
    nodeFiles = ["node.dat", "gone.dat"];
    expect(bytes.count(reads, directory)).toBe(3_125);
    rmSync(file("blk00001.dat"));
    expect(bytes.count(reads, directory)).toBe(3_100);
    return Promise.resolve();
  });
});
