import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import {
  lmdbFlags,
  lmdbMetaPage,
  lmdbOverflowPage,
  lmdbPage,
  lmdbRecord,
  noLmdbPage,
  placeOfBigValue,
  writeLmdbFile,
} from "../testing/lmdb-data-file.ts";
import { assertSoundTables, LmdbPages, type PageDamage } from "./lmdb-pages.ts";

const pageSize = 256;
/** Bytes of a page after its header. */
const room = pageSize - 24;
const { branch, leaf, bigValue, table } = lmdbFlags;
const directory = mkdtempSync(join(tmpdir(), "nodewright-rules-"));
afterAll(() => rmSync(directory, { recursive: true }));

const tableRecord = { depth: 2, branchPages: 1, leafPages: 3, overflowPages: 2, entries: 6, root: 4 };

/**
 * Returns a file by page: the free list (2), the table of tables (3), and one table: a branch (4), leaves (5, 6, 7), a long value (8 and
 * 9).
 */
function soundPages(record = tableRecord): Buffer[] {
  const meta = {
    free: lmdbRecord({ depth: 1, leafPages: 1, entries: 2, root: 2 }),
    main: lmdbRecord({ depth: 1, leafPages: 1, entries: 1, root: 3 }),
    lastPage: 9,
  };
  return [
    lmdbMetaPage(pageSize, { ...meta, transaction: 6 }),
    lmdbMetaPage(pageSize, { ...meta, transaction: 7 }),
    // The keys of the free list are numbers in native byte order, which is not that of their bytes.
    lmdbPage(pageSize, 2, leaf, [
      { key: "\u00ff\u0000\u0000\u0000\u0000\u0000\u0000\u0000", value: Buffer.alloc(8) },
      { key: "\u0000\u0001\u0000\u0000\u0000\u0000\u0000\u0000", value: Buffer.alloc(8) },
    ]),
    lmdbPage(pageSize, 3, leaf, [{ key: "rows", flags: table, value: lmdbRecord(record) }]),
    lmdbPage(pageSize, 4, branch, [
      { key: "", child: 5 },
      { key: "h", child: 6 },
      { key: "p", child: 7 },
    ]),
    lmdbPage(pageSize, 5, leaf, [
      { key: "a", value: Buffer.of(1) },
      { key: "b", flags: bigValue, value: placeOfBigValue(8, 2) },
    ]),
    lmdbPage(pageSize, 6, leaf, [
      { key: "h", value: Buffer.of(2) },
      { key: "o", value: Buffer.of(3) },
    ]),
    lmdbPage(pageSize, 7, leaf, [{ key: "p" }, { key: "pp" }]),
    lmdbOverflowPage(pageSize, 8, 2),
    Buffer.alloc(pageSize, 0xab),
  ];
}

function open<Result>(pages: readonly Buffer[], look: (file: LmdbPages) => Result): Result {
  writeLmdbFile(directory, pages);
  const file = new LmdbPages(directory);
  try {
    return look(file);
  } finally {
    file.close();
  }
}

function damageOf(pages: readonly Buffer[]): readonly PageDamage[] {
  return open(pages, (file) => [...file.walk()].filter((damage) => damage !== undefined));
}

/** Returns the intact file with one page changed. */
function changed(page: number, change: (bytes: Buffer) => void): Buffer[] {
  const pages = soundPages();
  change(pages[page] ?? expect.unreachable());
  return pages;
}

function replaced(page: number, bytes: Buffer): Buffer[] {
  return soundPages().with(page, bytes);
}

function damaged(page: number, reason: string, name = "rows"): PageDamage {
  return { table: name, offset: page * pageSize, reason };
}

const notInFile = "it names a page that is not in the file";
const notInOrder = "its keys are not in order";
const impossibleBounds = "its bounds are impossible";
const outside = "a row begins outside of its rows";
const otherNumbers = "the numbers of rows or pages of the table differ from its record";

/** Returns the offset of the row at a position of a page, from the page's first byte. */
function rowStart(bytes: Buffer, index: number): number {
  return 24 + bytes.readUInt16LE(24 + 2 * index);
}

