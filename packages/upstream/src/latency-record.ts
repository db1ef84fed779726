/** Number of latest durations kept for each method. */
const kept = 64;
/** Number of samples below which no percentile is reported. */
const enough = 16;
/** Number of responses after which the percentile is computed anew. */
const refresh = 8;
/** Maximum number of distinct methods, so that a client that invents names fills no memory. */
const maximumMethods = 256;

interface Latencies {
  readonly milliseconds: Float64Array;
  count: number;
  slow: number | undefined;
}

/** Recent durations of the responses to each method. */
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

  /** Returns the 95th percentile of the duration in milliseconds; `undefined` while too little is known. */
  findSlow(method: string): number | undefined {
    return this.#methods.get(method)?.slow;
  }
}

function percentile95({ milliseconds, count }: Latencies): number | undefined {
  const sorted = milliseconds.slice(0, Math.min(count, kept)).sort();
  return sorted[Math.ceil(sorted.length * 0.95) - 1];
}
