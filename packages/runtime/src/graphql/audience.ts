import type { ServerResponse } from "node:http";
import { ServiceError } from "../errors/service-error.ts";

/** Clients that wait for the result of one execution. */
export class Audience {
  readonly #responses: ServerResponse[] = [];
  #waiting = 0;
  #controller: AbortController | undefined;

  constructor(first: ServerResponse) {
    this.add(first);
  }

  /** Signal that is aborted when all clients have gone before the response was written, with a `ServiceError` that is never visible. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      // Most responses take less time than a disconnect: clients are watched only on request.
      this.#controller = new AbortController();
      for (const response of this.#responses) this.#watch(response);
    }
    return this.#controller.signal;
  }

  /** Whether the execution was aborted because all clients had gone. */
  get hasGone(): boolean {
    return this.#controller?.signal.aborted ?? false;
  }

  add(response: ServerResponse): void {
    this.#responses.push(response);
    this.#waiting += 1;
    if (this.#controller !== undefined) this.#watch(response);
  }

  /** Watches the response: a request closes as soon as its body is read, and a connection serves many of them. */
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
    this.#controller?.abort(new ServiceError("invalid_request", "The client disconnected before the response"));
  }
}
