import { setImmediate as nextTimeSlice } from "node:timers/promises";

/** Maximum time in milliseconds without yielding to other work, as far as single steps allow. */
const turnMilliseconds = 4;

/** Runs all steps, with other work between them; `resume` is called whenever they continue in another turn of the event loop. */
export async function inSlices<Result>(steps: Generator<void, Result>, resume: () => unknown): Promise<Result> {
  for (;;) {
    const started = performance.now();
    do {
      const step = steps.next();
      if (step.done === true) return step.value;
    } while (performance.now() - started < turnMilliseconds);
    await nextTimeSlice();
    await resume();
  }
}
