import { createRequire } from "node:module";
import type { FileChange } from "./write-plan.ts";

type Diff = typeof import("diff");

/** Options for printing the difference of two files. */
export interface DifferenceOptions {
  /** Maximum number of diff lines that are shown; the rest is counted. */
  readonly maximumLines: number;
}

/** Numbers of lines that differ in one file. */
interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

/** Maximum number of changed lines for which a diff is computed: its cost grows with their square. Larger differences are only reported. */
const maximumEditLength = 4_000;
const contextLines = 3;

/** Returns the change of one file as a unified diff, from the disk to the documents; long ones are cut, and the rest is counted. */
export function renderDifference(
  directory: string,
  change: FileChange,
  { maximumLines }: DifferenceOptions = { maximumLines: Number.POSITIVE_INFINITY },
): string {
  const path = `${directory}/${change.path}`;
  const before = change.kind === "create" ? "" : change.before;
  const after = change.kind === "delete" ? "" : change.text;
  const hunks = hunkLines(path, before, after);
  const title = [
    `--- ${change.kind === "create" ? "/dev/null" : `${path} (on disk)`}`,
    `+++ ${change.kind === "delete" ? "/dev/null" : `${path} (generated)`}`,
  ];
  if (hunks === undefined) {
    return [
      ...title,
      `  Too much differs to show it: ${lineCount(before)} lines on disk, ${lineCount(after)} generated.`,
      "",
    ].join("\n");
  }
  const shown = hunks.slice(0, maximumLines);
  const { added, removed } = countLines(hunks.slice(maximumLines));
  const rest = shown.length === hunks.length ? [] : [`  … and ${added} lines more to add, ${removed} to remove.`];
  return [...title, ...shown, ...rest, ""].join("\n");
}

/** Returns the lines of every hunk with their `@@` lines; undefined when the texts have too little in common. */
function hunkLines(path: string, before: string, after: string): readonly string[] | undefined {
  if (before === "" || after === "") {
    const sign = before === "" ? "+" : "-";
    const lines = (before + after).replace(/\n$/, "").split("\n");
    return [
      before === "" ? `@@ -0,0 +1,${lines.length} @@` : `@@ -1,${lines.length} +0,0 @@`,
      ...lines.map((line) => sign + line),
    ];
  }
  const options = { context: contextLines, maxEditLength: maximumEditLength };
  return loadDiff()
    .structuredPatch(path, path, before, after, "", "", options)
    ?.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
      `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
      ...lines,
    ]);
}

let loaded: Diff | undefined;

/** Loads the diff library when there is a difference to show: most runs write, and show none. */
function loadDiff(): Diff {
  loaded ??= createRequire(import.meta.url)("diff") as Diff;
  return loaded;
}

function countLines(lines: readonly string[]): LineCounts {
  let added = 0;
  let removed = 0;
  for (const line of lines) {
    if (line.startsWith("+")) added += 1;
    else if (line.startsWith("-")) removed += 1;
  }
  return { added, removed };
}

function lineCount(text: string): number {
  return text.split("\n").length - 1;
}
