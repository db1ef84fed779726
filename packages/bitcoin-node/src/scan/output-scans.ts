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

  /** `caller`: what tells one caller of a node from another, such as a subscription's id. */
  of(caller: string): CallerScans {
    return new ScansOfCaller(this.#running, caller);
  }
}

/** Made for every request, most of which never look at it. */
class ScansOfCaller implements CallerScans {
  readonly #all: Map<string, RunningScan>;
  readonly #caller: string;

  constructor(all: Map<string, RunningScan>, caller: string) {
    this.#all = all;
    this.#caller = caller;
  }

  get running(): RunningScan | undefined {
    return this.#all.get(this.#caller);
  }

  run<Result>(search: (scan: RunningScan) => Promise<Result>): Promise<Result> | undefined {
    if (this.running !== undefined) return undefined;
    const scan = new RunningScan();
    this.#all.set(this.#caller, scan);
    return search(scan).finally(() => this.#all.delete(this.#caller));
  }
}
