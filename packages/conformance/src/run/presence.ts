import { renderDuration } from "@nodewright/terminal-text";
import { pause } from "../client/pause.ts";
import type { PlayedCase } from "./play-case.ts";

export interface PresenceParts {
  /** Sends a simple request: returns whether there is any response; `undefined` when no more requests are allowed. */
  readonly callOperation: () => Promise<boolean | undefined>;
  /** Maximum time to wait for the target. */
  readonly maximumOutageMilliseconds: number;
  readonly signal?: AbortSignal | undefined;
  /** Called with how long the target was unavailable, when it is back. */
  onReturn(notice: string): void;
  /** Called with the reason when the target is given up. */
  onGone(sentence: string): void;
}

/** Number of consecutive cases without a response after which a simple request is sent. */
const usualFewestLost = 4;
const firstPauseMilliseconds = 250;
const maximumPauseMilliseconds = 2_000;

/** Tracks whether a target still responds: a run waits for one that restarts. */
export class Presence {
  readonly #parts: PresenceParts;
  #lost: PlayedCase[] = [];
  #goneBecause: string | undefined;
  #isUndecided = false;
  #watch: Promise<void> | undefined;

  constructor(parts: PresenceParts) {
    this.#parts = parts;
  }

  /** Sentence that reports that the target was given up. */
  get goneBecause(): string | undefined {
    return this.#goneBecause;
  }

  /** Records a case without a response. */
  noteLost(played: PlayedCase): void {
    this.#lost.push(played);
  }

  /** Records a response. */
  recordResponse(): void {
    if (this.#goneBecause === undefined) this.#lost = [];
  }

  /** Resolves at once while the target seems available, else when it responds again or is given up. */
  async settle(fewestLost: number = usualFewestLost): Promise<void> {
    if (this.#goneBecause !== undefined || (this.#watch === undefined && this.#lost.length < fewestLost)) return;
    this.#watch ??= this.#wait().finally(() => {
      this.#watch = undefined;
    });
    await this.#watch;
  }

  /** Returns whether a case failed only because the target became unavailable and did not return, or because the wait was cut short. */
  isLost(played: PlayedCase): boolean {
    return (this.#goneBecause !== undefined || this.#isUndecided) && this.#lost.includes(played);
  }

  async #wait(): Promise<void> {
    const { callOperation, maximumOutageMilliseconds, signal, onReturn, onGone } = this.#parts;
    const [first] = this.#lost;
    const where = first === undefined ? "" : ` (first in ${first.planned.id})`;
    const start = performance.now();
    const elapsed = (): number => performance.now() - start;
    for (let next = firstPauseMilliseconds; ; next = Math.min(next * 2, maximumPauseMilliseconds)) {
      const isResponding = await callOperation();
      this.#isUndecided = isResponding === undefined || signal?.aborted === true;
      if (isResponding === true && !this.#isUndecided) {
        this.#lost = [];
        // When the first probe succeeds, the target was never away.
        if (next > firstPauseMilliseconds)
          onReturn(`The target did not respond for ${renderDuration(elapsed())}, and then responded again${where}.`);
      }
      if (isResponding !== false || this.#isUndecided) return;
      if (elapsed() >= maximumOutageMilliseconds) break;
      await pause(Math.min(next, maximumOutageMilliseconds - elapsed()), signal);
    }
    this.#goneBecause = `The target stopped responding${where} and did not come back in ${renderDuration(elapsed())}`;
    onGone(this.#goneBecause);
  }
}
