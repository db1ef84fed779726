import type { ServerResponse } from "node:http";
import { ServiceError } from "../service-error.ts";

/** Those who wait for what one execution answers. */
export class Audience {
  readonly #responses: ServerResponse[] = [];
  #waiting = 0;
  #controller: AbortController | undefined;

  constructor(first: ServerResponse) {
    this.add(first);
  }

  /** Aborted when everybody has gone before the answer was written, with a `ServiceError` that nobody will see. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      // Most answers take less time than to go away: nobody is watched before somebody wants to know.
      this.#controller = new AbortController();
      for (const response of this.#responses) this.#watch(response);
    }
    return this.#controller.signal;
  }

  /** True when what is executed was ended because nobody waited for it any more. */
  get hasGone(): boolean {
    return this.#controller?.signal.aborted ?? false;
  }

  add(response: ServerResponse): void {
    this.#responses.push(response);
    this.#waiting += 1;
    if (this.#controller !== undefined) this.#watch(response);
  }

  /** It is the response that tells: a request closes as soon as its body is read, and a connection serves many of them. */
  #watch(response: ServerResponse): void {
    if (response.destroyed) {
      this.#leave();
      return;
    }
    response.once("close", () => {
      if (!response.writableFinished) this.#leave();
    });
  }

  #leave(): void {
    this.#waiting -= 1;
    if (this.#waiting > 0) return;
    this.#controller?.abort(new ServiceError("invalid_request", "The caller has gone before the answer"));
  }
}
