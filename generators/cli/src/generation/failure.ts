import { systemProblem, WriteError } from "@nodewright/output/write";
import { UsageError } from "@nodewright/terminal-text";
import { EmitterError } from "../jobs/user-emitters.ts";

/**
 * Exit code of a command: 0 success; 1 the documents or the files have errors, or a target does not conform to its document; 2 the command
 * line is invalid; 3 no verdict about a target; 70 an internal error (EX_SOFTWARE of sysexits.h); 128 plus the number of the signal that
 * ended it.
 */
export type ExitCode = 0 | 1 | 2 | 3 | 70 | 129 | 130 | 143;

/** An internal error, with the document that triggered it. */
export class DocumentFailure extends Error {
  override readonly name = "DocumentFailure";
  readonly document: string;

  constructor(document: string, cause: unknown) {
    super(`${document} could not be generated.`, { cause });
    this.document = document;
  }

  /** Wraps a reason in a failure; errors that are explained by their own messages are returned unchanged. */
  static of(document: string, reason: unknown): unknown {
    return isExpected(reason) ? reason : new DocumentFailure(document, reason);
  }
}

export interface Failure {
  readonly message: string;
  readonly exitCode: ExitCode;
}

/** Returns the description of an error that ended a command. The stack of an internal error is included when `isVerbose`. */
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
