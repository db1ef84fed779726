import { isIndexerError } from "@nodewright/bitcoin-indexer";

/** What the operator is told of an error that callers see nothing of: its stack, but of damage the sentence that names the file. */
export function describeError(error: unknown): string {
  if (isIndexerError(error)) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
