import { median, type ProcessCost } from "./measure.ts";

/** A row of the results: what was run, and what it cost. */
export interface Row {
  readonly what: string;
  readonly cells: readonly string[];
}

export interface RowOptions {
  /** What the medians are compared with. */
  readonly against?: readonly ProcessCost[];
  readonly limitSeconds?: number;
  /** Of the CPU time to that of `against`; at most the same where it is absent. */
  readonly limitRatio?: number;
  /** Of the memory, instead of that of `against`. */
  readonly limitMegabytes?: number;
}

/** The medians of several runs of one thing, with all runs, so that a reader sees how far they lie apart. */
export function costRow(what: string, costs: readonly ProcessCost[], options: RowOptions = {}): Row {
  const { against, limitSeconds, limitRatio = 1, limitMegabytes } = options;
  const seconds = costs.map(({ cpuSeconds }) => cpuSeconds);
  const ratio = against && median(seconds) / median(against.map(({ cpuSeconds }) => cpuSeconds));
  const memory = memoryOf(costs);
  const memoryRatio = against && memory / memoryOf(against);
  const verdicts = [
    ...(limitSeconds === undefined ? [] : [`${judge(median(seconds) < limitSeconds)} (limit ${limitSeconds} s)`]),
    ...(ratio === undefined ? [] : [`${ratio.toFixed(2)} ${judge(ratio <= limitRatio)}`]),
    ...(memoryRatio === undefined
      ? []
      : limitMegabytes === undefined
        ? [`memory ${memoryRatio.toFixed(2)} ${judge(memoryRatio <= 1)}`]
        : [`memory ${memoryRatio.toFixed(2)}, ${judge(memory < limitMegabytes)} (limit ${limitMegabytes} MB)`]),
  ];
  const cells = [
    `${median(seconds).toFixed(2)} s`,
    seconds.map((value) => value.toFixed(2)).join(" "),
    `${memory.toFixed(0)} MB`,
    verdicts.join(", "),
  ];
  // A whole benchmark takes minutes: what is known is told at once.
  console.error(`${what}: ${cells.join("; ")}`);
  return { what, cells };
}

export function renderTable(rows: readonly Row[]): string {
  return [
    "| | CPU, median | runs | peak memory | ratio |",
    "|---|---|---|---|---|",
    ...rows.map(({ what, cells }) => `| ${[what, ...cells].join(" | ")} |`),
  ].join("\n");
}

function memoryOf(costs: readonly ProcessCost[]): number {
  return median(costs.map(({ peakMegabytes }) => peakMegabytes));
}

function judge(isMet: boolean): string {
  return isMet ? "✓" : "✗";
}
