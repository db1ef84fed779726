/** A running scan of the unspent outputs (`scantxoutset`). */
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

/** Scans of one client, of which one runs at a time. */
export interface ClientScans {
  /** Running scan; `undefined` while none runs. */
  readonly running: RunningScan | undefined;
  /** Runs a scan; `undefined` when another one is running. */
  run<Result>(search: (scan: RunningScan) => Promise<Result>): Promise<Result> | undefined;
}

/** Scans of all clients of a process. */
export class OutputScans {
  readonly #running = new Map<string, RunningScan>();

  /** Returns the scans of a client. `client`: its identifier, such as a subscription's id. */
  of(client: string): ClientScans {
    return new ScansOfClient(this.#running, client);
  }
}

/** Scans of a client. Created for every request, most of which never use it. */
class ScansOfClient implements ClientScans {
  readonly #all: Map<string, RunningScan>;
  readonly #client: string;

  constructor(all: Map<string, RunningScan>, client: string) {
    this.#all = all;
    this.#client = client;
  }

  get running(): RunningScan | undefined {
    return this.#all.get(this.#client);
  }

  run<Result>(search: (scan: RunningScan) => Promise<Result>): Promise<Result> | undefined {
    if (this.running !== undefined) return undefined;
    const scan = new RunningScan();
    this.#all.set(this.#client, scan);
    return search(scan).finally(() => this.#all.delete(this.#client));
  }
}
