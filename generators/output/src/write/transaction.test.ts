import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { digestOf } from "./digest.ts";
import { journalName } from "./journal.ts";
import { applyTransaction, recoverTransaction, type WriteStep } from "./transaction.ts";
import { takeWriteLock } from "./write-lock.ts";

let root = "";
let directory = "";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "nodewright-transaction-"));
  directory = join(root, "api/src/gen");
});

afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string, before?: string): WriteStep {
  return { kind: "write", path: join(root, path), text, before };
}

/** Returns every file below the root with its text. */
function tree(): Readonly<Record<string, string>> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(root.length + 1), readFileSync(path, "utf8")];
    }),
  );
}

describe("applyTransaction", () => {
  it("creates, replaces and removes files, in directories that it makes and clears away", () => {
    applyTransaction({ directory, steps: [write("api/src/gen/old/a.ts", "1"), write("handlers/b.ts", "2")] });
    expect(tree()).toEqual({ "api/src/gen/old/a.ts": "1", "handlers/b.ts": "2" });
    applyTransaction({
      directory,
      steps: [
        { kind: "remove", path: join(directory, "old/a.ts"), before: "1" },
        write("handlers/b.ts", "3", "2"),
        write("api/src/gen/new.ts", "4"),
      ],
    });
    expect(tree()).toEqual({ "handlers/b.ts": "3", "api/src/gen/new.ts": "4" });
    expect(readdirSync(directory)).toEqual(["new.ts"]);
  });

  it("takes everything back when the system refuses one file", () => {
    applyTransaction({ directory, steps: [write("api/src/gen/a.ts", "1"), write("gone.ts", "x")] });
    const before = tree();
    const modified = statSync(join(directory, "a.ts"), { bigint: true }).mtimeNs;
    const steps = [
      write("api/src/gen/a.ts", "2", "1"),
      { kind: "remove", path: join(root, "gone.ts"), before: "x" } as const,
      write("made/for/this.ts", "3"),
      write("api/src/gen/a.ts/below.ts", "4"),
    ];
    expect(() => applyTransaction({ directory, steps })).toThrow(
      /below\.ts could not be written: a file stands where a directory .* All files are as they were\.$/,
    );
    expect(tree()).toEqual(before);
    expect(statSync(join(directory, "a.ts"), { bigint: true }).mtimeNs).toBe(modified);
    expect(existsSync(join(root, "made"))).toBe(false);
  });

  it("leaves no directory behind when nothing could be written at all", () => {
    writeFileSync(join(root, "file"), "");
    expect(() => applyTransaction({ directory: join(root, "file/gen"), steps: [write("file/gen/a.ts", "1")] })).toThrow(
      /All files are as they were/,
    );
    expect(() =>
      applyTransaction({ directory, steps: [write("api/src/gen/a.ts", "1"), write("file/a.ts", "1")] }),
    ).toThrow(/All files are as they were/);
    expect(tree()).toEqual({ file: "" });
    expect(existsSync(join(root, "api"))).toBe(false);
  });

  it("does not overwrite what somebody wrote since the plan was made", () => {
    applyTransaction({ directory, steps: [write("api/src/gen/a.ts", "1")] });
    writeFileSync(join(directory, "a.ts"), "mine");
    expect(() => applyTransaction({ directory, steps: [write("api/src/gen/a.ts", "2", "1")] })).toThrow(
      /a\.ts was changed while it was about to be written/,
    );
    expect(() => applyTransaction({ directory, steps: [write("api/src/gen/a.ts", "2")] })).toThrow(/was changed/);
    expect(tree()).toEqual({ "api/src/gen/a.ts": "mine" });
  });
});

