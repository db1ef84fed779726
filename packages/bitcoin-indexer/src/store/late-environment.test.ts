import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTimeSlice } from "node:timers/promises";
import { networks } from "@nodewright/bitcoin-primitives";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openChainIndex } from "../chain-index-reader.ts";
import { applyBlocks } from "../testing/apply-blocks.ts";
import { RegtestChain } from "../testing/regtest-chain.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import { openEmbeddedStore } from "../engine/embedded-store.ts";
import { Environment } from "./environment.ts";
import { LateEnvironment } from "./late-environment.ts";

const table = { name: "any" };
const options = { tables: [table] };
const rows = 100;

async function makeTables(path: string): Promise<void> {
  const environment = new Environment(path, "write", options);
  environment.write(() => {
    for (let row = 0; row < rows; row += 1) {
      environment.putBytes(table, Uint8Array.of(row), new Uint8Array(1_900), true);
    }
  });
  await environment.close();
}

/** Overwrites all pages after the first four. */
function damage(file: string): void {
  writeFileSync(file, Buffer.from(readFileSync(file)).fill("noise", 4 * 4_096));
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("tables that are opened late", () => {
  it("are checked while other work of the thread goes on, once for all who wait", async () => {
    await withTemporaryDirectory(async (path) => {
      let isThere = false;
      const late = new LateEnvironment(path, () => isThere, options);
      expect(late.open()).toBeUndefined();
      await makeTables(path);
      isThere = true;
      // Each page takes as long as a time slice may.
      let now = 0;
      vi.spyOn(performance, "now").mockImplementation(() => (now += 5));
      const opening = late.open();
      expect(opening).toBeInstanceOf(Promise);
      expect(late.open()).toBe(opening);
      let isOpen = false;
      const opened = Promise.resolve(opening).then((environment) => {
        isOpen = true;
        return environment;
      });
      let turns = 0;
      for (; !isOpen; turns += 1) await nextTimeSlice();
      expect(turns).toBeGreaterThan(rows / 4);
      const environment = await opened;
      expect(environment?.count(table)).toBe(rows);
      expect(late.open()).toBe(environment);
      await late.close();
      expect(late.open()).toBeUndefined();
    });
  });

  it("are not opened any more when they are closed meanwhile", async () => {
    await withTemporaryDirectory(async (path) => {
      await makeTables(path);
      const late = new LateEnvironment(path, () => true, options);
      let now = 0;
      vi.spyOn(performance, "now").mockImplementation(() => (now += 5));
      const opening = late.open();
      await late.close();
      expect(await opening).toBeUndefined();
    });
  });

  it("are refused once and for all where they are damaged", async () => {
    await withTemporaryDirectory(async (path) => {
      await makeTables(path);
      const file = join(path, "data.mdb");
      const sound = readFileSync(file);
      damage(file);
      const late = new LateEnvironment(path, () => true, options);
      const refusal: unknown = await Promise.resolve(late.open()).catch((reason: unknown) => reason);
      expect(refusal).toMatchObject({ name: "IndexerError" });
      // The file is not read again.
      writeFileSync(file, sound);
      expect(() => late.open()).toThrow(expect.toSatisfy((reason) => reason === refusal));
      await late.close();
    });
  });
});

it("refuses each query of a damaged index with what the first one found", async () => {
  await withTemporaryDirectory(async (directory) => {
    const store = await openEmbeddedStore(directory, networks.regtest);
    await applyBlocks(store, -1, [new RegtestChain().genesis.bytes]);
    await store.close();
    const file = join(directory, "index", "data.mdb");
    const sound = readFileSync(file);
    damage(file);
    const reader = openChainIndex(directory, { network: networks.regtest });
    const refusal: unknown = await reader.tip().catch((reason: unknown) => reason);
    expect(refusal).toMatchObject({ name: "IndexerError" });
    writeFileSync(file, sound);
    await expect(reader.tipHeight()).rejects.toBe(refusal);
    await reader.close();
  });
});
