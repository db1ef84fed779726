import { displayHash, parseBlock } from "@nodewright/bitcoin-primitives";
import { describe, expect, it } from "vitest";
import type { TableReads } from "../store/environment.ts";
import { type BlockRow, emptyTip } from "../store/layout.ts";
import { spendingChain } from "../testing/spending-chain.ts";
import { KnownBlocks, recordOf } from "./known-blocks.ts";

const tips = spendingChain();

function rowOf(height: number): BlockRow {
  const block = parseBlock(tips[height]?.bytes ?? new Uint8Array(0));
  return {
    hash: block.header.hash,
    header: block.header.bytes,
    firstTransactionNumber: 10,
    transactionCount: block.transactions.length,
    size: block.size,
    strippedSize: block.strippedSize,
    medianTime: 5,
    chainWork: 6n,
    checksum: 7,
  };
}

/** Returns tables with these blocks and so many replaced outputs, which count their reads. */
function tablesOf(rows: ReadonlyMap<number, BlockRow>, replaced = 0): { readonly reads: TableReads; count: number } {
  const tables = {
    count: 0,
    reads: {
      get(table: { readonly name: string }, height: number): unknown {
        tables.count += 1;
        if (table.name === "blocks") return rows.get(height);
        return rows.has(height) && height !== 2 ? { file: 0, offset: height } : undefined;
      },
      count(): number {
        tables.count += 1;
        return replaced;
      },
      damaged: (reason: string) => new Error(reason),
    } as unknown as TableReads,
  };
  return tables;
}

describe("recordOf", () => {
  it("tells of a block what its row and its header say", () => {
    const row = rowOf(3);
    const { header } = parseBlock(tips[3]?.bytes ?? new Uint8Array(0));
    expect(recordOf(row, 3, false)).toEqual({
      hash: displayHash(row.hash),
      height: 3,
      header: expect.objectContaining({ nonce: header.nonce, time: header.time }),
      transactionCount: 2,
      chainTransactionCount: 12,
      size: row.size,
      strippedSize: row.strippedSize,
      weight: 3 * row.strippedSize + row.size,
      medianTime: 5,
      chainWork: 6n,
      previousHash: displayHash(header.previousHash),
      onBestChain: false,
    });
    expect(recordOf(rowOf(0), 0, true)).not.toHaveProperty("previousHash");
  });
});

describe("KnownBlocks", () => {
  it("reads a block once until a reorganisation", () => {
    const blocks = new KnownBlocks();
    const tables = tablesOf(new Map([[1, rowOf(1)]]));
    blocks.refresh({ ...emptyTip, reorganisations: 4 });
    const known = blocks.find(tables.reads, 1) ?? expect.unreachable();
    expect(known).toMatchObject({ height: 1, hash: displayHash(rowOf(1).hash), position: { file: 0, offset: 1 } });
    expect(known.time).toBe(tips[1]?.time);
    expect(known.record.onBestChain).toBe(true);
    blocks.refresh({ ...emptyTip, changes: 9, reorganisations: 4 });
    expect(blocks.find(tables.reads, 1)).toBe(known);
    expect(tables.count).toBe(2);
    blocks.refresh({ ...emptyTip, reorganisations: 5 });
    expect(blocks.find(tables.reads, 1)).not.toBe(known);
    expect(tables.count).toBe(4);
  });

  it("knows no block without a row or a place", () => {
    const blocks = new KnownBlocks();
    const { reads } = tablesOf(new Map([[2, rowOf(2)]]));
    expect([1, 2].map((height) => blocks.find(reads, height))).toEqual([undefined, undefined]);
  });

  it("takes no header for another block's", () => {
    const { reads } = tablesOf(new Map([[1, { ...rowOf(1), hash: rowOf(3).hash }]]));
    expect(() => new KnownBlocks().find(reads, 1)).toThrow("the header at height 1 is another");
  });

  it("counts replaced outputs once for each state", () => {
    const blocks = new KnownBlocks();
    const none = tablesOf(new Map());
    const some = tablesOf(new Map(), 1);
    const at = (changes: number) => ({ ...emptyTip, changes });
    expect(blocks.hasReplaced(none.reads, at(1))).toBe(false);
    expect(blocks.hasReplaced(some.reads, at(1))).toBe(false);
    expect(blocks.hasReplaced(some.reads, at(2))).toBe(true);
    expect(blocks.hasReplaced(none.reads, at(2))).toBe(true);
    expect(blocks.hasReplaced(none.reads, at(3))).toBe(false);
    expect([none.count, some.count]).toEqual([2, 1]);
  });
});
