/** The user asked for something that cannot be done; the message says what to do instead. Not an assertion: no stack is shown. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** 1 when a file is to blame, 2 when the command is. */
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 2) {
    super(message);
    this.exitCode = exitCode;
  }
}
