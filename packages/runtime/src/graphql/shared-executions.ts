import type { ServerResponse } from "node:http";
import { Audience } from "./audience.ts";
import type { Eventually } from "../eventually.ts";

/** An execution under way, and who waits for it. */
interface SharedExecution<Answer> {
  readonly audience: Audience;
  readonly answer: Promise<Answer>;
}

/**
 * Executions under way that equal queries share: who comes later waits for the answer that is being made, or for its failure.
 *
 * What is answered at once is made for each caller: nobody can come while it is made.
 */
export class SharedExecutions<Answer> {
  readonly #running = new Map<string, SharedExecution<Answer>>();

  /** How many are under way. */
  get size(): number {
    return this.#running.size;
  }

  /**
   * Joins the execution of this key, or begins one. `execute` is told who waits for it.
   *
   * `getKey` gives a text for all that an answer depends on; undefined for one that is nobody else's. It is asked when it is needed
   * alone: writing it takes time.
   */
  run(
    getKey: () => string | undefined,
    response: ServerResponse,
    execute: (audience: Audience) => Eventually<Answer>,
  ): Eventually<Answer> {
    if (this.#running.size === 0) return this.#begin(getKey, response, execute);
    const key = getKey();
    const running = key === undefined ? undefined : this.#running.get(key);
    // One whose callers have all gone was ended: its failure is for nobody else.
    if (running === undefined || running.audience.hasGone) return this.#begin(() => key, response, execute);
    running.audience.add(response);
    return running.answer;
  }

  /** Something was changed: what is under way is no answer for who comes from now on. */
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
      // Another one may have taken the place of one that was ended.
      if (this.#running.get(key) === execution) this.#running.delete(key);
    };
    answer.then(end, end);
    return answer;
  }
}
