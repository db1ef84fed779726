import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import { MempoolEnvironment, PublishedMempool } from "./mempool-directory.ts";
import { mempoolChanges, mempoolIds } from "../store/mempool-layout.ts";

it("refuses published tables whose pages were overwritten for every query, and never calls them absent", async () => {
  await withTemporaryDirectory(async (directory) => {
    const made = new MempoolEnvironment(directory);
    made.environment.write(() => {
      for (let number = 0; number < 2_000; number += 1) {
        const txid = Buffer.alloc(32);
        txid.writeUInt32BE(number);
        made.environment.put(mempoolIds, [txid], number);
      }
      made.environment.put(mempoolChanges, [], 1);
    });
    made.publish();
    await made.close();
    const file = join(directory, "mempool", "1", "data.mdb");
    const sound = readFileSync(file);
    // Not the roots, which stand last: those are checked before all pages are.
    writeFileSync(file, Buffer.from(sound).fill(0x77, 3 * 4_096, 12 * 4_096));
    const published = new PublishedMempool(directory);
    for (let query = 0; query < 3; query += 1) {
      expect(() => published.open()).toThrow(`delete ${join(directory, "mempool")} to index anew`);
    }
    writeFileSync(file, sound);
    expect(published.open()?.get(mempoolChanges)).toBe(1);
    await published.close();
  });
});
