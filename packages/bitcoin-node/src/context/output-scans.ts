/** A running search for unspent outputs. */
export class RunningScan {
  /** Percentage that is done. */
  progress = 0;
  #isAborted = false;
  #isOver: () => boolean = () => false;

  get isAborted(): boolean {
    this.#isAborted ||= this.#isOver();
    return this.#isAborted;
  }

  /** Aborts the search as soon as `isOver` returns true, which is called between its steps. */
  abortWhen(isOver: () => boolean): void {
    this.#isOver = isOver;
  }

  abort(): void {
    this.#isAborted = true;
  }
}

/** Searches of one client, of which one runs at a time. */
export interface CallerScans {
  /** Running search; `undefined` while no search runs. */
  readonly running: RunningScan | undefined;
  /** Runs a search until it settles; `undefined` when another one is running. */
  run<Result>(search: (scan: RunningScan) => Promise<Result>): Promise<Result> | undefined;
}

/** Searches of all clients of a process. */
export class OutputScans {
  readonly #running = new Map<string, RunningScan>();

  /** Returns the searches of a client. `caller`: identifier of a client, such as a subscription's id. */
  of(caller: string): CallerScans {
    return new ScansOfCaller(this.#running, caller);
  }
}

/** Searches of a client, created for every request, most of which never use it. */
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
