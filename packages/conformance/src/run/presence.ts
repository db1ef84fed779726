import { renderDuration } from "@nodewright/terminal-text";
import { pause } from "../client/pause.ts";
import type { PlayedCase } from "./play-case.ts";

/** Watches whether a target still answers: one that is started anew in the middle of a run is waited for. */
export interface Presence {
  /** A case had no answer. */
  noteLost(played: PlayedCase): void;
  /** Something was answered. */
  noteAnswer(): void;
  /** Resolves at once while the target seems to answer, else when it does again, or is given up. */
  settle(fewestLost?: number): Promise<void>;
  /** True for cases that only say that a target went away which did not come back, or for which nobody waited to the end. */
  isLost(played: PlayedCase): boolean;
  /** One sentence: the target was given up. */
  readonly goneBecause: string | undefined;
}

export interface PresenceParts {
  /** Asks for something simple: whether anything is answered; undefined where it may not be asked any more. */
  readonly ask: () => Promise<boolean | undefined>;
  /** How long a target is waited for. */
  readonly patienceMilliseconds: number;
  readonly signal?: AbortSignal | undefined;
  /** Hears how long a target did not answer that came back. */
  onReturn(notice: string): void;
  /** Hears why the target was given up. */
  onGone(sentence: string): void;
}

/** Cases in a row without any answer after which the target is asked for something simple. */
const usualFewestLost = 4;
const firstPauseMilliseconds = 250;
const longestPauseMilliseconds = 2_000;

export function createPresence({ ask, patienceMilliseconds, signal, onReturn, onGone }: PresenceParts): Presence {
  let lost: PlayedCase[] = [];
  let goneBecause: string | undefined;
  let isUndecided = false;
  let watch: Promise<void> | undefined;

  const wait = async (): Promise<void> => {
    const first = lost[0];
    const start = performance.now();
    const elapsed = (): number => performance.now() - start;
    for (let next = firstPauseMilliseconds; ; next = Math.min(next * 2, longestPauseMilliseconds)) {
      const isAnswered = await ask();
      if (isAnswered === undefined || signal?.aborted === true) {
        isUndecided = true;
        return;
      }
      if (isAnswered) {
        lost = [];
        // Where the first question is answered it was never away.
        if (next > firstPauseMilliseconds)
          onReturn(
            `The target did not answer for ${renderDuration(elapsed())}, and then it did again${whereOf(first)}.`,
          );
        return;
      }
      if (elapsed() >= patienceMilliseconds) break;
      await pause(Math.min(next, patienceMilliseconds - elapsed()), signal);
    }
    goneBecause = `The target stopped answering${whereOf(first)} and did not come back in ${renderDuration(elapsed())}`;
    onGone(goneBecause);
  };

  return {
    noteLost: (played) => {
      lost.push(played);
    },
    noteAnswer: () => {
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
