import type { UpstreamNodeReport } from "@nodewright/upstream";

/** The nodes behind one node of this service, as one process sees them. */
export interface UpstreamsOfNode {
  readonly id: string;
  readonly upstreams: readonly UpstreamNodeReport[];
}

const counted = ["calls", "failures", "refusals", "retries", "hedges", "outstanding"] as const;

/**
 * Adds what other processes have counted to what this one tells of the same nodes in the same order. How the nodes are is as this one
 * sees it.
 */
export function sumUpstreams(
  own: readonly UpstreamNodeReport[],
  others: readonly (readonly UpstreamNodeReport[])[],
): readonly UpstreamNodeReport[] {
  return own.map((report, position) => {
    const sum = { ...report };
    for (const other of others) {
      for (const name of counted) sum[name] += other[position]?.[name] ?? 0;
    }
    return sum;
  });
}
