import type { Latency } from "../contract/report.ts";

/** Measures response times. */
export class LatencyMeter {
  readonly #times = new Map<string, number[]>();

  note(operation: string, milliseconds: number): void {
    this.#times.set(operation, [...(this.#times.get(operation) ?? []), milliseconds]);
  }

  latencyOf(operation: string): Latency | undefined {
    const times = this.#times.get(operation)?.toSorted((one, other) => one - other);
    if (times === undefined) return undefined;
    // Nearest-rank percentile: a measured time.
    const rank = (part: number): number => Math.round((times[Math.ceil(part * times.length) - 1] ?? 0) * 10) / 10;
    return { requests: times.length, p50: rank(0.5), p95: rank(0.95), p99: rank(0.99), most: rank(1) };
  }
}
