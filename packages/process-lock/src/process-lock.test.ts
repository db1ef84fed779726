import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type LockOwner, type ProcessLock, takeProcessLock } from "./process-lock.ts";

let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "process-lock-"));
  path = join(directory, "some");
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe("takeProcessLock", () => {
  it("admits one owner at a time and returns its process ID to others", () => {
    const lock = take(path);
    expect(takeProcessLock(path)).toEqual({ pid: process.pid });
    lock.release();
    take(path).release();
  });

  it("knows no process ID where the file with it is missing or has other content", () => {
    const lock = take(path);
    writeFileSync(`${path}.pid`, "nobody");
    expect(takeProcessLock(path)).toEqual({ pid: undefined });
    rmSync(`${path}.pid`);
    expect(takeProcessLock(path)).toEqual({ pid: undefined });
    lock.release();
  });

  it("passes from an owner that was killed", () => {
    const script = `
      import { takeProcessLock } from ${JSON.stringify(new URL("process-lock.ts", import.meta.url).href)};
      if (!("release" in takeProcessLock(${JSON.stringify(path)}))) process.exit(1);
      process.kill(process.pid, "SIGKILL");
    `;
    const { signal } = spawnSync(process.execPath, ["--input-type=module", "-e", script]);
    expect(signal).toBe("SIGKILL");
    take(path).release();
  });

  it("throws where the files can't be written or the lock file has other content", () => {
    expect(() => takeProcessLock(join(directory, "missing", "some"))).toThrow("unable to open database file");
    writeFileSync(`${path}.lock`, "other content, longer than the header of a database: ".repeat(10));
    expect(() => takeProcessLock(path)).toThrow("file is not a database");
  });
});

function take(at: string): ProcessLock {
  const taken: ProcessLock | LockOwner = takeProcessLock(at);
  if (!("release" in taken)) throw new Error(`The lock is held by ${taken.pid}`);
  return taken;
}
