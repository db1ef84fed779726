import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { hashScript, networks, toHex } from "@nodewright/bitcoin-primitives";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { applyBlocks } from "../testing/apply-blocks.ts";
import { RegtestChain } from "../testing/regtest-chain.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import { openEmbeddedStore } from "../engine/embedded-store.ts";
import { Environment } from "./environment.ts";
import { allTables } from "./layout.ts";
import { LmdbPages, type PageDamage } from "./lmdb-pages.ts";

const network = networks.regtest;
const script = Uint8Array.of(0x51);
const program = fileURLToPath(new URL("../testing/reading-process.ts", import.meta.url));
const pageSize = 4_096;

const base = mkdtempSync(join(tmpdir(), "nodewright-pages-"));
const scripts = [script, Uint8Array.of(0x01, 0x02)].map((each) => toHex(hashScript(each)));

beforeAll(async () => {
  const chain = new RegtestChain();
  let tip = chain.genesis;
  const blocks = [tip.bytes];
  for (let height = 1; height < 120; height += 1) {
    const outputs = Array.from({ length: 12 }, (_, index) => ({
      value: 1_000n,
      scriptPubKey: Uint8Array.of(0x02, index, height),
    }));
    const coins = tip.coins.filter(({ value }) => value > 1_000_000n).slice(-1);
    tip = chain.extend(tip, script, height > 1 ? [{ coins, outputs }] : []);
    blocks.push(tip.bytes);
  }
  const store = await openEmbeddedStore(base, network);
  await applyBlocks(store, -1, blocks);
  await store.close();
});

afterAll(() => rmSync(base, { recursive: true }));

/** Returns pseudo-random numbers: the same each time. */
function numbersOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function damageOf(directory: string): readonly PageDamage[] {
  const pages = new LmdbPages(join(directory, "index"));
  try {
    return [...pages.walk()].filter((damage) => damage !== undefined);
  } finally {
    pages.close();
  }
}

async function withCopy(action: (directory: string, path: string) => void | Promise<void>): Promise<void> {
  await withTemporaryDirectory(async (directory) => {
    const copy = join(directory, "copy");
    cpSync(base, copy, { recursive: true });
    await action(copy, join(copy, "index", "data.mdb"));
  });
}

function read(directory: string): readonly string[] {
  const listing = JSON.stringify(scripts);
  const child = spawnSync(process.execPath, ["--conditions=source", program, directory, listing], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  expect({ status: child.status, signal: child.signal, errors: child.stderr }).toMatchObject({
    status: 0,
    signal: null,
    errors: "",
  });
  return child.stdout.trimEnd().split("\n");
}

describe("the pages of a database", () => {
  it("are sound as LMDB writes them, whatever was written and removed", async () => {
    expect(damageOf(base)).toEqual([]);
    await withTemporaryDirectory(async (directory) => {
      const table = { name: "any" };
      const random = numbersOf(7);
      const path = join(directory, "index");
      const environment = new Environment(path, "write", { tables: [table, { name: "none" }] });
      for (let round = 0; round < 30; round += 1) {
        environment.write(() => {
          for (let row = 0; row < 200; row += 1) {
            const key = Buffer.alloc(4);
            key.writeUInt32BE(Math.floor(random() * 4_000));
            // Long ones stand on pages of their own.
            if (random() < 0.3) environment.removeBytes(table, key);
            else environment.putBytes(table, key, Buffer.alloc(Math.floor(random() ** 6 * 20_000), row), false);
          }
        });
        expect(damageOf(directory)).toEqual([]);
      }
      await environment.close();
    });
  });

  it("are damaged where a page was overwritten by noise, at whatever place of its own", async () => {
    const random = numbersOf(1);
    await withCopy((directory, path) => {
      const sound = readFileSync(path);
      let found = 0;
      for (let page = 2; page < sound.length / pageSize; page += 1) {
        const bytes = Buffer.from(sound);
        for (let at = 0; at < pageSize; at += 1) bytes[page * pageSize + at] = Math.floor(random() * 256);
        writeFileSync(path, bytes);
        const damage = damageOf(directory);
        if (damage.length > 0) found += 1;
        // Pages that no tree uses may contain anything.
        expect(damage.every(({ offset }) => offset === page * pageSize) || damage.length === 0).toBe(true);
      }
      expect(found).toBeGreaterThan(sound.length / pageSize / 2);
    });
  });
});

describe("an index whose tables were overwritten by noise", () => {
  it.each([11, 12, 13])("is refused or read as before, never otherwise (seed %i)", async (seed) => {
    const random = numbersOf(seed);
    const sound = new Set(read(base));
    await withCopy((directory, path) => {
      const bytes = readFileSync(path);
      const page = 2 + Math.floor(random() * (bytes.length / pageSize - 2));
      for (let at = 0; at < pageSize; at += 1) bytes[page * pageSize + at] = Math.floor(random() * 256);
      writeFileSync(path, bytes);
      const refused = `refused tables-damaged ${page * pageSize}`;
      expect(read(directory).filter((line) => !sound.has(line) && line !== refused)).toEqual([]);
    });
  });

  it("is reported with the name of the table that is damaged", async () => {
    await withCopy((directory, path) => {
      const bytes = readFileSync(path);
      const used = findUsedPage(directory);
      bytes.fill(0x5a, used * pageSize, (used + 1) * pageSize);
      writeFileSync(path, bytes);
      const names = allTables.map(({ name }) => name);
      expect(damageOf(directory).map(({ table }) => names.includes(table))).toEqual([true]);
    });
  });

  it("is not written to", async () => {
    await withCopy(async (directory, path) => {
      const bytes = readFileSync(path);
      const used = findUsedPage(directory);
      bytes.fill(0x5a, used * pageSize, (used + 1) * pageSize);
      writeFileSync(path, bytes);
      await expect(openEmbeddedStore(directory, network)).rejects.toMatchObject({
        code: "tables-damaged",
        place: { file: path, offset: used * pageSize },
        message: expect.stringContaining("verify"),
      });
      expect(readFileSync(path).equals(bytes)).toBe(true);
    });
  });
});

/** Returns a page in the middle of those that are in use. */
function findUsedPage(directory: string): number {
  const path = join(directory, "index", "data.mdb");
  const sound = readFileSync(path);
  for (let page = Math.floor(sound.length / pageSize / 2); ; page += 1) {
    const bytes = Buffer.from(sound);
    bytes.fill(0x5a, page * pageSize, (page + 1) * pageSize);
    writeFileSync(path, bytes);
    const isUsed = damageOf(directory).length > 0;
    writeFileSync(path, sound);
    if (isUsed) return page;
  }
}
