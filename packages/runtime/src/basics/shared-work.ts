import { Audience, type WatchMember } from "./audience.ts";
import type { PromiseOrValue } from "./promise-or-value.ts";

/** Work in flight, with those who wait for it. */
interface WorkInFlight<Result> {
  readonly audience: Audience;
  readonly result: Promise<Result>;
}

/**
 * Work in flight that equal requests share: later ones wait for the same result or failure.
 *
 * A synchronous result is computed for each request: no other can arrive meanwhile.
 */
export class SharedWork<Result> {
  readonly #running = new Map<string, WorkInFlight<Result>>();

  /** Number of pieces of work in flight. */
  get size(): number {
    return this.#running.size;
  }

  /**
   * Joins the work of this key, or begins it. `execute` receives its audience, of which `member` is watched.
   *
   * `getKey` returns a string for everything that the result depends on; undefined for work that is not shared. It is called only when it
   * is needed: writing it takes time.
   */
  run(
    getKey: () => string | undefined,
    member: WatchMember,
    execute: (audience: Audience) => PromiseOrValue<Result>,
  ): PromiseOrValue<Result> {
    if (this.#running.size === 0) return this.#begin(getKey, member, execute);
    const key = getKey();
    const running = key === undefined ? undefined : this.#running.get(key);
    // Work whose members have all left was aborted: its failure must not reach others.
    if (running === undefined || running.audience.hasGone) return this.#begin(() => key, member, execute);
    running.audience.add(member);
    return running.result;
  }

  /** Records a change: results in flight are stale for later requests. */
  forget(): void {
    this.#running.clear();
  }

  #begin(
    getKey: () => string | undefined,
    member: WatchMember,
    execute: (audience: Audience) => PromiseOrValue<Result>,
  ): PromiseOrValue<Result> {
    const audience = new Audience(member);
    const result = execute(audience);
    if (!(result instanceof Promise)) return result;
    const key = getKey();
    if (key === undefined) return result;
    const work = { audience, result };
    this.#running.set(key, work);
    const end = (): void => {
      // Another one may have replaced an aborted one.
      if (this.#running.get(key) === work) this.#running.delete(key);
    };
    result.then(end, end);
    return result;
  }
}
