import { createTwoFilesPatch } from "diff";
import type { FileChange } from "./write-plan.ts";

/** The change of one file as a unified diff, from what is on disk to what the documents say. */
export function renderDifference(directory: string, change: FileChange): string {
  const path = `${directory}/${change.path}`;
  const before = change.kind === "create" ? "" : change.before;
  const after = change.kind === "delete" ? "" : change.text;
  return createTwoFilesPatch(path, path, before, after, "on disk", "generated", { context: 3 });
}
