import type { Report } from "../contract/report.ts";
import { UsageError, visibleText } from "@nodewright/terminal-text";
import { type CommandLine, type ConformArguments, readArguments, readCommandLine } from "./conform-arguments.ts";
import { checkPatterns } from "./check-patterns.ts";
import { conform, type ConformExitCode, type ConformRequest, type LoadedSuite, type PlaySuite } from "./conform.ts";
import type { ConformProgram } from "./conform-options.ts";
import { compareReplay, type Replay, readReplay } from "./replay.ts";

/** A command line with the dependencies of its execution. */
export interface ConformCommand extends Pick<ConformRequest, "streams" | "environment" | "signal" | "play"> {
  readonly program: ConformProgram;
  /** Words after the program's name. */
  readonly words: readonly string[];
  /**
   * Creates the suite of `spec`, `operations` or `api`. Returns `undefined` when the document is invalid and this was reported already.
   *
   * @throws {UsageError} for input that can't be read.
   */
  loadSuite(given: ConformArguments): Promise<LoadedSuite | undefined>;
}

/** Executes a command line: prints help, reports its mistakes, or plays. Never throws. */
export async function runConform(command: ConformCommand): Promise<ConformExitCode> {
  const { program, streams } = command;
  try {
    return await carryOut(command);
  } catch (reason) {
    if (reason instanceof Error && reason.name === "UsageError") {
      streams.stderr.write(`${program}: ${reason.message.split("\n").map(visibleText).join("\n")}\n`);
      return 2;
    }
    const reported = reason instanceof Error ? (reason.stack ?? reason.message) : String(reason);
    streams.stderr.write(
      `${program} made a mistake, and neither the document nor the target is to blame:\n${reported}\n`,
    );
    return 3;
  }
}

async function carryOut(command: ConformCommand): Promise<ConformExitCode> {
  const { program, words, streams } = command;
  const isEmpty = words.length === 0;
  const read = readCommandLine(isEmpty ? ["--help"] : words, program, streams);
  if (read === undefined) return isEmpty ? 2 : 0;
  const [first] = read.positionals;
  if (first === "rules") {
    const { renderRules, renderRulesJson } = await import("./list-rules.ts");
    streams.stdout.write(read.values.json === true ? renderRulesJson() : renderRules());
    return 0;
  }
  return first === "replay" ? await replay(command, readReplay(read)) : await playTarget(command, read);
}

async function playTarget(command: ConformCommand, read: CommandLine): Promise<ConformExitCode> {
  const { program } = command;
  const [url, ...further] = read.positionals;
  if (url === undefined) throw new UsageError(`The URL of the target is missing: ${program} URL …`);
  if (further.length > 0) throw new UsageError(`"${further.join(" ")}" follows the URL: a run has one target.`);
  const given = readArguments(read.values, url, program);
  const loaded = await command.loadSuite(given);
  if (loaded === undefined) return 2;
  checkPatterns(loaded.suite, given);
  const across =
    given.across === undefined ? undefined : await command.loadSuite(otherDocument(given, given.across.document));
  if (given.across !== undefined && across === undefined) return 2;
  return await conform({ ...command, ...loaded, across: across?.suite, arguments: given });
}

/** Returns the arguments of the other interface, whose suite is created from a document or a package like that of the target. */
function otherDocument({ spec, api, operations: _, ...given }: ConformArguments, document: string): ConformArguments {
  return {
    ...given,
    ...(spec === undefined && api !== undefined ? { api: document } : { spec: document }),
  };
}

async function replay(command: ConformCommand, { recorded, report, url, values }: Replay): Promise<ConformExitCode> {
  const { program, streams } = command;
  const given = readArguments(values, url, program);
  const loaded = await command.loadSuite(given);
  if (loaded === undefined) return 2;
  const { suite } = loaded;
  const isOther = suite.name !== report.suite.name || suite.version !== report.suite.version;
  const notice = `The report is for ${report.suite.title} ${report.suite.version}, and the document is ${suite.title} ${suite.version}.`;
  const onReport = (again: Report): void =>
    void (given.quiet === true || streams.stderr.write(`${visibleText(compareReplay(recorded, again))}\n`));
  const notices = isOther ? [...loaded.notices, notice] : loaded.notices;
  const { replayCase } = await import("../run/play-suite.ts");
  const playAgain: PlaySuite = (again, options, observer) => replayCase(report, again, options, recorded.id, observer);
  return await conform({ ...command, ...loaded, notices, arguments: given, play: playAgain, onReport });
}
