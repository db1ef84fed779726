import { systemProblem, WriteError } from "@nodewright/output/write";
import { UsageError } from "@nodewright/terminal-text";
import { EmitterError } from "../jobs/user-emitters.ts";

/**
 * What a command ends with: 0 done, 1 the documents or the files are not right, or a target is not what its document says, 2 the command
 * is not, 3 nothing can be said of a target, 70 a mistake of ours (EX_SOFTWARE of sysexits.h), 128 and the number of the signal that
 * ended it.
 */
export type ExitCode = 0 | 1 | 2 | 3 | 70 | 129 | 130 | 143;

/** An error that is nobody's but ours, with the document that brought it out. */
export class DocumentFailure extends Error {
  override readonly name = "DocumentFailure";
  readonly document: string;

  constructor(document: string, cause: unknown) {
    super(`${document} could not be generated.`, { cause });
    this.document = document;
  }

  /** Errors that say themselves what is wrong pass as they are. */
  static of(document: string, reason: unknown): unknown {
    return isExpected(reason) ? reason : new DocumentFailure(document, reason);
  }
}

export interface Failure {
  readonly message: string;
  readonly exitCode: ExitCode;
}

/** What is said of an error that ended a command. The stack of a mistake of ours is shown when asked for. */
export function describeFailure(reason: unknown, isVerbose: boolean): Failure {
  if (reason instanceof UsageError) return { message: reason.message, exitCode: reason.exitCode };
  if (reason instanceof WriteError) return { message: reason.message, exitCode: 1 };
  if (reason instanceof EmitterError)
    return { message: isVerbose ? stackOf(reason.cause ?? reason) : reason.message, exitCode: 1 };
  if (isSystemError(reason))
    return {
      message: `A file could not be read or written: ${reason.path ?? ""}: ${systemProblem(reason)}.`,
      exitCode: 1,
    };
  const cause = reason instanceof DocumentFailure ? reason.cause : reason;
  const where = reason instanceof DocumentFailure ? ` while it worked on ${reason.document}` : "";
  return {
    message: [
      `nodewright made a mistake${where}: ${cause instanceof Error ? cause.message : String(cause)}`,
      "The document is not to blame, and nothing was written for it. Please report it with the document, or the part of it",
      `that brings the mistake out, and with what the same command prints with --verbose.`,
      ...(isVerbose ? ["", stackOf(cause)] : []),
    ].join("\n"),
    exitCode: 70,
  };
}

function isExpected(reason: unknown): boolean {
  return (
    reason instanceof UsageError ||
    reason instanceof WriteError ||
    reason instanceof EmitterError ||
    isSystemError(reason)
  );
}

function isSystemError(reason: unknown): reason is NodeJS.ErrnoException {
  return reason instanceof Error && "syscall" in reason && "code" in reason;
}

function stackOf(reason: unknown): string {
  return reason instanceof Error ? (reason.stack ?? reason.message) : String(reason);
}
