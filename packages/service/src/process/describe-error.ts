/** What the operator is told of an error that nobody has foreseen. */
export function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
