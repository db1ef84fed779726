import type { BlockRepairOutcome, IndexerEvent } from "@nodewright/bitcoin-indexer";

/** Output for progress: a terminal, or a file or pipe. */
export interface ProgressOutput {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

export interface ProgressLine {
  /** Shows the progress of an indexer: in place on a terminal, periodically elsewhere. */
  show(nodeId: string, event: IndexerEvent): void;
  /** Writes a line of its own, without corrupting the progress line. */
  say(line: string): void;
}

const sparseMilliseconds = 10_000;
const eraseLine = "\r\u001b[2K";

export function createProgressLine(output: ProgressOutput, now: () => number = () => performance.now()): ProgressLine {
  let isOpen = false;
  let writtenAt = Number.NEGATIVE_INFINITY;
  const closeLine = (): void => {
    if (isOpen) output.write(eraseLine);
    isOpen = false;
  };
  const writeLine = (line: string): void => {
    closeLine();
    output.write(`${line}\n`);
  };
  return {
    show(nodeId, event) {
      const line = renderProgress(nodeId, event);
      const isOver = event.state !== "indexing";
      if (output.isTTY === true && !isOver) {
        output.write(`${eraseLine}${line}`);
        isOpen = true;
        return;
      }
      if (!isOver && now() - writtenAt < sparseMilliseconds) return;
      writtenAt = now();
      writeLine(line);
    },
    say: writeLine,
  };
}

/** Renders progress, for example `bitcoin-mainnet: indexing, height 700 of 14131 (5 %), 701 blocks, 3.5 MB/s, 2 s left`. */
export function renderProgress(nodeId: string, event: IndexerEvent): string {
  const parts = [event.state, renderHeight(event)];
  if (event.blocks > 0) parts.push(`${event.blocks} blocks`, `${event.megabytesPerSecond.toFixed(1)} MB/s`);
  if (event.state === "indexing" && event.secondsLeft !== undefined)
    parts.push(`${renderDuration(event.secondsLeft)} left`);
  return `${nodeId}: ${parts.join(", ")}${event.reason === undefined ? "" : `: ${event.reason}`}`;
}

/** Renders a repair, for example `bitcoin-mainnet: a damaged block was repaired: /data/blocks/blk00000.dat, byte 8`. */
export function renderRepair(nodeId: string, { path, offset, problem }: BlockRepairOutcome): string {
  const place = `${path}, byte ${offset}`;
  return problem === undefined
    ? `${nodeId}: a damaged block was repaired: ${place}`
    : `${nodeId}: a damaged block can't be repaired: ${place}: ${problem}`;
}

/** Returns the integer percentage of the source's known blocks, rounded down: 100 means all of them. */
export function percentOf(event: Pick<IndexerEvent, "height" | "targetHeight">): number {
  if (event.targetHeight < 0) return 0;
  return Math.min(100, Math.floor(((event.height + 1) * 100) / (event.targetHeight + 1)));
}

function renderHeight(event: IndexerEvent): string {
  const height = event.height < 0 ? "no block yet" : `height ${event.height}`;
  return height + renderTarget(event);
}

function renderTarget(event: IndexerEvent): string {
  if (event.targetHeight <= event.height) return "";
  return ` of ${event.targetHeight} (${percentOf(event)} %)`;
}

function renderDuration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3_600).toFixed(1)} h`;
}
