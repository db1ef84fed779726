import type { TerminationSignal } from "../generation/defer-signals.ts";
import type { ExitCode } from "../generation/failure.ts";

/** Options that every command takes. */
export interface CommandOptions {
  /** Configuration file, as the user named it. */
  readonly config: string;
  /** Whether the user named it; otherwise it is looked up under its default name. */
  readonly isConfigNamed: boolean;
  /** Documents named on the command line, relative to the working directory. */
  readonly documents: readonly string[];
  /** Directory of the package that is generated without a configuration. */
  readonly output: string | undefined;
  readonly only: readonly string[];
  /**
   * Folders that references may lead to, in addition to those of the documents and of the configuration, relative to the working directory.
   */
  readonly referenceFolders: readonly string[];
  /** Whether one JSON value is written to standard output instead of text. */
  readonly json: boolean;
  readonly verbose: boolean;
}

export interface GenOptions extends CommandOptions {
  readonly force: boolean;
  readonly dryRun: boolean;
  readonly watch: boolean;
  /** Value of `--apply-renames`: empty for the renames that are certain, otherwise `old=new,old=new`. */
  readonly applyRenames: string | undefined;
  /** Whether renames are looked for; if false, removed operations and new operations are unrelated. */
  readonly renames: boolean;
}

/** How a command ended: with an exit code, or by a signal that it had deferred. */
export interface CommandEnd {
  readonly exitCode: ExitCode;
  readonly signal?: TerminationSignal | undefined;
}