describe("recoverTransaction", () => {
  const anything = (): boolean => true;

  /** Writes the journal of a write of `a.ts` from "1" to "2", as left by a process that is killed after staging. */
  function dieAfterStaging(record: "commit.json" | "undo.json" | undefined): void {
    mkdirSync(join(directory, journalName), { recursive: true });
    writeFileSync(join(directory, "a.ts"), "1");
    writeFileSync(join(directory, journalName, "0.new"), "2");
    writeFileSync(join(directory, journalName, "0.old"), "1");
    const step = { path: "a.ts", staged: "0.new", backup: "0.old", digest: digestOf("2"), before: digestOf("1") };
    if (record !== undefined)
      writeFileSync(
        join(directory, journalName, record),
        JSON.stringify({ format: 1, steps: [step], directories: [] }),
      );
  }

  it("undoes a write whose record is not there yet, and completes it from then on", () => {
    dieAfterStaging(undefined);
    expect(recoverTransaction(directory, anything)).toEqual({ outcome: "undone", files: 1, kept: [] });
    expect(tree()).toEqual({ "api/src/gen/a.ts": "1" });
    dieAfterStaging("commit.json");
    expect(recoverTransaction(directory, anything)).toEqual({ outcome: "completed", files: 1, kept: [] });
    expect(tree()).toEqual({ "api/src/gen/a.ts": "2" });
    expect(recoverTransaction(directory, anything)).toBeUndefined();
  });

  it("goes on with a write that was completed or taken back in part", () => {
    dieAfterStaging("commit.json");
    renameSync(join(directory, journalName, "0.new"), join(directory, "a.ts"));
    expect(recoverTransaction(directory, anything)?.outcome).toBe("completed");
    expect(tree()).toEqual({ "api/src/gen/a.ts": "2" });
    dieAfterStaging("undo.json");
    writeFileSync(join(directory, "a.ts"), "2");
    expect(recoverTransaction(directory, anything)?.outcome).toBe("undone");
    expect(tree()).toEqual({ "api/src/gen/a.ts": "1" });
  });

  it("leaves what somebody has written since, and says so", () => {
    dieAfterStaging("commit.json");
    writeFileSync(join(directory, "a.ts"), "mine");
    expect(recoverTransaction(directory, anything)).toEqual({
      outcome: "completed",
      files: 1,
      kept: [join(directory, "a.ts")],
    });
    expect(tree()).toEqual({ "api/src/gen/a.ts": "mine" });
  });

  it("touches no file that a write into this directory cannot be about", () => {
    dieAfterStaging("commit.json");
    const path = join(directory, journalName, "commit.json");
    writeFileSync(path, readFileSync(path, "utf8").replace('"a.ts"', '"../../../outside.ts"'));
    recoverTransaction(directory, (file) => file.startsWith(directory));
    expect(tree()).toEqual({ "api/src/gen/a.ts": "1" });
  });

  it.each(["", "{", "null", '{"format":2}', '{"format":1,"steps":[{"path":1}],"directories":[]}'])(
    "takes a journal whose record is %j for one that was never complete",
    (text) => {
      dieAfterStaging("commit.json");
      writeFileSync(join(directory, journalName, "commit.json"), text);
      expect(recoverTransaction(directory, anything)?.outcome).toBe("undone");
      expect(tree()).toEqual({ "api/src/gen/a.ts": "1" });
    },
  );
});

describe("takeWriteLock", () => {
  it("gives the right to one owner at a time, whatever the path is written like", () => {
    const lock = takeWriteLock(directory);
    expect(takeWriteLock(join(root, "api/../api/src/gen"))).toMatchObject({ pid: process.pid });
    if (!("release" in lock)) throw new Error("The lock was taken");
    lock.release();
    const again = takeWriteLock(directory);
    expect(again).toHaveProperty("release");
    if ("release" in again) again.release();
  });

  it("passes from an owner that was killed", () => {
    const script = `
      import { takeWriteLock } from ${JSON.stringify(new URL("write-lock.ts", import.meta.url).href)};
      if (!("release" in takeWriteLock(${JSON.stringify(directory)}))) process.exit(1);
      process.kill(process.pid, "SIGKILL");
    `;
    const { signal } = spawnSync(process.execPath, ["--input-type=module", "--conditions=source", "-e", script]);
    expect(signal).toBe("SIGKILL");
    const lock = takeWriteLock(directory);
    expect(lock).toHaveProperty("release");
    if ("release" in lock) lock.release();
  });
});
