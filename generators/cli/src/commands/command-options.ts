import type { EndSignal } from "../generation/hold-signals.ts";
import type { ExitCode } from "../generation/failure.ts";

/** What every command takes. */
export interface CommandOptions {
  /** The configuration file, as the user named it. */
  readonly config: string;
  /** Whether it was named, rather than looked for under its usual name. */
  readonly isConfigNamed: boolean;
  /** Documents named on the command line, from the working directory. */
  readonly documents: readonly string[];
  /** Directory of the package that is made without a configuration. */
  readonly output: string | undefined;
  readonly only: readonly string[];
  /** Folders that references may lead to, beside those of the documents and of the configuration, from the working directory. */
  readonly referenceFolders: readonly string[];
  /** One JSON value on the standard output instead of text. */
  readonly json: boolean;
  readonly verbose: boolean;
}

export interface GenOptions extends CommandOptions {
  readonly force: boolean;
  readonly dryRun: boolean;
  readonly watch: boolean;
  /** What `--apply-renames` was given: nothing for those that nobody can doubt, else `old=new,old=new`. */
  readonly applyRenames: string | undefined;
  /** False: operations that are gone and operations that are new have nothing to do with each other. */
  readonly renames: boolean;
}

/** How a command ended: with a code, or by a signal that it had put off. */
export interface CommandEnd {
  readonly exitCode: ExitCode;
  readonly signal?: EndSignal | undefined;
}
