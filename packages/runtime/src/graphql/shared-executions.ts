import type { ServerResponse } from "node:http";
import { Audience } from "./audience.ts";
import type { Eventually } from "../basics/eventually.ts";

/** An execution in flight, with its audience. */
interface SharedExecution<Answer> {
  readonly audience: Audience;
  readonly answer: Promise<Answer>;
}

/**
 * Executions in flight that equal queries share: later ones wait for the same result or failure.
 *
 * A synchronous result is computed for each client: no other can arrive meanwhile.
 */
export class SharedExecutions<Answer> {
  readonly #running = new Map<string, SharedExecution<Answer>>();

  /** Number of executions in flight. */
  get size(): number {
    return this.#running.size;
  }

  /**
   * Joins the execution of this key, or begins one. `execute` receives its audience.
   *
   * `getKey` returns a string for everything that a response depends on; undefined for one that is not shared. It is called only when it is
   * needed: writing it takes time.
   */
  run(
    getKey: () => string | undefined,
    response: ServerResponse,
    execute: (audience: Audience) => Eventually<Answer>,
  ): Eventually<Answer> {
    if (this.#running.size === 0) return this.#begin(getKey, response, execute);
    const key = getKey();
    const running = key === undefined ? undefined : this.#running.get(key);
    // An execution whose clients have all gone was aborted: its failure must not reach others.
    if (running === undefined || running.audience.hasGone) return this.#begin(() => key, response, execute);
    running.audience.add(response);
    return running.answer;
  }

  /** Records a change: results in flight are stale for later clients. */
  forget(): void {
    this.#running.clear();
  }

  #begin(
    getKey: () => string | undefined,
    response: ServerResponse,
    execute: (audience: Audience) => Eventually<Answer>,
  ): Eventually<Answer> {
    const audience = new Audience(response);
    const answer = execute(audience);
    if (!(answer instanceof Promise)) return answer;
    const key = getKey();
    if (key === undefined) return answer;
    const execution = { audience, answer };
    this.#running.set(key, execution);
    const end = (): void => {
      // Another one may have replaced an aborted one.
      if (this.#running.get(key) === execution) this.#running.delete(key);
    };
    answer.then(end, end);
    return answer;
  }
}
