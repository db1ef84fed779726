import { IndexerError } from "../basics/indexer-error.ts";
import { describe, expect, it } from "vitest";
import { BlockPlaces } from "./block-places.ts";
import type { TableReads } from "./environment.ts";
import { blockStartsPerRow, emptyTip, type TipRow } from "./layout.ts";

/** Returns tables with the starts, which count the rows read. */
function tablesOf(starts: readonly number[]): { readonly reads: TableReads; readonly rows: number[] } {
  const rows: number[] = [];
  const reads = {
    get: (_table: unknown, row: number) => {
      rows.push(row);
      return starts.slice(row * blockStartsPerRow, (row + 1) * blockStartsPerRow);
    },
    damaged: (reason: string) => new IndexerError("tables-damaged", reason),
  } as unknown as TableReads;
  return { reads, rows };
}

function tipOf(starts: readonly number[], nextTransactionNumber: number, changes = 1, reorganisations = 0): TipRow {
  return { ...emptyTip, height: starts.length - 1, nextTransactionNumber, changes, reorganisations };
}

/** Returns the starts of blocks of three transactions each. */
function startsOf(count: number): number[] {
  return Array.from({ length: count }, (_, height) => 3 * height);
}

function placesOf(starts: readonly number[], next: number, reorganisations = 0): BlockPlaces {
  const places = new BlockPlaces();
  places.refresh(tablesOf(starts).reads, tipOf(starts, next, 1, reorganisations));
  return places;
}

describe("BlockPlaces", () => {
  it.each([1, 2, 3, 499, 500, 501, 1_024, 1_600])("finds the block of each transaction among %i blocks", (count) => {
    const places = placesOf(startsOf(count), 3 * count);
    for (let number = 0; number < 3 * count; number += 1) {
      expect(places.heightOf(number)).toBe(Math.floor(number / 3));
      expect(places.isCoinbase(number)).toBe(number % 3 === 0);
    }
    expect(places.firstNumberOf(count - 1)).toBe(3 * (count - 1));
    expect(places.firstNumberOf(count)).toBeUndefined();
  });

  it("has no block for a number that none has", () => {
    expect(() => placesOf(startsOf(2), 6).heightOf(6)).toThrow(
      expect.objectContaining({ code: "tables-damaged", message: "there is no transaction 6" }),
    );
    expect(() => new BlockPlaces().heightOf(0)).toThrow(new Error("there is no transaction 0"));
  });

  it("reads the rows of new blocks alone, and all of them after a reorganisation", () => {
    const places = new BlockPlaces();
    const look = (count: number, changes: number, reorganisations: number): readonly number[] => {
      const { reads, rows } = tablesOf(startsOf(count));
      places.refresh(reads, tipOf(startsOf(count), 3 * count, changes, reorganisations));
      for (let height = 0; height < count; height += 1) expect(places.heightOf(3 * height)).toBe(height);
      return rows;
    };
    expect(look(1_100, 1, 0)).toEqual([0, 1, 2]);
    expect(look(1_100, 1, 0)).toEqual([]);
    expect(look(1_600, 2, 0)).toEqual([2, 3]);
    expect(look(1_600, 3, 0)).toEqual([3]);
    expect(look(1_600, 4, 1)).toEqual([0, 1, 2, 3]);
    expect(look(900, 5, 1)).toEqual([0, 1]);
  });

  it("takes blocks that are not committed, and takes them away again", () => {
    const places = placesOf(startsOf(2), 6);
    places.append([6, 9], 12);
    expect([places.heightOf(6), places.heightOf(11), places.firstNumberOf(3)]).toEqual([2, 3, 9]);
    expect(() => places.heightOf(12)).toThrow("no transaction 12");
    places.cutTo(2);
    expect(places.heightOf(8)).toBe(2);
    expect(() => places.heightOf(9)).toThrow("no transaction 9");
    places.cutTo(2);
    places.cutTo(7);
    expect(places.heightOf(8)).toBe(2);
    places.append(startsOf(3_000).slice(3), 9_000);
    expect(places.heightOf(8_999)).toBe(2_999);
  });

  it("reads again what was not settled", () => {
    const change = (places: BlockPlaces, end: (tip: TipRow) => void): readonly number[] => {
      places.append([6], 9);
      end(tipOf(startsOf(3), 9, 2));
      const { reads, rows } = tablesOf(startsOf(3));
      places.refresh(reads, tipOf(startsOf(3), 9, 2));
      expect(places.heightOf(8)).toBe(2);
      return rows;
    };
    const settled = placesOf(startsOf(2), 6);
    expect(change(settled, (tip) => settled.settle(tip))).toEqual([]);
    const forgotten = placesOf(startsOf(2), 6);
    expect(change(forgotten, () => forgotten.forget())).toEqual([0]);
    const open = placesOf(startsOf(2), 6);
    expect(change(open, () => undefined)).toEqual([0]);
    const cut = placesOf(startsOf(2), 6);
    expect(change(cut, () => cut.cutTo(1))).toEqual([0]);
  });

  it.each<[string, (places: BlockPlaces) => void]>([
    ["cancelled", () => undefined],
    ["forgotten", (places) => places.forget()],
  ])("reads all of the state before a reorganisation that was %s", (_what, end) => {
    const starts = startsOf(600);
    // With the same numbers of changes and reorganizations it would take its own state for that one.
    const places = placesOf(starts, 1_800, 1);
    places.cutTo(9);
    places.append(
      Array.from({ length: 580 }, (_, index) => 30 + index),
      610,
    );
    end(places);
    places.refresh(tablesOf(starts).reads, tipOf(starts, 1_800, 1, 1));
    for (let height = 0; height < 600; height += 1) expect(places.heightOf(3 * height)).toBe(height);
  });
});
