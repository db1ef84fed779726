import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { lmdbMetaPage, lmdbOverflowPage, lmdbRecord, noLmdbPage, writeLmdbFile } from "../testing/lmdb-data-file.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import { Environment } from "./environment.ts";
import { assertLmdbFile, parseTree } from "./lmdb-file.ts";

const table = { name: "any" };
const program = fileURLToPath(new URL("../testing/committing-process.ts", import.meta.url));

/** Number of checks: in one of 50 the file is changed between two steps. */
const looks = 20_000;

async function makeDatabase(directory: string): Promise<void> {
  const environment = new Environment(directory, "write", { tables: [table] });
  environment.write(() => {
    for (let row = 0; row < 9; row += 1) environment.putBytes(table, Buffer.of(row), Buffer.alloc(3_000), false);
  });
  await environment.close();
}

it("takes a database for whole whatever another process commits while it is looked at", async () => {
  await withTemporaryDirectory(async (directory) => {
    await makeDatabase(directory);
    const path = join(directory, "data.mdb");
    const child = spawn(process.execPath, ["--conditions=source", program, path], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const closed = once(child, "close");
    try {
      await once(child.stdout, "data");
      for (let look = 0; look < looks; look += 1) assertLmdbFile(directory, false);
    } finally {
      child.kill("SIGKILL");
      await closed;
    }
  });
});

it("takes an empty file for one that is to be made, where it may be", async () => {
  await withTemporaryDirectory(async (directory) => {
    writeFileSync(join(directory, "data.mdb"), "");
    expect(() => assertLmdbFile(directory, false)).toThrow("not a complete database");
    const environment = new Environment(directory, "write", { tables: [table] });
    environment.write(() => environment.putBytes(table, Buffer.of(1), Buffer.of(2), false));
    expect(environment.getBytes(table, Buffer.of(1))?.[0]).toBe(2);
    await environment.close();
  });
});

const noTree = lmdbRecord({ depth: 0, root: noLmdbPage });

interface MadeMeta {
  readonly pageSize?: number;
  readonly lastPage?: number;
  readonly transaction?: number;
  readonly free?: number;
  readonly main?: number | bigint;
}

function metaOf({ pageSize = 256, lastPage = 3, transaction = 1, free = 2, main = 3 }: MadeMeta): Buffer {
  return lmdbMetaPage(pageSize, {
    free: lmdbRecord({ depth: 1, root: free }),
    main: lmdbRecord({ depth: 1, root: main }),
    lastPage,
    transaction,
  });
}

/** Returns a file of two meta pages, and two pages with their numbers. */
function fileOf(first: MadeMeta, second: MadeMeta = { ...first, transaction: (first.transaction ?? 1) + 1 }): Buffer[] {
  const size = first.pageSize ?? 256;
  const pages = [2, 3].map((number) => lmdbOverflowPage(size, number, 1));
  return [metaOf(first), metaOf(second), ...pages];
}

async function problemOf(pages: readonly Buffer[], mayBeAbsent = false): Promise<string | undefined> {
  let problem: string | undefined;
  await withTemporaryDirectory(async (directory) => {
    writeLmdbFile(directory, pages);
    try {
      assertLmdbFile(directory, mayBeAbsent);
    } catch (reason) {
      expect(reason).toMatchObject({ name: "IndexerError", code: "directory-unusable" });
      problem = /not a complete database \((.*)\)\. Delete [^ ]+ to index anew\.$/.exec(String(reason))?.[1];
      expect(problem).toBeDefined();
    }
  });
  return problem;
}

describe("a data file is whole", () => {
  const notBegun = "it does not begin as one does";

  it.each([256, 4_096, 65_536])("with pages of %i bytes", async (pageSize) => {
    expect(await problemOf(fileOf({ pageSize }))).toBeUndefined();
  });

  it("when it is there, or need not be", async () => {
    await withTemporaryDirectory(async (directory) => {
      expect(() => assertLmdbFile(directory, false)).toThrow(
        `The index in ${directory} is damaged: its data.mdb is not a complete database (it is not there).`,
      );
      expect(() => assertLmdbFile(directory, true)).not.toThrow();
    });
  });

  it("when it is empty, where it may be", async () => {
    expect(await problemOf([], true)).toBeUndefined();
    expect(await problemOf([], false)).toBe(notBegun);
    expect(await problemOf([Buffer.alloc(24)], true)).toBeUndefined();
    expect(await problemOf([Buffer.alloc(25)], true)).toBe(notBegun);
  });

  it.each([
    ["other first bytes", fileOf({}).map((page, index) => (index === 0 ? Buffer.alloc(page.length) : page))],
    ["another second page", fileOf({}).map((page, index) => (index === 1 ? Buffer.alloc(page.length) : page))],
    ["no second page", fileOf({}).slice(0, 1)],
    ["half a second page", [metaOf({}), metaOf({}).subarray(0, 24 + 135)]],
    ["pages of 128 bytes", [metaOf({}).fill(Buffer.of(128, 0, 0, 0), 48, 52), ...fileOf({}).slice(1)]],
    ["pages of 384 bytes", fileOf({ pageSize: 384 })],
    ["pages of 131,072 bytes", fileOf({ pageSize: 131_072 })],
  ])("but not with %s", async (_, pages) => {
    expect(await problemOf(pages)).toBe(notBegun);
  });

  it("when its newer roots are pages with their own numbers, or none", async () => {
    expect(await problemOf(fileOf({ main: 2 }))).toBeUndefined();
    expect(await problemOf(fileOf({ main: noLmdbPage }))).toBeUndefined();
    expect(await problemOf(fileOf({ main: 4 }))).toBe("its page 4 is another");
    expect(await problemOf(fileOf({ free: 1 }))).toBe("its page 1 is another");
    expect(await problemOf(fileOf({ main: 2n ** 60n }))).toBe(`its page ${2n ** 60n} is another`);
    const [old, latest] = [{ main: 9, transaction: 5 }, { transaction: 6 }];
    expect(await problemOf(fileOf(old, latest))).toBeUndefined();
    expect(await problemOf(fileOf(latest, old))).toBeUndefined();
    expect(await problemOf(fileOf({ ...old, transaction: 7 }, latest))).toBe("its page 9 is another");
    expect(await problemOf(fileOf(latest, { ...old, transaction: 7 }))).toBe("its page 9 is another");
  });

  it("when it lacks at most 64 pages or a quarter at its end", async () => {
    const cut = (lastPage: number, missing: number): Buffer[] => [
      ...fileOf({ lastPage }),
      Buffer.alloc((lastPage + 1 - 4 - missing) * 256),
    ];
    expect(await problemOf(cut(99, 64))).toBeUndefined();
    expect(await problemOf(cut(99, 65))).toBe(`it has ${35 * 256} bytes in place of ${100 * 256}`);
    expect(await problemOf(cut(1_000, 250))).toBeUndefined();
    expect(await problemOf(cut(1_000, 251))).toBe(`it has ${750 * 256} bytes in place of ${1_001 * 256}`);
  });

  it("and its table records are read as they are written", () => {
    const record = { depth: 2, branchPages: 3, leafPages: 4, overflowPages: 5, entries: 6, root: 7 };
    expect(parseTree(lmdbRecord(record))).toEqual(record);
    expect(parseTree(noTree)).toMatchObject({ depth: 0, root: -1 });
  });
});
