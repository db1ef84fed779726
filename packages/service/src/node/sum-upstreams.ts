import type { UpstreamNodeReport } from "@nodewright/upstream";

/** Upstream nodes of one node of this service, as one process sees them. */
export interface UpstreamsOfNode {
  readonly id: string;
  readonly upstreams: readonly UpstreamNodeReport[];
}

const counted = ["calls", "failures", "refusals", "retries", "hedges", "outstanding"] as const;

/**
 * Adds the counters of other processes to this one's for the same nodes in the same order. The state of the nodes is as this one sees it.
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
