/** The command line, or a file that it names, is not right; the message says what to do instead. Ends a run with 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
