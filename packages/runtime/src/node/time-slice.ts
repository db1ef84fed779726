import { TurnQueue } from "./turn-queue.ts";

/** Milliseconds that all work in time slices may take together of one turn of the event loop. */
const turnMilliseconds = 4;

const turns = new TurnQueue();

/** Last turn that had time slices, and when they began. */
let slicedTurn = -1;
let startedAt = 0;

/**
 * Returns whether the time slices of this turn of the event loop have used up its time, so that long work must continue in another one: `if
 * (isTimeSliceUsedUp()) await nextTimeSlice()`. Called where the work begins and after each step.
 *
 * The time is shared by all work in time slices, so that any number of tasks blocks others no longer than one of them alone.
 */
export function isTimeSliceUsedUp(): boolean {
  if (slicedTurn === turns.turn) return performance.now() - startedAt >= turnMilliseconds;
  beginSlices();
  turns.take();
  return false;
}

/** Returns a promise that is fulfilled in a later turn of the event loop, in which no other paused work continues. */
export async function nextTimeSlice(): Promise<void> {
  await turns.wait();
  beginSlices();
}

function beginSlices(): void {
  slicedTurn = turns.turn;
  startedAt = performance.now();
}

/** Runs all steps of some work, as many in each turn of the event loop as there is time for. */
export async function runInTimeSlices<Result>(steps: Generator<void, Result>): Promise<Result> {
  for (;;) {
    if (isTimeSliceUsedUp()) await nextTimeSlice();
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
