import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import { lockDirectory } from "./directory-lock.ts";

it("lets one in, names who that is, and lets the next one in when it is released", async () => {
  await withTemporaryDirectory(async (directory) => {
    const lock = await lockDirectory(directory);
    const owner = join(directory, "indexer.pid");
    expect(readFileSync(owner, "utf8")).toBe(`${process.pid}\n`);
    const refusal = (name: string) =>
      expect.objectContaining({
        code: "directory-locked",
        message: `Another indexer${name} works on the data directory ${directory}: stop it, or choose another directory.`,
        retry: true,
      });
    await expect(lockDirectory(directory, 0)).rejects.toEqual(refusal(` (process ${process.pid})`));
    writeFileSync(owner, "nobody");
    await expect(lockDirectory(directory, 0)).rejects.toEqual(refusal(""));
    rmSync(owner);
    await expect(lockDirectory(directory, 0)).rejects.toEqual(refusal(""));
    const next = lockDirectory(directory, 60_000);
    lock.release();
    (await next).release();
  });
});

it("refuses a directory that can't be written", async () => {
  await withTemporaryDirectory(async (directory) => {
    const missing = join(directory, "missing");
    await expect(lockDirectory(missing, 0)).rejects.toMatchObject({
      code: "directory-unusable",
      message: `The data directory ${missing} can't be written: check its permissions and the free space, or choose another directory.`,
      cause: expect.any(Error),
    });
    const other = join(directory, "other");
    mkdirSync(other);
    writeFileSync(join(other, "indexer.lock"), "no database, whatever one looks at");
    await expect(lockDirectory(other, 0)).rejects.toMatchObject({ code: "directory-unusable" });
  });
});
