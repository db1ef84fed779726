/** The user asked for something that cannot be done; the message says what to do instead. Not an assertion: no stack is shown. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
