import { isIndexerError } from "@nodewright/bitcoin-indexer";

/** Milliseconds between two reports of the same sentence: damaged data may be requested many times in a second. */
const repeatMilliseconds = 600_000;

/** Number of remembered sentences about damage. */
const rememberedSentences = 1_000;

/**
 * Creates the reporter of errors whose details clients do not see: by their stacks, but for an unreadable index by the sentence that names
 * the file, periodically.
 */
export function createErrorReporter(
  say: (line: string) => void,
  now: () => number = () => performance.now(),
): (error: unknown) => void {
  const saidAt = new Map<string, number>();
  return (error) => {
    if (!isIndexerError(error)) {
      say(`Internal error: ${describeError(error)}`);
      return;
    }
    const last = saidAt.get(error.message) ?? Number.NEGATIVE_INFINITY;
    if (now() - last < repeatMilliseconds) return;
    if (saidAt.size >= rememberedSentences) saidAt.clear();
    saidAt.set(error.message, now());
    say(error.message);
  };
}

function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
