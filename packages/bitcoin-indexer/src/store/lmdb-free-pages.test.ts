import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import {
  lmdbFlags,
  lmdbMetaPage,
  lmdbOverflowPage,
  lmdbPage,
  lmdbRecord,
  placeOfBigValue,
  writeLmdbFile,
} from "../testing/lmdb-data-file.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import { Environment } from "./environment.ts";
import { readLatestMeta } from "./lmdb-file.ts";
import { LmdbPages, type PageDamage } from "./lmdb-pages.ts";

const pageSize = 256;
const { leaf, bigValue } = lmdbFlags;
const directory = mkdtempSync(join(tmpdir(), "nodewright-free-"));
afterAll(() => rmSync(directory, { recursive: true }));

function list(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(8 * numbers.length);
  for (const [index, number] of numbers.entries()) bytes.writeBigInt64LE(BigInt(number), 8 * index);
  return bytes;
}

const transaction = (number: number): string => `${String.fromCharCode(number)}\0\0\0\0\0\0\0`;

/**
 * Returns a file by page: the lists of free pages (2) of transactions 5 and 6, the second on pages of its own (3 and 4), the table of
 * tables (5); 6 to 15 are free.
 */
function filePages(first: Buffer, second: Buffer, keys = [transaction(5), transaction(6)]): Buffer[] {
  const meta = {
    free: lmdbRecord({ depth: 1, leafPages: 1, overflowPages: 2, entries: 2, root: 2 }),
    main: lmdbRecord({ depth: 1, leafPages: 1, root: 5 }),
    lastPage: 15,
  };
  const long = Buffer.concat([lmdbOverflowPage(pageSize, 3, 2), Buffer.alloc(pageSize)]);
  second.copy(long, 24);
  const leafOfLists = lmdbPage(pageSize, 2, leaf, [
    { key: keys[0] ?? "", value: first },
    { key: keys[1] ?? "", value: placeOfBigValue(3, 2), flags: bigValue },
  ]);
  // The length of a value stands in its row, wherever its bytes are.
  leafOfLists.writeUInt16LE(2 * pageSize - 24, 24 + leafOfLists.readUInt16LE(24 + 2));
  return [
    lmdbMetaPage(pageSize, { ...meta, transaction: 6 }),
    lmdbMetaPage(pageSize, { ...meta, transaction: 7 }),
    leafOfLists,
    long,
    lmdbPage(pageSize, 5, leaf, []),
    Buffer.alloc(10 * pageSize),
  ];
}

/** Returns the damage of all pages, and of a sample of one page. */
function damageOf(pages: readonly Buffer[]): {
  readonly all: readonly PageDamage[];
  readonly some: readonly PageDamage[];
} {
  writeLmdbFile(directory, pages);
  const file = new LmdbPages(directory);
  const [all = [], some = []] = [file.walk(), file.sample(1, () => 0)].map((found) =>
    [...found].filter((damage) => damage !== undefined),
  );
  file.close();
  return { all, some: some.slice(0, 1) };
}

const damaged = (reason: string): PageDamage => ({ table: "free", offset: 2 * pageSize, reason });
const missing = damaged("a list of free pages names one that is not in the file");
const taken = damaged("a list of free pages names one that is in use, or free already");
const tooLong = damaged("a list of free pages is longer than its row");
const runWithoutPage = damaged("a list of free pages has a run without its first page");
const noOrder = damaged("its keys are not in order");
const none = list(0);

