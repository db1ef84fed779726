import { isIndexerError } from "@nodewright/bitcoin-indexer";

/** Damaged data may be asked for many times in a second. */
const repeatMilliseconds = 600_000;

/** Sentences about damage that are remembered. */
const rememberedSentences = 1_000;

/**
 * Creates what tells the operator of errors that callers see nothing of: by their stacks, but of an index that can't be read by the
 * sentence that names the file, once in a while.
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
