/** What has to be undone, newest first. */
export interface Cleanup {
  add(step: () => Promise<void>): void;
  /** True as soon as it was asked for. */
  readonly hasBegun: boolean;
  /** Undoes everything, once, however often it is called. A step that fails does not keep the others from being taken. */
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
