import type { Latency } from "../contract/report.ts";

/** Collects how long answers took. */
export interface LatencyMeter {
  note(operation: string, milliseconds: number): void;
  latencyOf(operation: string): Latency | undefined;
}

export function createLatencyMeter(): LatencyMeter {
  const times = new Map<string, number[]>();
  return {
    note: (operation, milliseconds) => {
      const own = times.get(operation);
      if (own === undefined) times.set(operation, [milliseconds]);
      else own.push(milliseconds);
    },
    latencyOf: (operation) => {
      const own = times.get(operation)?.toSorted((one, other) => one - other);
      if (own === undefined || own.length === 0) return undefined;
      return {
        requests: own.length,
        p50: rank(own, 0.5),
        p95: rank(own, 0.95),
        p99: rank(own, 0.99),
        most: rank(own, 1),
      };
    },
  };
}

/** The nearest rank: a time that was measured. */
function rank(sorted: readonly number[], part: number): number {
  const time = sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? 0;
  return Math.round(time * 10) / 10;
}
