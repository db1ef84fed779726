/** Records that a member no longer waits. Called once at most; the reason of the last member ends the work. */
export type Leave = (reason: unknown) => void;

/** Watches a member of an audience, which calls `leave` when it no longer waits. */
export type WatchMember = (leave: Leave) => void;

/** Those who wait for the result of one piece of work. */
export class Audience {
  readonly #members: WatchMember[] = [];
  #waiting = 0;
  #controller: AbortController | undefined;

  constructor(first: WatchMember) {
    this.add(first);
  }

  /** Signal that is aborted when all members have left. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      // Most work takes less time than a disconnect: members are watched only on request.
      this.#controller = new AbortController();
      for (const member of this.#members) this.#watch(member);
    }
    return this.#controller.signal;
  }

  /** Whether the work was aborted because all members had left. */
  get hasGone(): boolean {
    return this.#controller?.signal.aborted ?? false;
  }

  add(member: WatchMember): void {
    this.#members.push(member);
    this.#waiting += 1;
    if (this.#controller !== undefined) this.#watch(member);
  }

  #watch(member: WatchMember): void {
    member((reason) => {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#controller?.abort(reason);
    });
  }
}
