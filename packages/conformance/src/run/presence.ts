import { renderDuration } from "@nodewright/terminal-text";
import { pause } from "../client/pause.ts";
import type { PlayedCase } from "./play-case.ts";

/** Tracks whether a target still responds: a run waits for one that restarts. */
export interface Presence {
  /** Records a case without a response. */
  noteLost(played: PlayedCase): void;
  /** Records a response. */
  recordResult(): void;
  /** Resolves at once while the target seems available, else when it responds again or is given up. */
  settle(fewestLost?: number): Promise<void>;
  /** Returns whether a case failed only because the target became unavailable and did not return, or because the wait was cut short. */
  isLost(played: PlayedCase): boolean;
  /** Sentence that reports that the target was given up. */
  readonly goneBecause: string | undefined;
}

export interface PresenceParts {
  /** Sends a simple request: returns whether there is any response; `undefined` when no more requests are allowed. */
  readonly callOperation: () => Promise<boolean | undefined>;
  /** Maximum time to wait for the target. */
  readonly patienceMilliseconds: number;
  readonly signal?: AbortSignal | undefined;
  /** Called with how long the target was unavailable, when it is back. */
  onReturn(notice: string): void;
  /** Called with the reason when the target is given up. */
  onGone(sentence: string): void;
}

/** Number of consecutive cases without a response after which a simple request is sent. */
const usualFewestLost = 4;
const firstPauseMilliseconds = 250;
const longestPauseMilliseconds = 2_000;

export function createPresence({
  callOperation,
  patienceMilliseconds,
  signal,
  onReturn,
  onGone,
}: PresenceParts): Presence {
  let lost: PlayedCase[] = [];
  let goneBecause: string | undefined;
  let isUndecided = false;
  let watch: Promise<void> | undefined;

  const wait = async (): Promise<void> => {
    const first = lost[0];
    const start = performance.now();
    const elapsed = (): number => performance.now() - start;
    for (let next = firstPauseMilliseconds; ; next = Math.min(next * 2, longestPauseMilliseconds)) {
      const isResponded = await callOperation();
      if (isResponded === undefined || signal?.aborted === true) {
        isUndecided = true;
        return;
      }
      if (isResponded) {
        lost = [];
        // When the first probe succeeds, the target was never away.
        if (next > firstPauseMilliseconds)
          onReturn(
            `The target did not respond for ${renderDuration(elapsed())}, and then responded again${whereOf(first)}.`,
          );
        return;
      }
      if (elapsed() >= patienceMilliseconds) break;
      await pause(Math.min(next, patienceMilliseconds - elapsed()), signal);
    }
    goneBecause = `The target stopped responding${whereOf(first)} and did not come back in ${renderDuration(elapsed())}`;
    onGone(goneBecause);
  };

  return {
    noteLost: (played) => {
      lost.push(played);
    },
    recordResult: () => {
      if (goneBecause === undefined) lost = [];
    },
    settle: async (fewestLost = usualFewestLost) => {
      if (goneBecause !== undefined || (watch === undefined && lost.length < fewestLost)) return;
      watch ??= wait().finally(() => {
        watch = undefined;
      });
      await watch;
    },
    isLost: (played) => (goneBecause !== undefined || isUndecided) && lost.includes(played),
    get goneBecause() {
      return goneBecause;
    },
  };
}

function whereOf(first: PlayedCase | undefined): string {
  return first === undefined ? "" : ` (first in ${first.planned.id})`;
}
