import type { DamagedBlock, IndexerEvent } from "@nodewright/bitcoin-indexer";
import { ServiceError } from "@nodewright/runtime";
import { percentOf } from "./progress-line.ts";

/** State of an index for its readers. */
export interface IndexState {
  /** Whether the index is served. */
  readonly served: boolean;
  readonly latest?: IndexerEvent;
}

export const emptyIndex: IndexState = { served: false };

/**
 * Returns the state after an indexer's event. An index is served from the moment when it once had all blocks of its source, or when its
 * indexer can't continue: its blocks are valid, if not complete. Once served, it stays served.
 */
export function nextIndexState(state: IndexState, event: IndexerEvent): IndexState {
  const hasEnded = event.state === "ready" || (event.state === "failed" && event.height >= 0);
  return { served: state.served || hasEnded, latest: event };
}

/** Returns why an index can't be read now, or `undefined` when it can. */
export function unavailableIndex({ served, latest }: IndexState): ServiceError | undefined {
  if (served) return undefined;
  if (latest?.state === "failed") {
    // The reason contains file names of this machine: it is for the operator.
    return new ServiceError("upstream_unavailable", "The index of this node could not be built", {
      retryAfterSeconds: maximumRetrySeconds,
    });
  }
  const percent = latest === undefined ? 0 : percentOf(latest);
  const stalled = latest?.state === "stalled" ? ", at a halt" : "";
  return new ServiceError("installing", `The index is being built: ${percent} %${stalled}`, {
    details: { percent },
    retryAfterSeconds: retryAfter(latest?.secondsLeft),
  });
}

/** Returns the indexer's problem for the operator, or `undefined` while it works. */
export function problemOfIndex({ served, latest }: IndexState): string | undefined {
  if (latest?.state !== "failed" && latest?.state !== "stalled") return undefined;
  return `${whatIsServed(served, latest.height)}: ${latest.reason ?? "the indexer has failed"}`;
}

/** Returns the message for the operator about blocks that were found damaged, or `undefined` when there are none. */
export function problemOfBlocks(damaged: readonly DamagedBlock[]): string | undefined {
  const [first, ...others] = damaged;
  if (first === undefined) return undefined;
  const more = others.length === 0 ? "" : `, and ${others.length} more`;
  return `Refused are requests for a damaged block: ${first.path} from byte ${first.offset} on, ${first.reason}${more}`;
}

/** Describes the served blocks. An indexer that could not start knows no height, also of an index that is served. */
function whatIsServed(served: boolean, height: number): string {
  if (height >= 0) return `Served up to height ${height}`;
  return served ? "Served as indexed before" : "Nothing is served";
}

const defaultRetrySeconds = 5;
const maximumRetrySeconds = 60;

function retryAfter(secondsLeft: number | undefined): number {
  if (secondsLeft === undefined) return defaultRetrySeconds;
  return Math.min(Math.max(Math.ceil(secondsLeft), 1), maximumRetrySeconds);
}
