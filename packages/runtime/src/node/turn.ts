/** Milliseconds that all work in slices may take together of one turn of the event loop. */
const turnMilliseconds = 4;

/** When the slices of this turn began; `undefined` as long as there are none. */
let startedAt: number | undefined;

/** Those who have paused, the longest waiting first. */
const waiting = new Set<() => void>();

let isScheduled = false;

/**
 * Whether the slices of this turn of the event loop have used up its time, so that long work is to go on in another one:
 * `if (isTurnUsedUp()) await nextTurn()`. Asked where the work begins and behind each step.
 *
 * The time is that of all who work in slices, so that any number of them hold up others no longer than one of them alone.
 */
export function isTurnUsedUp(): boolean {
  const now = performance.now();
  if (startedAt !== undefined) return now - startedAt >= turnMilliseconds;
  startedAt = now;
  schedule();
  return false;
}

/**
 * Fulfilled in a later turn of the event loop, when those who have paused before have had theirs: only one of them goes on in a turn,
 * and requests that have come meanwhile are seen to between them.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.add(resolve);
    schedule();
  });
}

/** Takes all steps of some work, as many in each turn of the event loop as there is time for. */
export async function inTurns<Result>(steps: Generator<void, Result>): Promise<Result> {
  for (;;) {
    if (isTurnUsedUp()) await nextTurn();
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
