import { readFileSync } from "node:fs";
import yargs from "yargs";
import type { CommandOptions, GenOptions } from "../commands/command-options.ts";
import { configName } from "../configuration/config-name.ts";

/** The commands that a command line can run. */
export interface Commands {
  gen(options: GenOptions): Promise<void>;
  check(options: CommandOptions): Promise<void>;
  explain(options: { readonly code: string | undefined; readonly json: boolean }): Promise<void>;
  /** Reports that the command line itself is invalid. */
  refuse(message: string): Promise<void>;
}

/** Reads any command line: prints help, reports mistakes, or runs the command that it names. */
export async function readCommandLine(words: readonly string[], commands: Commands): Promise<void> {
  /** yargs reports one mistake in several ways, the plainest first, and continues with the command after it has. */
  let hasFailed = false;
  const run = (command: () => Promise<void>): Promise<void> => (hasFailed ? Promise.resolve() : command());
  const parser = yargs([...words])
    .scriptName("nodewright")
    .usage(
      "$0 <command>\n\nTurns API descriptions (OpenAPI, GraphQL, OpenRPC) into types, validators, clients, servers and conformance suites.",
    )
    .option("config", {
      type: "string",
      requiresArg: true,
      describe: `The configuration file; ${configName} when it is not named`,
      normalize: true,
    })
    .option("output", {
      type: "string",
      requiresArg: true,
      describe: "Generate one document into this directory, without a configuration",
      normalize: true,
    })
    .option("only", {
      type: "string",
      array: true,
      nargs: 1,
      default: [],
      describe: "Only this document, or this artefact; may be given several times",
    })
    .option("allow-ref", {
      type: "string",
      array: true,
      nargs: 1,
      default: [],
      describe: "References may lead into this folder too; may be given several times",
    })
    .option("json", { type: "boolean", default: false, describe: "Print one JSON value for machines" })
    .option("verbose", {
      type: "boolean",
      default: false,
      describe: "Show all diagnostics, complete diffs, the time of each phase and the peak memory",
    })
    .command(
      "gen [documents..]",
      "Generate files from API documents, and delete files that are no longer generated",
      (command) =>
        command
          .positional("documents", {
            type: "string",
            array: true,
            describe: "OpenAPI, GraphQL SDL or OpenRPC documents",
          })
          .option("force", {
            type: "boolean",
            default: false,
            describe: "Write all files again, including files that were edited by hand",
          })
          .option("dry-run", {
            type: "boolean",
            default: false,
            describe: "Report what would change, and write nothing",
          })
          .option("watch", { type: "boolean", default: false, describe: "Generate again whenever a file is saved" })
          .option("apply-renames", {
            type: "string",
            describe: "Move the handlers of renamed operations; old=new[,old=new] where it is ambiguous",
          })
          .option("renames", {
            type: "boolean",
            default: true,
            describe: "Look for renamed operations; --no-renames treats each as one removed and one new",
          })
          .example("$0 gen openapi.yaml --output ./petstore", "one document, no configuration")
          .example("$0 gen --only types --only specs/pets.yaml", "only the types of one document"),
      (parsed) => {
        const { force, dryRun, watch, applyRenames, renames } = parsed;
        const options = { ...commonOptions(parsed), force, dryRun, watch, applyRenames, renames };
        return run(() => commands.gen(options));
      },
    )
    .command(
      "check [documents..]",
      "Fail with a diff when generated files are out of date",
      (command) =>
        command.positional("documents", {
          type: "string",
          array: true,
          describe: "OpenAPI, GraphQL SDL or OpenRPC documents",
        }),
      (parsed) => run(() => commands.check(commonOptions(parsed))),
    )
    .command(
      "explain [code]",
      "Explain a diagnostic: the reason, an example and the fix; without a code list all of them",
      (command) =>
        command.positional("code", {
          type: "string",
          describe: "Code of a diagnostic, such as openapi/duplicate-operation-id",
        }),
      ({ code, json }) => run(() => commands.explain({ code, json })),
    )
    .command(
      "conform [args..]",
      "Check a deployed API against its document; see nodewright conform --help",
      {},
      // A command line that begins with it is parsed by the runner: here, it follows another argument.
      () =>
        run(() =>
          commands.refuse(
            "conform must be the first argument: nodewright conform https://host/path --spec openapi.yaml",
          ),
        ),
    )
    .demandCommand(1, "The command is missing: gen, check, explain or conform.")
    .strict()
    .recommendCommands()
    .epilogue(
      [
        "Exit codes: 0 success; 1 invalid documents or outdated files; 2 invalid command line; 70 internal error; 130 interrupted by Ctrl-C.",
        "NO_COLOR is supported. nodewright explain CODE explains a diagnostic.",
      ].join("\n"),
    )
    .help()
    .alias("help", "h")
    .version(version())
    .wrap(Math.min(120, process.stdout.columns ?? 100))
    .fail((message, error) => {
      // yargs also passes errors that a command threw; commands report their failures themselves.
      if (error) throw error;
      if (hasFailed) return;
      hasFailed = true;
      void commands.refuse(`${message}\nnodewright --help and nodewright gen --help say what there is.`);
    });

  await parser.parseAsync();
}

interface Parsed {
  readonly config: string | undefined;
  readonly documents?: readonly string[] | undefined;
  readonly output: string | undefined;
  readonly only: readonly string[];
  readonly allowRef: readonly string[];
  readonly json: boolean;
  readonly verbose: boolean;
}

function commonOptions({ config, documents = [], output, only, allowRef, json, verbose }: Parsed): CommandOptions {
  return {
    config: config ?? configName,
    isConfigNamed: config !== undefined,
    documents: documents.map(String),
    output,
    only,
    referenceFolders: allowRef,
    json,
    verbose,
  };
}

function version(): string {
  const { version: text } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    readonly version: string;
  };
  return text;
}
