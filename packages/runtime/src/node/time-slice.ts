/** Milliseconds that all work in time slices may take together of one turn of the event loop. */
const turnMilliseconds = 4;

/** Start of the time slices of this turn; `undefined` as long as there are none. */
let startedAt: number | undefined;

/** Paused work, the longest waiting first. */
const waiting = new Set<() => void>();

let isScheduled = false;

/**
 * Returns whether the time slices of this turn of the event loop have used up its time, so that long work must continue in another one: `if
 * (isTimeSliceUsedUp()) await nextTimeSlice()`. Called where the work begins and after each step.
 *
 * The time is shared by all work in time slices, so that any number of tasks blocks others no longer than one of them alone.
 */
export function isTimeSliceUsedUp(): boolean {
  const now = performance.now();
  if (startedAt !== undefined) return now - startedAt >= turnMilliseconds;
  startedAt = now;
  schedule();
  return false;
}

/**
 * Returns a promise that is fulfilled in a later turn of the event loop, after earlier paused work: only one task continues in a turn, and
 * requests that have arrived meanwhile are handled in between.
 */
export function nextTimeSlice(): Promise<void> {
  return new Promise((resolve) => {
    waiting.add(resolve);
    schedule();
  });
}

/** Runs all steps of some work, as many in each turn of the event loop as there is time for. */
export async function runInTimeSlices<Result>(steps: Generator<void, Result>): Promise<Result> {
  for (;;) {
    if (isTimeSliceUsedUp()) await nextTimeSlice();
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(beginTurn);
}

function beginTurn(): void {
  isScheduled = false;
  startedAt = undefined;
  const [first] = waiting;
  if (first === undefined) return;
  waiting.delete(first);
  startedAt = performance.now();
  // Ends this turn, whether or not others wait.
  schedule();
  first();
}
