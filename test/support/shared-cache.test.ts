import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fillCache } from "./shared-cache.ts";

let cache: string;

beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), "nodewright-cache-"));
});
afterEach(() => rmSync(cache, { recursive: true, force: true }));

describe("a cache that several test files fill at once", () => {
  it("keeps the directory that is finished first, and fails for nobody", async () => {
    const place = join(cache, "suite");
    const { promise: bothStarted, resolve: start } = Promise.withResolvers<void>();
    let started = 0;
    const fill = (text: string, finished: Promise<void>) =>
      fillCache(place, async (work) => {
        const produced = join(work, "unpacked");
        mkdirSync(produced);
        writeFileSync(join(produced, "tests.json"), text);
        started += 1;
        if (started === 2) start();
        await bothStarted;
        await finished;
        return produced;
      });
    const first = fill("the first", Promise.resolve());
    await Promise.all([first, fill("the second", first)]);
    expect(readdirSync(cache)).toEqual(["suite"]);
    expect(readFileSync(join(place, "tests.json"), "utf8")).toBe("the first");
  });

  it("keeps nothing of what could not be produced, and reports why", async () => {
    const place = join(cache, "suite");
    const failure = new Error("the registry cannot be reached");
    await expect(fillCache(place, () => Promise.reject(failure))).rejects.toBe(failure);
    expect(readdirSync(cache)).toEqual([]);
  });

  it("reports a file that cannot be moved to its place", async () => {
    const place = join(cache, "suite");
    const missing = fillCache(place, (work) => Promise.resolve(join(work, "never-written")));
    await expect(missing).rejects.toMatchObject({ code: "ENOENT" });
  });
});
