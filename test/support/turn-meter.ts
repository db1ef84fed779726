/** What the event loop did between two moments. CPU time is that of its thread alone, so that other programs do not count. */
export interface TurnFigures {
  readonly turns: number;
  /** CPU of the longest turn, in milliseconds. */
  readonly longestMilliseconds: number;
  /** CPU of all turns together, in milliseconds. */
  readonly cpuMilliseconds: number;
}

/**
 * Measures how long the turns of the event loop take that it runs in: how long any request waits for others.
 *
 * It looks at the clock once in each turn and keeps the loop from sleeping, so what it counts while nothing is done is its own.
 */
export class TurnMeter {
  #isRunning = false;
  #turns = 0;
  #startedAt = 0;
  #turnStartedAt = 0;
  #longest = 0;

  start(): void {
    this.#isRunning = true;
    this.#turns = 0;
    this.#longest = 0;
    this.#startedAt = threadMilliseconds();
    this.#turnStartedAt = this.#startedAt;
    setImmediate(this.#turn);
  }

  stop(): TurnFigures {
    this.#isRunning = false;
    return {
      turns: this.#turns,
      longestMilliseconds: this.#longest,
      cpuMilliseconds: threadMilliseconds() - this.#startedAt,
    };
  }

  readonly #turn = (): void => {
    if (!this.#isRunning) return;
    const now = threadMilliseconds();
    this.#turns += 1;
    this.#longest = Math.max(this.#longest, now - this.#turnStartedAt);
    this.#turnStartedAt = now;
    setImmediate(this.#turn);
  };
}

function threadMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
