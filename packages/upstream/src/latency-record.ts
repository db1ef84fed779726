/** Latest answers of a method that are kept. */
const kept = 64;
/** Fewer say little. */
const enough = 16;
/** Answers after which the percentile is found anew. */
const refresh = 8;
/** Methods that are told apart; a caller who invents names fills no memory. */
const maximumMethods = 256;

interface Latencies {
  readonly milliseconds: Float64Array;
  count: number;
  slow: number | undefined;
}

/** How long answers to each method took lately. */
export class LatencyRecord {
  readonly #methods = new Map<string, Latencies>();

  add(method: string, milliseconds: number): void {
    let latencies = this.#methods.get(method);
    if (latencies === undefined) {
      if (this.#methods.size >= maximumMethods) return;
      latencies = { milliseconds: new Float64Array(kept), count: 0, slow: undefined };
      this.#methods.set(method, latencies);
    }
    latencies.milliseconds[latencies.count % kept] = milliseconds;
    latencies.count += 1;
    if (latencies.count >= enough && latencies.count % refresh === 0) latencies.slow = percentile95(latencies);
  }

  /** What 95 of 100 answers took at most, in milliseconds; `undefined` while too little is known. */
  findSlow(method: string): number | undefined {
    return this.#methods.get(method)?.slow;
  }
}

function percentile95({ milliseconds, count }: Latencies): number | undefined {
  const sorted = milliseconds.slice(0, Math.min(count, kept)).sort();
  return sorted[Math.ceil(sorted.length * 0.95) - 1];
}
