/** Something of a file that several of its functions share: the first that asks for it names it. */
export interface SharedRequest {
  readonly kind: "constant" | "part";
  /** What it is known by; equal keys are the same thing. */
  readonly key: string;
  /** What its name is made from when this is the first request. */
  readonly stem: string;
}

/** What a function asks its file for while it is written, each thing once, in order. */
export interface Requests {
  readonly shared: readonly SharedRequest[];
  /** Functions of a fixed text. */
  readonly helpers: readonly string[];
}

/** What is remembered of a function, or of a few that stand together. */
export interface SettledUnit {
  /** Characters of its text; 0 where nothing mentions it and it was left out. */
  readonly length: number;
  /** Numbers of what it asks for, in `SettledRequests`. */
  readonly requests: readonly number[];
  readonly helpers: readonly string[];
  /** Names of constants, functions and helpers of the file that are words of its text. */
  readonly mentions: readonly string[];
}

/** Everything that functions of a file ask for: kind, key and stem of each. */
export type SettledRequests = readonly (readonly [kind: SharedRequest["kind"], key: string, stem: string])[];

/** Hears what is asked for, and tells what was while one thing was written. */
export class RequestRecorder {
  #shared = new Map<string, SharedRequest>();
  #helpers = new Set<string>();

  /** Writes something, and tells what was asked for meanwhile. */
  observe<Written>(write: () => Written): { readonly written: Written; readonly requests: Requests } {
    this.#shared = new Map();
    this.#helpers = new Set();
    const written = write();
    return { written, requests: { shared: [...this.#shared.values()], helpers: [...this.#helpers] } };
  }

  /** The first of equal requests counts. */
  note(request: SharedRequest): void {
    const key = `${request.kind} ${request.key}`;
    if (!this.#shared.has(key)) this.#shared.set(key, request);
  }

  noteHelper(name: string): void {
    this.#helpers.add(name);
  }
}

/** Numbers requests, the same ones alike. */
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
