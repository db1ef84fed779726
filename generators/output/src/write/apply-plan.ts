import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { manifestName } from "./manifest.ts";
import type { FileChange, WritePlan } from "./write-plan.ts";

/**
 * Performs a plan. Each file is written beside its place and renamed, so that a reader sees the old text or the new one; the
 * manifest comes last, so that an interrupted run is found unfinished by the next.
 */
export function applyPlan({ directory, changes }: WritePlan): void {
  for (const change of changes.toSorted((left, right) => rank(left) - rank(right))) {
    const path = join(directory, change.path);
    if (change.kind === "delete") rmSync(path, { force: true });
    else writeFileAtomically(path, change.text);
  }
}

export function writeFileAtomically(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, text);
  renameSync(temporary, path);
}

function rank({ path }: FileChange): number {
  return path === manifestName ? 1 : 0;
}
