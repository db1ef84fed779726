// The table of test/long/RESULTS.md: one row for each part of the long tier, of its last run.

/** What a part of the long tier came to. */
export interface LongRow {
  readonly part: string;
  /** As ISO 8601 has it, without the time. */
  readonly date: string;
  readonly commit: string;
  readonly seed: string;
  readonly minutes: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** What the tests counted themselves. */
  readonly figures: readonly string[];
}

const header = "| part | date | commit | seed | time | passed | failed | skipped | figures |";
const rule = "|---|---|---|---|---|---|---|---|---|";

/** Whether a part may be said to have passed: a test that was skipped has shown nothing. */
export function hasPassed({ passed, failed, skipped }: Pick<LongRow, "passed" | "failed" | "skipped">): boolean {
  return passed > 0 && failed === 0 && skipped === 0;
}

/** Returns the names of a list with commas, all parts for none. Throws `RangeError` for an unknown one. */
export function chooseParts(parts: readonly string[], only: string | undefined): readonly string[] {
  if (only === undefined) return parts;
  const names = only.split(",");
  const unknown = names.filter((name) => !parts.includes(name));
  if (unknown.length > 0)
    throw new RangeError(`Unknown part: ${unknown.join(", ")}. The parts are ${parts.join(", ")}.`);
  return parts.filter((part) => names.includes(part));
}

/**
 * Returns the text with the row of a part in place of its last one; rows stand in the order of `parts`, and those of other names are left
 * out. Throws when the text has no such table.
 */
export function replaceRow(text: string, row: LongRow, parts: readonly string[]): string {
  const { before, rows, after } = splitTable(text);
  const lines = new Map(rows.map((line) => [partOf(line), line]));
  lines.set(row.part, renderRow(row));
  return [...before, ...parts.flatMap((part) => lines.get(part) ?? []), ...after].join("\n");
}

/** Whether the last run of a part was of this commit, and of this seed where one is given, and passed. */
export function isDone(text: string, part: string, commit: string, seed?: string): boolean {
  const line = splitTable(text).rows.find((one) => partOf(one) === part);
  if (line === undefined) return false;
  const [, , ofCommit, ofSeed, , passed, failed, skipped] = cellsOf(line);
  if (ofCommit !== commit || (seed !== undefined && ofSeed !== seed)) return false;
  return hasPassed({ passed: Number(passed), failed: Number(failed), skipped: Number(skipped) });
}

function splitTable(text: string): { before: readonly string[]; rows: readonly string[]; after: readonly string[] } {
  const lines = text.split("\n");
  const start = lines.indexOf(header);
  if (start === -1 || lines[start + 1] !== rule) throw new Error(`The text has no table with the header ${header}`);
  const first = start + 2;
  let end = first;
  while (lines[end]?.startsWith("|") === true) end += 1;
  return { before: lines.slice(0, first), rows: lines.slice(first, end), after: lines.slice(end) };
}

function renderRow({ part, date, commit, seed, minutes, passed, failed, skipped, figures }: LongRow): string {
  const shown = figures.join("<br>").replaceAll("|", "\\|");
  return `| ${[part, date, commit, seed, `${minutes.toFixed(1)} min`, passed, failed, skipped, shown].join(" | ")} |`;
}

function partOf(line: string): string {
  return cellsOf(line)[0] ?? "";
}

function cellsOf(line: string): readonly string[] {
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
}
