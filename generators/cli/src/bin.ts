#!/usr/bin/env node
import { enableCompileCache } from "node:module";
import yargs from "yargs";
import { hideBin } from "yargs/helpers";
import type { CommandOptions, ExitCode } from "./commands.ts";
import { configName } from "./configuration/load-config.ts";
import { UsageError } from "./usage-error.ts";

// The compiler inside ts-morph is ten megabytes of JavaScript: the next run finds it compiled.
enableCompileCache();

type Command = (options: CommandOptions) => Promise<ExitCode>;

async function run(name: "gen" | "check", options: CommandOptions): Promise<void> {
  try {
    const command: Command = (await import("./commands.ts"))[name];
    process.exitCode = await command(options);
  } catch (reason) {
    const problem = problemOf(reason);
    if (problem === undefined) throw reason;
    console.error(problem);
    if (options.json) console.log(JSON.stringify({ problem, written: false }));
    process.exitCode = 1;
  }
}

/** What is said of a failure that is not our mistake. */
function problemOf(reason: unknown): string | undefined {
  if (reason instanceof UsageError) return reason.message;
  const isSystemError = reason instanceof Error && "syscall" in reason && "code" in reason;
  return isSystemError ? `A file could not be read or written: ${reason.message}` : undefined;
}

await yargs(hideBin(process.argv))
  .scriptName("nodewright")
  .usage("$0 <command>\n\nTurns API descriptions into types, validators, clients, servers and conformance suites.")
  .option("config", { type: "string", default: configName, describe: "The configuration file", normalize: true })
  .option("json", { type: "boolean", default: false, describe: "Print one JSON value for machines" })
  .command(
    "gen",
    "Write what the documents say; remove what they no longer say",
    (command) =>
      command
        .option("force", {
          type: "boolean",
          default: false,
          describe: "Write again what looks up to date, over edits by hand too",
        })
        .option("apply-renames", {
          type: "string",
          describe: "Move the handlers of renamed operations; old=new[,old=new] where there is a choice",
        })
        .option("renames", {
          type: "boolean",
          default: true,
          describe: "Look for renamed operations; --no-renames takes each for one gone and one new",
        }),
    ({ config, json, force, applyRenames, renames }) => run("gen", { config, json, force, applyRenames, renames }),
  )
  .command(
    "check",
    "Fail with a diff when generated files are not what the documents say",
    (command) => command,
    ({ config, json }) => run("check", { config, json, force: true }),
  )
  .demandCommand(1, "Name a command: gen or check.")
  .strict()
  .recommendCommands()
  .fail((message, error, command) => {
    if (error) throw error;
    command.showHelp();
    console.error(`\n${message}`);
    process.exit(1);
  })
  .help()
  .version()
  .parseAsync();
