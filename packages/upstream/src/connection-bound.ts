import type { CallScope } from "./call-scope.ts";

/** Number of requests that may wait for a connection, in addition to those already waiting. */
const maximumWaiting = 10_000;

/** Number of consecutive responses without a refusal, for each connection, before one more is tried. */
const responsesPerStep = 20;

/** Time in milliseconds for which a discovered bound counts. */
const boundMilliseconds = 60_000;

export interface WaitingRequest {
  readonly scope: CallScope;
  /** Whether the request goes before all others that wait. */
  readonly isUrgent: boolean;
  /** Returns whether the request has the turn, for which others hold their connections: it goes before urgent ones. */
  hasTurn?(): boolean;
}

interface Waiter {
  readonly hasTurn: WaitingRequest["hasTurn"] | undefined;
  proceed(): void;
}

/**
 * Limiter of concurrent requests to a node, which learns its bound. A node that refuses because it is busy gets fewer requests at once.
 * After a while of responses one more is tried, below the refused number for a minute.
 *
 * btcd accepts ten clients of all kinds, Bitcoin Core as many as fit into its work queue. Neither reports the limit except by refusing.
 */
export class ConnectionBound {
  readonly #maximum: number;
  readonly #now: () => number;
  readonly #hasTurns: () => boolean;
  readonly #waiting: Waiter[] = [];
  #bound: number;
  #running = 0;
  #responses = 0;
  /** Number of concurrent requests at which the node has refused last. */
  #refusedAt = Number.POSITIVE_INFINITY;
  #refusedUntil = 0;
  /** Number of requests that were in flight at the refusal and have not ended. */
  #underWaySince = 0;

  /** Creates the limiter. `hasTurns` returns whether any request may have the turn. */
  constructor(maximum: number, now: () => number = () => performance.now(), hasTurns: () => boolean = () => false) {
    this.#maximum = maximum;
    this.#bound = maximum;
    this.#now = now;
    this.#hasTurns = hasTurns;
  }

  /** Maximum number of concurrent requests, as it is known now. */
  get bound(): number {
    return this.#bound;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Returns whether a request may be sent at once, and counts it then. One more may be sent when it has the turn: those in flight may all
   * wait for it.
   */
  tryEnter(hasTurn = false): boolean {
    if (this.#running >= this.#bound + (hasTurn ? 1 : 0)) return false;
    this.#running += 1;
    return true;
  }

  /** Waits until a request may be sent. Rejects with the scope's reason, or with a `RangeError` when too many are waiting. */
  enter({ scope, isUrgent, hasTurn }: WaitingRequest): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= maximumWaiting) return reject(new RangeError("Too many requests are waiting"));
      const waiter: Waiter = {
        hasTurn,
        proceed() {
          scope.listen(undefined);
          resolve();
        },
      };
      if (isUrgent) this.#waiting.unshift(waiter);
      else this.#waiting.push(waiter);
      scope.listen((reason) => {
        const position = this.#waiting.indexOf(waiter);
        if (position !== -1) this.#waiting.splice(position, 1);
        reject(reason);
      });
    });
  }

  /** Records that a request has ended; `wasRefused` when the node was too busy for it. */
  leave(wasRefused: boolean): void {
    // When many requests were in flight as the bound fell, the others add no information.
    const isOld = this.#underWaySince > 0;
    if (isOld) this.#underWaySince -= 1;
    if (!wasRefused) this.#grow();
    else if (!isOld) this.#shrink();
    this.#running -= 1;
    for (let next = this.#takeNext(); next !== undefined; next = this.#takeNext()) {
      this.#running += 1;
      next.proceed();
    }
  }

  #takeNext(): Waiter | undefined {
    if (this.#running > this.#bound) return undefined;
    const position = this.#hasTurns() ? this.#waiting.findIndex((waiter) => waiter.hasTurn?.() === true) : -1;
    if (position !== -1) return this.#waiting.splice(position, 1)[0];
    return this.#running < this.#bound ? this.#waiting.shift() : undefined;
  }

  #shrink(): void {
    this.#responses = 0;
    this.#underWaySince = this.#running - 1;
    this.#refusedAt = this.#running;
    this.#refusedUntil = this.#now() + boundMilliseconds;
    this.#bound = Math.max(1, Math.floor((this.#running * 3) / 4));
  }

  #grow(): void {
    if (this.#bound >= this.#maximum) return;
    this.#responses += 1;
    if (this.#responses < responsesPerStep * this.#bound) return;
    this.#responses = 0;
    if (this.#bound + 1 >= this.#refusedAt && this.#now() < this.#refusedUntil) return;
    this.#bound += 1;
  }
}
