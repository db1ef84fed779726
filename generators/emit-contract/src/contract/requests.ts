/** A request for an item that several functions of a file share: the first request names it. */
export interface SharedRequest {
  readonly kind: "constant" | "part";
  /** Identity of the item; equal keys are the same item. */
  readonly key: string;
  /** Stem of its name when this is the first request. */
  readonly stem: string;
}

/** Requests of a function to its file while it is written, each item once, in order. */
export interface Requests {
  readonly shared: readonly SharedRequest[];
  /** Functions with a fixed text. */
  readonly helpers: readonly string[];
}

/** The remembered facts of a function, or of a few adjacent ones. */
export interface SettledUnit {
  /** Characters of its text; 0 when it was left out because nothing mentions it. */
  readonly length: number;
  /** Numbers of its requests in `SettledRequests`. */
  readonly requests: readonly number[];
  readonly helpers: readonly string[];
  /** Names of constants, functions and helpers of the file that occur as words in its text. */
  readonly mentions: readonly string[];
}

/** All requests of the functions of a file: kind, key and stem of each. */
export type SettledRequests = readonly (readonly [kind: SharedRequest["kind"], key: string, stem: string])[];

/** Records requests, and returns those of one writing step. */
export class RequestRecorder {
  #shared = new Map<string, SharedRequest>();
  #helpers = new Set<string>();

  /** Runs a writing step and returns its result with the requests that it made. */
  observe<Written>(write: () => Written): { readonly written: Written; readonly requests: Requests } {
    this.#shared = new Map();
    this.#helpers = new Set();
    const written = write();
    return { written, requests: { shared: [...this.#shared.values()], helpers: [...this.#helpers] } };
  }

  /** Records a request; of equal requests, the first counts. */
  note(request: SharedRequest): void {
    const key = `${request.kind} ${request.key}`;
    if (!this.#shared.has(key)) this.#shared.set(key, request);
  }

  noteHelper(name: string): void {
    this.#helpers.add(name);
  }
}

/** Numbers requests, equal ones alike. */
export class RequestTable {
  readonly #numbers = new Map<string, number>();
  readonly #requests: (readonly [kind: SharedRequest["kind"], key: string, stem: string])[] = [];

  get settled(): SettledRequests {
    return this.#requests;
  }

  numbersOf({ shared }: Requests): readonly number[] {
    return shared.map(({ kind, key, stem }) => {
      const text = JSON.stringify([kind, key, stem]);
      const known = this.#numbers.get(text);
      if (known !== undefined) return known;
      this.#numbers.set(text, this.#requests.length);
      return this.#requests.push([kind, key, stem]) - 1;
    });
  }
}
