/** A search for unspent outputs that runs. */
export class RunningScan {
  /** Percent that is done. */
  progress = 0;
  #isAborted = false;
  #isOver: () => boolean = () => false;

  get isAborted(): boolean {
    this.#isAborted ||= this.#isOver();
    return this.#isAborted;
  }

  /** Aborts it as soon as `isOver` says so, which is asked between its steps. */
  abortWhen(isOver: () => boolean): void {
    this.#isOver = isOver;
  }

  abort(): void {
    this.#isAborted = true;
  }
}

/** The searches of one caller, of which one runs at a time. */
export interface CallerScans {
  /** `undefined` when none runs. */
  readonly running: RunningScan | undefined;
  /** Runs a search until it settles; `undefined` when another one runs. */
  run<Result>(search: (scan: RunningScan) => Promise<Result>): Promise<Result> | undefined;
}

/** The searches of all callers of a process. */
export class OutputScans {
  readonly #running = new Map<string, RunningScan>();

  /** `caller`: what tells one caller from another, such as a subscription's id together with a node's. */
  of(caller: string): CallerScans {
    const running = this.#running;
    return {
      get running() {
        return running.get(caller);
      },
      run(search) {
        if (running.has(caller)) return undefined;
        const scan = new RunningScan();
        running.set(caller, scan);
        return search(scan).finally(() => running.delete(caller));
      },
    };
  }
}
