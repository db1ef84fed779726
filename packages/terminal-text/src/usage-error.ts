/**
 * Error for an invalid command line, or a file that it names; the message includes how to fix it. It is not an assertion: no stack is
 * shown.
 */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** 1 for an invalid file, 2 for an invalid command. */
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 2) {
    super(message);
    this.exitCode = exitCode;
  }
}
