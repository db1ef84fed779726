#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { enableCompileCache } from "node:module";
import yargs from "yargs";
import { hideBin } from "yargs/helpers";
import type { CommandEnd, CommandOptions } from "./commands/command-options.ts";
import { configName } from "./configuration/config-name.ts";
import { UsageError } from "./usage-error.ts";

// The compiler inside ts-morph is ten megabytes of JavaScript: the next run finds it compiled.
enableCompileCache();

const words = hideBin(process.argv);
const isJson = words.includes("--json");
const isVerbose = words.includes("--verbose");
/** yargs tells one mistake in several ways; the first is the plainest. */
let hasFailed = false;

// A reader that has seen enough, such as head, closes the pipe: that is no failure.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
process.on("uncaughtException", (reason) => void fail(reason, "nodewright"));

async function run(name: string, command: () => Promise<CommandEnd>): Promise<void> {
  // yargs goes on to the command after it has told a mistake.
  if (hasFailed) return;
  try {
    const { exitCode, signal } = await command();
    process.exitCode = exitCode;
    // The signal was put off while files were written; now it may do what it came for.
    if (signal !== undefined) process.kill(process.pid, signal);
  } catch (reason) {
    await fail(reason, name);
  }
}

async function fail(reason: unknown, command: string): Promise<void> {
  const { describeFailure } = await import("./failure.ts");
  const { message, exitCode } = describeFailure(reason, isVerbose);
  await end(message, exitCode, command);
}

async function end(message: string, exitCode: number, command: string): Promise<void> {
  process.exitCode = exitCode;
  const { visible } = await import("./report/paint.ts");
  console.error(visible(message));
  if (!isJson) return;
  const { failedReport } = await import("./report/json-report.ts");
  console.log(JSON.stringify(failedReport(command, exitCode, message)));
}

interface Parsed {
  readonly config: string | undefined;
  readonly documents?: readonly string[] | undefined;
  readonly output: string | undefined;
  readonly only: readonly string[];
  readonly json: boolean;
  readonly verbose: boolean;
}

function commonOptions({ config, documents = [], output, only, json, verbose }: Parsed): CommandOptions {
  return {
    config: config ?? configName,
    isConfigNamed: config !== undefined,
    documents: documents.map(String),
    output,
    only,
    json,
    verbose,
  };
}

function version(): string {
  const { version: text } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
    readonly version: string;
  };
  return text;
}

const parser = yargs(words)
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
  .option("json", { type: "boolean", default: false, describe: "Print one JSON value for machines" })
  .option("verbose", {
    type: "boolean",
    default: false,
    describe: "Show every diagnostic and whole diffs, the time of each phase and the memory",
  })
  .command(
    "gen [documents..]",
    "Write what the documents say; remove what they no longer say",
    (command) =>
      command
        .positional("documents", { type: "string", array: true, describe: "OpenAPI, GraphQL SDL or OpenRPC documents" })
        .option("force", {
          type: "boolean",
          default: false,
          describe: "Write again what looks up to date, over edits by hand too",
        })
        .option("dry-run", { type: "boolean", default: false, describe: "Say what would change, and write nothing" })
        .option("watch", { type: "boolean", default: false, describe: "Generate again whenever a file is saved" })
        .option("apply-renames", {
          type: "string",
          describe: "Move the handlers of renamed operations; old=new[,old=new] where there is a choice",
        })
        .option("renames", {
          type: "boolean",
          default: true,
          describe: "Look for renamed operations; --no-renames takes each for one gone and one new",
        })
        .example("$0 gen openapi.yaml --output ./petstore", "one document, no configuration")
        .example("$0 gen --only types --only specs/pets.yaml", "only the types of one document"),
    (parsed) =>
      run("gen", async () => {
        const { force, dryRun, watch, applyRenames, renames } = parsed;
        const options = { ...commonOptions(parsed), force, dryRun, watch, applyRenames, renames };
        if (watch && dryRun) throw new UsageError("--watch writes and --dry-run does not: leave one of them out.");
        return watch
          ? (await import("./commands/watch.ts")).watch(options)
          : (await import("./commands/gen.ts")).gen(options);
      }),
  )
  .command(
    "check [documents..]",
    "Fail with a diff when generated files are not what the documents say",
    (command) =>
      command.positional("documents", {
        type: "string",
        array: true,
        describe: "OpenAPI, GraphQL SDL or OpenRPC documents",
      }),
    (parsed) => run("check", async () => (await import("./commands/check.ts")).check(commonOptions(parsed))),
  )
  .command(
    "explain [code]",
    "Explain a diagnostic: why it is told, an example, the way out; all of them without a code",
    (command) => command.positional("code", { type: "string", describe: "As openapi/duplicate-operation-id" }),
    ({ code, json }) => run("explain", async () => (await import("./commands/explain.ts")).explain({ code, json })),
  )
  .demandCommand(1, "Name a command: gen, check or explain.")
  .strict()
  .recommendCommands()
  .epilogue(
    [
      "Exit codes: 0 done; 1 documents or files are not right; 2 the command is not; 70 a mistake of nodewright; 130 ended by Ctrl-C.",
      "NO_COLOR is honoured. nodewright explain CODE says more about a diagnostic.",
    ].join("\n"),
  )
  .help()
  .alias("help", "h")
  .version(version())
  .wrap(Math.min(120, process.stdout.columns ?? 100))
  .fail((message, error) => {
    // yargs gives what a command threw here as well; commands tell their failures themselves.
    if (error) throw error;
    if (hasFailed) return;
    hasFailed = true;
    void end(`${message}\nnodewright --help and nodewright gen --help say what there is.`, 2, "nodewright");
  });

await parser.parseAsync();
