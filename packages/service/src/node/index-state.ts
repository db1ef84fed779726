import type { DamagedBlock, IndexerEvent } from "@nodewright/bitcoin-indexer";
import { ServiceError } from "@nodewright/runtime";
import { percentOf } from "../command/progress-line.ts";

/** How an index stands towards those who want to read it. */
export interface IndexState {
  /** Whether there is something to serve. */
  readonly served: boolean;
  readonly latest?: IndexerEvent;
}

export const emptyIndex: IndexState = { served: false };

/**
 * What follows from an indexer's event. An index is served from the moment when it once had all blocks of its source, or
 * when its indexer can't go on: what it has is right, if not complete. Once served, it stays served.
 */
export function nextIndexState(state: IndexState, event: IndexerEvent): IndexState {
  const hasEnded = event.state === "ready" || (event.state === "failed" && event.height >= 0);
  return { served: state.served || hasEnded, latest: event };
}

/** Why an index can't be read now, or `undefined` when it can. */
export function unavailableIndex({ served, latest }: IndexState): ServiceError | undefined {
  if (served) return undefined;
  if (latest?.state === "failed") {
    // The reason names files of this machine: it is the operator's.
    return new ServiceError("upstream_unavailable", "The index of this node could not be built", {
      retryAfterSeconds: longestRetrySeconds,
    });
  }
  const percent = latest === undefined ? 0 : percentOf(latest);
  const stalled = latest?.state === "stalled" ? ", at a halt" : "";
  return new ServiceError("installing", `The index is being built: ${percent} %${stalled}`, {
    details: { percent },
    retryAfterSeconds: retryAfter(latest?.secondsLeft),
  });
}

/** What the operator is to be told of the indexer, or `undefined` while it does its work. */
export function problemOfIndex({ served, latest }: IndexState): string | undefined {
  if (latest?.state !== "failed" && latest?.state !== "stalled") return undefined;
  return `${whatIsServed(served, latest.height)}: ${latest.reason ?? "the indexer has failed"}`;
}

/** What the operator is to be told of blocks that were found damaged, or `undefined` when there are none. */
export function problemOfBlocks(damaged: readonly DamagedBlock[]): string | undefined {
  const [first, ...others] = damaged;
  if (first === undefined) return undefined;
  const more = others.length === 0 ? "" : `, and ${others.length} more`;
  return `Refused are requests for a damaged block: ${first.path} from byte ${first.offset} on, ${first.reason}${more}`;
}

/** An indexer that could not start knows no height, also of an index that is served. */
function whatIsServed(served: boolean, height: number): string {
  if (height >= 0) return `Served up to height ${height}`;
  return served ? "Served as indexed before" : "Nothing is served";
}

const defaultRetrySeconds = 5;
const longestRetrySeconds = 60;

function retryAfter(secondsLeft: number | undefined): number {
  if (secondsLeft === undefined) return defaultRetrySeconds;
  return Math.min(Math.max(Math.ceil(secondsLeft), 1), longestRetrySeconds);
}
