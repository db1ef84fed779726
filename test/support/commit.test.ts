import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findCommit } from "./commit.ts";

const survivors = "test/mutation-testing/survivors.jsonl";

describe("the commit that results are of", () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "nodewright-commit-"));
    mkdirSync(join(directory, "test/mutation-testing"), { recursive: true });
    git("init", "--quiet");
    commit("source.ts", "1");
    commit(survivors, "");
    commit("RESULTS.md", "none");
  });

  afterEach(() => rmSync(directory, { recursive: true }));

  function git(...parameters: readonly string[]): string {
    const identity = ["-c", "user.name=Test", "-c", "user.email=test@localhost", "-c", "commit.gpgsign=false"];
    return execFileSync("git", [...identity, ...parameters], { cwd: directory, encoding: "utf8" }).trim();
  }

  function write(path: string, text: string): void {
    writeFileSync(join(directory, path), text);
  }

  function commit(path: string, text: string): void {
    write(path, text);
    git("add", path);
    git("commit", "--quiet", "--message", path);
  }

  const firstCommit = (): string => git("rev-list", "--max-parents=0", "--abbrev-commit", "--abbrev=10", "HEAD");

  it("stays the same when results are written and when they are committed", () => {
    expect(findCommit(directory)).toBe(firstCommit());
    write("test/mutation-testing/RESULTS.md", "a row");
    write("RESULTS.md", "a row");
    write(survivors, "{}\n");
    expect(findCommit(directory)).toBe(firstCommit());
    git("add", ".");
    git("commit", "--quiet", "--message", "results");
    expect(findCommit(directory)).toBe(firstCommit());
  });

  it("is followed by a note while sources are modified, and is another one when they are committed", () => {
    write("source.ts", "2");
    expect(findCommit(directory)).toBe(`${firstCommit()} with changes`);
    commit("source.ts", "2");
    expect(findCommit(directory)).toBe(git("rev-parse", "--short=10", "HEAD"));
    expect(findCommit(directory)).not.toBe(firstCommit());
  });
});
