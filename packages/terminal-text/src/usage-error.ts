/** The command line, or a file that it names, is not right; the message says what to do instead. No assertion: no stack is shown. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** 1 when a file is to blame, 2 when the command is. */
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 2) {
    super(message);
    this.exitCode = exitCode;
  }
}
