import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDataDirectory } from "./data-directory.ts";

describe("the data directory", () => {
  let parent: string;
  let path: string;

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), "nodewright-data-"));
    path = join(parent, "deep", "data");
  });

  afterEach(async () => rm(parent, { recursive: true }));

  it("is made when there is none, for its owner alone", async () => {
    const data = openDataDirectory(path);
    data.close();

    expect((await stat(path)).mode & 0o077).toBe(0);
  });

  it("keeps one demo key, for its owner alone", async () => {
    const first = openDataDirectory(path);
    const key = first.demoKey();
    first.close();
    await chmod(join(path, "demo-key"), 0o644);
    const second = openDataDirectory(path);

    expect(second.demoKey()).toBe(key);
    expect((await stat(join(path, "demo-key"))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(path, "demo-key"), "utf8")).toBe(`${key}\n`);
    second.close();
  });

  it("serves one service at a time", () => {
    const first = openDataDirectory(path);

    expect(() => openDataDirectory(path)).toThrow(
      new RegExp(`^The data directory .* is in use by another running service \\(process ${process.pid}\\): stop that`),
    );
    first.close();
    openDataDirectory(path).close();
  });

  it("is refused when another version wrote it, and left as it is", async () => {
    openDataDirectory(path).close();
    await writeFile(join(path, "nodewright-data"), "99\n");

    expect(() => openDataDirectory(path)).toThrow(
      /was written by another version \(format "99", this one has \d+\): use/,
    );
    expect(await readFile(join(path, "nodewright-data"), "utf8")).toBe("99\n");
  });

  it("is refused when it holds something else, and nothing is written there", async () => {
    await mkdir(path, { recursive: true });
    await writeFile(join(path, "thesis.tex"), "");

    expect(() => openDataDirectory(path)).toThrow(/holds other files and no nodewright data: choose/);
    await expect(stat(join(path, "service.lock"))).rejects.toThrow("ENOENT");
  });

  it("is refused in one sentence when it is a file", async () => {
    await mkdir(join(parent, "deep"));
    await writeFile(path, "");

    expect(() => openDataDirectory(path)).toThrow(/cannot be opened \(E(EXIST|NOTDIR)\): check/);
  });

  it("is refused in one sentence where no directory can be made", () => {
    expect(() => openDataDirectory("/proc/nodewright/data")).toThrow(/cannot be opened \(E(NOENT|ACCES|ROFS)\): check/);
  });

  it("reports an invalid demo key", async () => {
    const data = openDataDirectory(path);
    await writeFile(join(path, "demo-key"), "two words\n");

    expect(() => data.demoKey()).toThrow(/demo-key is invalid, .*: delete the file/);
    data.close();
  });
});