describe("lists of free pages", () => {
  it.each<readonly [string, Buffer, Buffer]>([
    ["nothing", none, none],
    ["pages in any order", list(3, 6, 15, 7), none],
    ["runs, and places that are left empty", list(6, 0, -3, 8, 0, 0, 6), list(2, -5, 11)],
    ["fewer numbers than there is room for", list(1, 6, 99, 6), list(1, 7, -1)],
    ["all of a long value", none, list(60, -10, 6, ...new Array<number>(58).fill(0))],
  ])("are sound with %s", (_, first, second) => {
    expect(damageOf(filePages(first, second))).toEqual({ all: [], some: [] });
  });

  it.each<readonly [string, Buffer, Buffer, PageDamage]>([
    ["more numbers than there is room for", list(2, 6), none, tooLong],
    ["more numbers than its own pages have room for", none, list(61), tooLong],
    ["less than no number", list(-1), none, tooLong],
    ["a meta page", list(1, 1), none, missing],
    ["a page behind the last one", none, list(1, 16), missing],
    ["a run that goes on behind the last page", list(2, -5, 12), none, missing],
    ["a page far away", list(1, 2 ** 40), none, missing],
    ["a run of nothing", list(2, -3, 0), none, runWithoutPage],
    ["a run at its end", list(1, -3), none, runWithoutPage],
    ["a run of a run", list(3, -3, -3, 7), none, runWithoutPage],
  ])("are damaged with %s, which a sample sees as well", (_, first, second, damage) => {
    expect(damageOf(filePages(first, second))).toEqual({ all: [damage], some: [damage] });
  });

  it.each<readonly [string, Buffer, Buffer]>([
    ["a page of a table", list(1, 5), none],
    ["a page of its own", none, list(1, 4)],
    ["a run that reaches into pages in use", list(2, -3, 4), none],
    ["a page twice", list(2, 6, 6), none],
    ["a page of another list", list(2, -4, 6), list(1, 9)],
  ])("are damaged with %s", (_, first, second) => {
    expect(damageOf(filePages(first, second))).toEqual({ all: [taken], some: [] });
  });

  it.each<readonly [string, readonly string[], PageDamage]>([
    ["that descend", [transaction(6), transaction(5)], noOrder],
    ["of the same transaction", [transaction(5), transaction(5)], noOrder],
    ["of no transaction", ["", transaction(5)], damaged("a list of free pages belongs to no transaction")],
    ["of transaction 0", [transaction(0), transaction(5)], damaged("a list of free pages belongs to no transaction")],
  ])("are damaged with keys %s", (_, keys, damage) => {
    expect(damageOf(filePages(none, none, [...keys]))).toEqual({ all: [damage], some: [damage] });
  });
});

const table = { name: "any" };
const options = { tables: [table] };

function keyOf(row: number): Buffer {
  const key = Buffer.alloc(4);
  key.writeUInt32BE(row);
  return key;
}

/** Creates tables with free pages, and returns the first byte of the root of their lists. */
async function makeFreePages(path: string): Promise<{ readonly file: string; readonly root: number }> {
  const environment = new Environment(path, "write", options);
  environment.write(() => {
    for (let row = 0; row < 400; row += 1) environment.putBytes(table, keyOf(row), Buffer.alloc(1_900, 1), true);
  });
  environment.write(() => {
    for (let row = 0; row < 400; row += 2) environment.removeBytes(table, keyOf(row));
  });
  await environment.close();
  const file = join(path, "data.mdb");
  const descriptor = openSync(file, "r");
  const { trees, pageSize: size } = readLatestMeta(descriptor, path);
  closeSync(descriptor);
  return { file, root: (trees[0]?.root ?? 0) * size };
}

function overwrite(file: string, offset: number, bytes: Uint8Array): void {
  const descriptor = openSync(file, "r+");
  writeSync(descriptor, bytes, 0, bytes.length, offset);
  closeSync(descriptor);
}

/** Noise after the header of a page. */
const noise = Uint8Array.from({ length: 4_096 - 24 }, (_, index) => index * 197 + 31);

describe("tables whose lists of free pages were overwritten by noise", () => {
  it.each(["write", "read"] as const)("are not opened to %s, however many pages there are", async (access) => {
    await withTemporaryDirectory(async (path) => {
      const { file, root } = await makeFreePages(path);
      overwrite(file, root + 24, noise);
      const before = readFileSync(file);
      expect(() => new Environment(path, access, { ...options, pagesAtStart: 8 })).toThrow(
        expect.objectContaining({ code: "tables-damaged", place: { file, offset: root } }),
      );
      expect(readFileSync(file).equals(before)).toBe(true);
    });
  });
});

it("takes those errors of LMDB for damage that nothing else leads to", async () => {
  await withTemporaryDirectory(async (path) => {
    const environment = new Environment(path, "write", options);
    const codeAfter = (code: number): unknown => {
      try {
        environment.write(() => {
          throw Object.assign(new Error("from LMDB"), { code });
        });
      } catch (reason) {
        return reason instanceof Error && "code" in reason ? reason.code : undefined;
      }
      return undefined;
    };
    const codes = Array.from({ length: 26 }, (_, index) => -30_799 + index);
    // MDB_KEYEXIST, MDB_NOTFOUND, MDB_MAP_FULL to MDB_TXN_FULL, MDB_MAP_RESIZED, MDB_BAD_RSLOT, MDB_BAD_DBI, and
    // those after MDB_ENV_ENCRYPTION.
    const others = new Set([
      -30799, -30798, -30792, -30791, -30790, -30789, -30788, -30785, -30783, -30780, -30775, -30774,
    ]);
    expect(codes.map(codeAfter)).toEqual(codes.map((code) => (others.has(code) ? code : "tables-damaged")));
    expect(codeAfter(28)).toBe(28);
    await environment.close();
  });
});
