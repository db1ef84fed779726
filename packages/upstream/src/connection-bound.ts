import type { CallScope } from "./call-scope.ts";

/** How many more requests than are waiting already may wait for a connection. */
const maximumWaiting = 10_000;

/** Answers in a row without a refusal, for each connection, before one more is tried. */
const answersPerStep = 20;

/** How long a bound that was found counts. */
const boundMilliseconds = 60_000;

export interface WaitingRequest {
  readonly scope: CallScope;
  /** Goes before all that wait. */
  readonly isUrgent: boolean;
  /** Whether the request has the turn, for which others hold their connections: it goes before urgent ones. */
  hasTurn?(): boolean;
}

interface Waiter {
  readonly hasTurn: WaitingRequest["hasTurn"] | undefined;
  proceed(): void;
}

/**
 * Bounds how many requests a node is asked at once, and learns the bound: a node that refuses for being busy is asked less at once,
 * and after a while of answers one more is tried, below what was refused for a minute.
 *
 * btcd takes ten callers of all kinds, Bitcoin Core as many as fit into its work queue; neither says so but by refusing.
 */
export class ConnectionBound {
  readonly #maximum: number;
  readonly #now: () => number;
  readonly #hasTurns: () => boolean;
  readonly #waiting: Waiter[] = [];
  #bound: number;
  #running = 0;
  #answers = 0;
  /** At so many at once the node has refused last. */
  #refusedAt = Number.POSITIVE_INFINITY;
  #refusedUntil = 0;
  /** Of those that were under way when it refused, so many have not ended. */
  #underWaySince = 0;

  /** `hasTurns` returns whether any request may have the turn. */
  constructor(maximum: number, now: () => number = () => performance.now(), hasTurns: () => boolean = () => false) {
    this.#maximum = maximum;
    this.#bound = maximum;
    this.#now = now;
    this.#hasTurns = hasTurns;
  }

  /** Most requests at once, as it is known now. */
  get bound(): number {
    return this.#bound;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * True when a request may go at once; it is counted then. One more may go when it has the turn: those under way may all wait for it.
   */
  tryEnter(hasTurn = false): boolean {
    if (this.#running >= this.#bound + (hasTurn ? 1 : 0)) return false;
    this.#running += 1;
    return true;
  }

  /** Waits until a request may go. Rejects with the scope's reason, or with a `RangeError` when too many are waiting. */
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

  /** A request has ended; `wasRefused` when the node was too busy for it. */
  leave(wasRefused: boolean): void {
    // Of many that were under way when the bound fell, the others say nothing new.
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
    this.#answers = 0;
    this.#underWaySince = this.#running - 1;
    this.#refusedAt = this.#running;
    this.#refusedUntil = this.#now() + boundMilliseconds;
    this.#bound = Math.max(1, Math.floor((this.#running * 3) / 4));
  }

  #grow(): void {
    if (this.#bound >= this.#maximum) return;
    this.#answers += 1;
    if (this.#answers < answersPerStep * this.#bound) return;
    this.#answers = 0;
    if (this.#bound + 1 >= this.#refusedAt && this.#now() < this.#refusedUntil) return;
    this.#bound += 1;
  }
}