describe("the pages of a file", () => {
  it("are looked at once each, those of long values with the row that names them", () => {
    expect(open(soundPages(), (file) => [...file.walk()])).toEqual(new Array(6).fill(undefined));
    expect(open(soundPages(), ({ count, transaction }) => [count, transaction])).toEqual([10, 7n]);
  });

  it("are those of the newer meta page, wherever it stands", () => {
    const [first, second, ...others] = soundPages() as [Buffer, Buffer, ...Buffer[]];
    expect(open([second, first, ...others], ({ transaction }) => transaction)).toBe(7n);
    const empty = lmdbRecord({ depth: 0, root: noLmdbPage });
    const newer = lmdbMetaPage(pageSize, { free: empty, main: empty, lastPage: 1, transaction: 8 });
    expect(open([first, newer], (file) => [...file.walk()])).toEqual([]);
    expect(open([newer, first], ({ count }) => count)).toBe(2);
  });

  it("are none without meta pages", () => {
    expect(() => open([Buffer.alloc(pageSize), Buffer.alloc(pageSize)], () => undefined)).toThrow(
      `The index in ${directory} is damaged: its data.mdb is not a complete database (it does not begin as one does). ` +
        `Delete ${dirname(directory)} to index anew.`,
    );
  });

  it.each<readonly [string, Buffer[], readonly PageDamage[]]>([
    ["another number", changed(5, (bytes) => bytes.writeBigUInt64LE(6n)), [damaged(5, "it has another page's number")]],
    [
      "the kind of a long value",
      changed(5, (bytes) => bytes.writeUInt16LE(4, 18)),
      [damaged(5, "it is of another kind")],
    ],
    ["no kind", changed(2, (bytes) => bytes.writeUInt16LE(0, 18)), [damaged(2, "it is of another kind", "free")]],
    [
      "a branch for a leaf",
      changed(5, (bytes) => bytes.writeUInt16LE(branch, 18)),
      [damaged(5, "it is at another depth of its tree")],
    ],
    [
      "a leaf for a branch",
      changed(4, (bytes) => bytes.writeUInt16LE(leaf, 18)),
      [damaged(4, "it is at another depth of its tree")],
    ],
    ["half a row", changed(6, (bytes) => bytes.writeUInt16LE(3, 20)), [damaged(6, impossibleBounds)]],
    ["rows beyond its free space", changed(6, (bytes) => bytes.writeUInt16LE(2, 22)), [damaged(6, impossibleBounds)]],
    ["rows behind its end", changed(6, (bytes) => bytes.writeUInt16LE(room + 1, 22)), [damaged(6, impossibleBounds)]],
    [
      "a row in its free space",
      changed(6, (bytes) => bytes.writeUInt16LE(bytes.readUInt16LE(22) - 1, 26)),
      [damaged(6, outside)],
    ],
    ["a row that begins too late", changed(6, (bytes) => bytes.writeUInt16LE(room - 7, 24)), [damaged(6, outside)]],
    [
      "a key that is too long",
      changed(6, (bytes) => bytes.writeUInt16LE(3, rowStart(bytes, 0) + 6)),
      [damaged(6, "a key ends outside of it")],
    ],
    [
      "a value that is too long",
      changed(6, (bytes) => bytes.writeUInt16LE(2, rowStart(bytes, 0))),
      [damaged(6, "a value ends outside of it")],
    ],
    [
      "a value of 64 KiB more",
      changed(6, (bytes) => bytes.writeUInt16LE(1, rowStart(bytes, 0) + 2)),
      [damaged(6, "a value ends outside of it")],
    ],
    [
      "a place of a long value that is cut off",
      changed(6, (bytes) => bytes.writeUInt16LE(bigValue, rowStart(bytes, 0) + 4)),
      [damaged(6, "a value ends outside of it")],
    ],
    [
      "a flag that is not known",
      changed(6, (bytes) => bytes.writeUInt16LE(0x100, rowStart(bytes, 0) + 4)),
      [damaged(6, "a row has a flag that is not known")],
    ],
    ["no page below it", replaced(4, lmdbPage(pageSize, 4, branch, [])), [damaged(4, "it has no page below it")]],
    [
      "a meta page below it",
      changed(4, (bytes) => bytes.writeUInt16LE(1, rowStart(bytes, 1))),
      [damaged(1, notInFile)],
    ],
    [
      "a page below it that is behind the last",
      changed(4, (bytes) => bytes.writeUInt16LE(10, rowStart(bytes, 1))),
      [damaged(10, notInFile)],
    ],
    [
      "a page far away below it",
      changed(4, (bytes) => bytes.writeUInt16LE(1, rowStart(bytes, 1) + 2)),
      [damaged(0x10006, notInFile)],
    ],
    [
      "a page very far away below it",
      changed(4, (bytes) => bytes.writeUInt16LE(1, rowStart(bytes, 1) + 4)),
      [damaged(0x1_0000_0006, notInFile)],
    ],
    [
      "the same page below it twice",
      changed(4, (bytes) => bytes.writeUInt16LE(5, rowStart(bytes, 1))),
      [damaged(5, "it is used twice")],
    ],
    [
      "a page of a long value below it",
      changed(4, (bytes) => bytes.writeUInt16LE(9, rowStart(bytes, 1))),
      [damaged(9, "it is used twice")],
    ],
    [
      "keys that descend",
      replaced(6, lmdbPage(pageSize, 6, leaf, [{ key: "o" }, { key: "h" }])),
      [damaged(6, notInOrder)],
    ],
    ["a key twice", replaced(6, lmdbPage(pageSize, 6, leaf, [{ key: "i" }, { key: "i" }])), [damaged(6, notInOrder)]],
    [
      "a key below those of its branch",
      replaced(6, lmdbPage(pageSize, 6, leaf, [{ key: "g" }, { key: "i" }])),
      [damaged(6, notInOrder)],
    ],
    [
      "a key that the next leaf begins with",
      replaced(6, lmdbPage(pageSize, 6, leaf, [{ key: "h" }, { key: "p" }])),
      [damaged(6, notInOrder)],
    ],
    [
      "a first leaf with a key of the second",
      replaced(
        5,
        lmdbPage(pageSize, 5, leaf, [{ key: "b", flags: bigValue, value: placeOfBigValue(8, 2) }, { key: "h" }]),
      ),
      [damaged(5, notInOrder)],
    ],
    [
      "branches that descend",
      replaced(
        4,
        lmdbPage(pageSize, 4, branch, [
          { key: "", child: 5 },
          { key: "p", child: 6 },
          { key: "h", child: 7 },
        ]),
      ),
      [damaged(4, notInOrder)],
    ],
    [
      "a record of 47 bytes",
      replaced(3, lmdbPage(pageSize, 3, leaf, [{ key: "rows", flags: table, value: Buffer.alloc(47) }])),
      [damaged(3, "the record of a table has another length", "main")],
    ],
    [
      "a record of an impossible depth",
      soundPages({ ...tableRecord, depth: 33 }),
      [damaged(3, "the record of a table names an impossible depth", "main")],
    ],
    [
      "a record of another depth",
      soundPages({ ...tableRecord, depth: 32 }),
      [5, 6, 7].map((page) => damaged(page, "it is at another depth of its tree")),
    ],
    [
      "a record of less depth",
      soundPages({ ...tableRecord, depth: 1 }),
      [damaged(4, "it is at another depth of its tree")],
    ],
    ["fewer branches", soundPages({ ...tableRecord, branchPages: 2 }), [damaged(4, otherNumbers)]],
    ["fewer leaves", soundPages({ ...tableRecord, leafPages: 4 }), [damaged(4, otherNumbers)]],
    ["fewer pages of long values", soundPages({ ...tableRecord, overflowPages: 3 }), [damaged(4, otherNumbers)]],
    ["more rows", soundPages({ ...tableRecord, entries: 5 }), [damaged(4, otherNumbers)]],
    [
      "a long value of another number of pages",
      changed(8, (bytes) => bytes.writeUInt32LE(3, 20)),
      [damaged(5, "a long value has another number of pages")],
    ],
    [
      "a long value that is a leaf",
      changed(8, (bytes) => bytes.writeUInt16LE(leaf, 18)),
      [damaged(5, "it is of another kind")],
    ],
    [
      "a long value of no pages",
      replaced(5, lmdbPage(pageSize, 5, leaf, [{ key: "b", flags: bigValue, value: placeOfBigValue(8, 0) }])),
      [damaged(5, notInFile)],
    ],
    [
      "a long value that goes on behind the last page",
      replaced(5, lmdbPage(pageSize, 5, leaf, [{ key: "b", flags: bigValue, value: placeOfBigValue(8, 3) }])),
      [damaged(5, notInFile)],
    ],
    [
      "a long value that is longer than its pages",
      changed(5, (bytes) => bytes.writeUInt16LE(2 * pageSize - 24 + 1, rowStart(bytes, 1))),
      [damaged(5, "a long value is longer than its pages")],
    ],
    [
      "a long value on a page of the tree",
      replaced(5, lmdbPage(pageSize, 5, leaf, [{ key: "b", flags: bigValue, value: placeOfBigValue(3, 2) }])),
      [damaged(5, "it is used twice")],
    ],
    [
      "less than a whole last page",
      [...soundPages().slice(0, 7), Buffer.alloc(9)],
      [5, 7].map((page) => damaged(page, "the file ends before it")),
    ],
  ])("are damaged where one has %s", (_, pages, expected) => {
    expect(damageOf(pages)).toEqual(expected);
  });

  it.each<readonly [string, Buffer[]]>([
    ["an empty leaf", replaced(7, lmdbPage(pageSize, 7, leaf, []))],
    ["rows of nothing at its very end", replaced(7, lmdbPage(pageSize, 7, leaf, [{ key: "" }]).fill("p", room + 24))],
  ])("are sound with %s, but for the number of rows", (_, pages) => {
    const reasons = damageOf(pages).map(({ reason }) => reason);
    expect(reasons.every((reason) => reason === otherNumbers || reason === notInOrder)).toBe(true);
    expect(reasons).toHaveLength(1);
  });
});

