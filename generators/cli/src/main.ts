import { enableCompileCache } from "node:module";
import type { Commands } from "./command-line/command-line.ts";
import { readPlainWords } from "./command-line/plain-words.ts";
import type { CommandEnd } from "./commands/command-options.ts";
import { UsageError } from "@nodewright/terminal-text";

// The compiler in ts-morph is ten megabytes of JavaScript: the next run finds it compiled.
enableCompileCache();

const words = process.argv.slice(2);
const isJson = words.includes("--json");
const isVerbose = words.includes("--verbose");

// A reader that has read enough, such as head, closes the pipe: that is not a failure, and not a verdict of a `conform` run.
const isVerdictWanted = words[0] === "conform" && !words.some((word) => word.startsWith("--every"));
for (const stream of [process.stdout, process.stderr])
  stream.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (code !== "EPIPE") process.exit(1);
    if (!isVerdictWanted) process.exit(0);
  });
process.on("uncaughtException", (reason) => void fail(reason, "nodewright"));

async function run(name: string, command: () => Promise<CommandEnd>): Promise<void> {
  try {
    const { exitCode, signal } = await command();
    process.exitCode = exitCode;
    // The signal was deferred while files were written; now it takes effect.
    if (signal !== undefined) process.kill(process.pid, signal);
  } catch (reason) {
    await fail(reason, name);
  }
}

async function fail(reason: unknown, command: string): Promise<void> {
  const { describeFailure } = await import("./generation/failure.ts");
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

const commands: Commands = {
  gen: (options) =>
    run("gen", async () => {
      const { watch, dryRun } = options;
      if (watch && dryRun) throw new UsageError("--watch writes and --dry-run does not: leave one of them out.");
      return watch
        ? (await import("./commands/watch.ts")).watch(options)
        : (await import("./commands/gen.ts")).gen(options);
    }),
  check: (options) => run("check", async () => (await import("./commands/check.ts")).check(options)),
  explain: (options) => run("explain", async () => (await import("./commands/explain.ts")).explain(options)),
  refuse: (message) => end(message, 2, "nodewright"),
};

const plain = readPlainWords(words);
// It parses its arguments itself, like the standalone command of the runner.
if (words[0] === "conform")
  await run("conform", async () => (await import("./commands/conform.ts")).conform(words.slice(1)));
else if (plain === undefined) await (await import("./command-line/command-line.ts")).readCommandLine(words, commands);
else if (plain.name === "gen") await commands.gen(plain.options);
else await commands.check(plain.options);
