import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { EmittedFile } from "@nodewright/model";
import { renderDifference } from "./difference.ts";
import { digestOf } from "./digest.ts";
import { type Manifest, manifestName, serializeManifest } from "./manifest.ts";
import { stepsOf } from "./plan-steps.ts";
import { applyTransaction } from "./transaction.ts";
import { planWrite, readDirectoryState } from "./write-plan.ts";

let directory = "";

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "nodewright-write-"));
});

afterEach(() => rmSync(directory, { recursive: true }));

function withManifest(files: readonly EmittedFile[]): readonly EmittedFile[] {
  const manifest: Manifest = {
    document: "a.yaml",
    inputs: {},
    generator: "",
    configuration: "",
    files: Object.fromEntries(files.map(({ path, text }) => [path, digestOf(text)])),
    operations: [],
  };
  return [...files, { path: manifestName, text: serializeManifest(manifest) }];
}

function write(...files: readonly EmittedFile[]) {
  const plan = planWrite(directory, readDirectoryState(directory), withManifest(files));
  applyTransaction({ directory, steps: stepsOf(plan) });
  return plan;
}

describe("planWrite", () => {
  it("creates files, leaves equal ones untouched and removes those that are no longer emitted", () => {
    write({ path: "types.ts", text: "a" }, { path: "deep/old.ts", text: "b" });
    const before = statSync(join(directory, "types.ts"), { bigint: true }).mtimeNs;
    const { changes } = write({ path: "types.ts", text: "a" }, { path: "client.ts", text: "c" });
    expect(changes.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      "create client.ts",
      "update manifest.json",
      "delete deep/old.ts",
    ]);
    expect(statSync(join(directory, "types.ts"), { bigint: true }).mtimeNs).toBe(before);
    expect(existsSync(join(directory, "deep/old.ts"))).toBe(false);
    expect(readFileSync(join(directory, "client.ts"), "utf8")).toBe("c");
  });

  it("names files that were edited by hand before it would change them", () => {
    write({ path: "types.ts", text: "a" });
    writeFileSync(join(directory, "types.ts"), "edited");
    writeFileSync(join(directory, "mine.ts"), "mine");
    const plan = planWrite(directory, readDirectoryState(directory), withManifest([{ path: "types.ts", text: "a" }]));
    expect(plan.handEdited).toEqual(["types.ts", "mine.ts"]);
  });

  it("shows a change as a diff from disk to document", () => {
    write({ path: "types.ts", text: "one\ntwo\n" });
    const [change] = planWrite(directory, readDirectoryState(directory), [
      { path: "types.ts", text: "one\n2\n" },
    ]).changes;
    if (change === undefined) throw new Error("no change");
    expect(renderDifference("gen", change)).toContain("-two\n+2\n");
  });
});
