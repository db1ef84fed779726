import { setImmediate } from "node:timers/promises";

/** Milliseconds of work without a break. */
const sliceMilliseconds = 5;

/** Long work in slices: whoever does it asks after each step whether others wait. */
export class TimeSlice {
  #start: number = performance.now();

  /** True when the slice is used up, and others are to have their turn. */
  get isUsedUp(): boolean {
    return performance.now() - this.#start > sliceMilliseconds;
  }

  /** Gives others their turn, and begins the next slice. */
  async pause(): Promise<void> {
    await setImmediate();
    this.#start = performance.now();
  }
}
