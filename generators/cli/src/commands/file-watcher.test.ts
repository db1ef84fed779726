import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turnOfLoop } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createFileWatcher, type FileWatcher } from "./file-watcher.ts";

describe("a file watcher", () => {
  let directory: string;
  let watcher: FileWatcher;
  let reported: string[][];

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "file-watcher-"));
    reported = [];
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
    watcher = createFileWatcher((changed) => reported.push([...changed]));
  });

  afterEach(() => {
    watcher.close();
    vi.useRealTimers();
    rmSync(directory, { recursive: true });
  });

  it.each<[string, (path: string) => void]>([
    ["written", (path) => writeFileSync(path, "after")],
    [
      "replaced",
      (path) => {
        writeFileSync(`${path}~`, "after");
        renameSync(`${path}~`, path);
      },
    ],
  ])("is told by the system of a file that is %s, long before the regular look", async (_how, save) => {
    const path = join(directory, "a.yaml");
    writeFileSync(path, "before");
    // The file counts as written before it was read, however coarse the file system's clock is.
    watcher.watch([path], Date.now() + 60_000);
    const regularLook = vi.getTimerCount();

    save(path);
    while (vi.getTimerCount() === regularLook) await turnOfLoop();
    expect(reported).toEqual([]);
    vi.advanceTimersByTime(100);

    expect(reported).toEqual([[path]]);
  });
});