describe("a look at some of the pages", () => {
  const inLeaf = (page: number) => changed(page, (bytes) => bytes.writeBigUInt64LE(0n));

  function sample(pages: readonly Buffer[], budget: number, ...randoms: readonly number[]): PageDamage | undefined {
    let calls = 0;
    return open(pages, (file) =>
      file.sample(budget, () => randoms[calls++ % randoms.length] ?? 0).find((damage) => damage !== undefined),
    );
  }

  it("is one at all where there are no more", () => {
    expect(sample(inLeaf(6), 10, 0)).toEqual(damaged(6, "it has another page's number"));
    expect(sample(inLeaf(2), 10, 0)?.table).toBe("free");
    expect(sample(inLeaf(7), 10, 0.5)).toEqual(damaged(7, "it has another page's number"));
    expect(sample(soundPages(), 10, 0)).toBeUndefined();
  });

  it("always sees the table of tables and both ends of each table, that of free pages among them", () => {
    for (const page of [2, 3, 4, 5, 7]) {
      const name = page === 2 ? "free" : page === 3 ? "main" : "rows";
      expect(sample(inLeaf(page), 1, 0)).toEqual(damaged(page, "it has another page's number", name));
    }
    expect(sample(soundPages(), 1, 0)).toBeUndefined();
  });

  it("sees what lies between the ends by chance", () => {
    expect(sample(inLeaf(6), 4, 0)).toBeUndefined();
    expect(sample(inLeaf(6), 4, 0.99)).toBeUndefined();
    expect(sample(inLeaf(6), 4, 0.5)).toEqual(damaged(6, "it has another page's number"));
    expect(sample(inLeaf(6), 4, 1 / 3)).toEqual(damaged(6, "it has another page's number"));
    expect(sample(inLeaf(6), 4, 0.33)).toBeUndefined();
  });

  it("takes as many ways by chance as the budget has pages for", () => {
    for (const [budget, ways, waysToFreePages] of [
      [1, 1, 1],
      [4, 2, 1],
      [9, 4, 3],
    ] as const) {
      let calls = 0;
      const random = (): number => {
        calls += 1;
        return 0;
      };
      open(soundPages(), (file) => [...file.sample(budget, random)]);
      // One random choice at each of two levels, and one where the leaf is the root.
      expect(calls).toBe(2 * ways + waysToFreePages);
    }
  });

  it("leaves out tables without pages", () => {
    const pages = soundPages();
    pages[3] = lmdbPage(pageSize, 3, leaf, [
      { key: "none", flags: table, value: lmdbRecord({ depth: 0, root: noLmdbPage }) },
      { key: "rows", flags: table, value: lmdbRecord(tableRecord) },
    ]);
    expect(sample(pages, 1, 0)).toEqual(damaged(3, otherNumbers, "main"));
  });
});

describe("assertSoundTables", () => {
  it("passes a sound file", () => {
    writeLmdbFile(directory, soundPages());
    expect(() => assertSoundTables(directory, false)).not.toThrow();
  });

  it("names the table, the page and what is wrong with it", () => {
    writeLmdbFile(
      directory,
      changed(6, (bytes) => bytes.writeBigUInt64LE(0n)),
    );
    const file = join(directory, "data.mdb");
    expect(() => assertSoundTables(directory, false)).toThrow(
      expect.objectContaining({
        code: "tables-damaged",
        place: { file, offset: 6 * pageSize },
        message:
          `The tables of the index in ${file} are damaged (rows, the page at byte ${6 * pageSize}: it has another page's number): ` +
          `nodewright-service verify lists what is; delete ${dirname(directory)} to index anew.`,
      }),
    );
  });
});
