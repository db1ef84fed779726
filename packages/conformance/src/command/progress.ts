import { isFailing, type RunObserver } from "../contract/report.ts";
import { renderDuration, visibleText } from "@nodewright/terminal-text";
import type { OutputStream } from "./streams.ts";

/** A line that shows the progress of a run. */
export interface Progress extends Required<RunObserver> {
  /** Removes the line. */
  clear(): void;
}

const eraseLine = "\r\u001B[2K";
const pauseMilliseconds = 100;

/** Shows the progress of a run on a terminal; does nothing on other streams, and when it is disabled. */
export function createProgress(
  stream: OutputStream,
  isWanted: boolean,
  now: () => number = () => performance.now(),
): Progress {
  const isShown = isWanted && stream.isTTY === true;
  const started = now();
  let stage = "detects what the target offers";
  let planned = 0;
  let played = 0;
  let failed = 0;
  let last = Number.NEGATIVE_INFINITY;
  const draw = (): void => {
    if (!isShown || now() - last < pauseMilliseconds) return;
    last = now();
    const left = leftMilliseconds(now() - started, played, planned);
    const parts = [
      visibleText(stage),
      planned === 0 ? undefined : `${played}/${planned} cases`,
      failed === 0 ? undefined : `${failed} failed`,
      left === undefined ? undefined : `about ${renderDuration(left)} left`,
    ].filter((part) => part !== undefined);
    const width = stream.columns === undefined || stream.columns === 0 ? 80 : stream.columns;
    stream.write(eraseLine + parts.join(" · ").slice(0, width - 1));
  };
  draw();
  return {
    onStage(name, count) {
      stage = name;
      planned = count;
      draw();
    },
    onCase(one) {
      // Cases that are not sent were never planned.
      if (one.verdict !== "not-sent") played += 1;
      if (isFailing(one)) failed += 1;
      draw();
    },
    clear() {
      if (isShown) stream.write(eraseLine);
    },
  };
}

/** Returns the estimated remaining time; `undefined` while too little was played. */
function leftMilliseconds(elapsed: number, played: number, planned: number): number | undefined {
  if (elapsed < 1000 || played < 10 || planned <= played) return undefined;
  return Math.max(1000, Math.round(((elapsed / played) * (planned - played)) / 1000) * 1000);
}
