/** Cleanup steps, latest first. */
export interface Cleanup {
  add(step: () => Promise<void>): void;
  /** Whether the cleanup has been requested. */
  readonly hasBegun: boolean;
  /** Runs all steps, once, however often it is called. A failed step does not block the others. */
  run(): Promise<void>;
}

export function createCleanup(): Cleanup {
  const steps: (() => Promise<void>)[] = [];
  let running: Promise<void> | undefined;
  const takeSteps = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
      await step().catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw new AggregateError(failures, "Not everything could be undone");
  };
  return {
    add: (step) => void steps.push(step),
    get hasBegun() {
      return running !== undefined;
    },
    run() {
      running ??= takeSteps();
      return running;
    },
  };
}
