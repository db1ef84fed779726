import { CommanderError } from "commander";
import { resolve } from "node:path";
import { suggestion, UsageError } from "@nodewright/terminal-text";
import { toolVersion } from "../basics/tool-version.ts";
import type { FailOn } from "../contract/rule.ts";
import { type ReportFormatName, reportFormats } from "../report/report-format.ts";
import { type ConformProgram, createCommand, flagOf, type OptionValues } from "./conform-options.ts";
import { type ConformStreams, widthOf } from "./streams.ts";

/** A requested report; written to the standard output when there is no file. */
export interface WantedReport {
  readonly format: ReportFormatName;
  readonly file?: string;
}

/** A command line with all defaults: no file has been read yet, nor the environment. */
export interface ConformArguments extends Omit<OptionValues, "failOn" | "report"> {
  readonly program: ConformProgram;
  /** URL of the target as given; may contain `{key}`. */
  readonly url: string;
  /** Set to `heuristic` by `--strict`. */
  readonly failOn: FailOn;
  readonly reports: readonly WantedReport[];
}

/** Parsed words of a command line. */
export interface CommandLine {
  readonly positionals: readonly string[];
  readonly values: OptionValues;
}

/**
 * Parses the words after a program's name; prints help and version.
 *
 * @returns undefined after printing these
 * @throws {UsageError} for an option that does not exist, has no value or an invalid one, is repeated or contradicts another one.
 */
export function readCommandLine(
  words: readonly string[],
  program: ConformProgram,
  streams: ConformStreams,
): CommandLine | undefined {
  const command = createCommand(program)
    .version(toolVersion(), "--version", "Shows the version")
    .configureOutput({
      writeOut: (text) => void streams.stdout.write(text),
      writeErr: () => undefined,
      getOutHelpWidth: () => widthOf(streams.stdout),
    });
  try {
    command.parse(words, { from: "user" });
  } catch (reason) {
    if (!(reason instanceof CommanderError)) throw reason;
    if (reason.exitCode === 0) return undefined;
    throw new UsageError(
      `${reason.message.replace(/^error: /, "").replaceAll("\n", " ")}\n${program} --help lists all options.`,
    );
  }
  return { positionals: command.args, values: command.opts() };
}

/** Options that require another one. */
const needs = [
  ["operations", "spec"],
  ["allowRef", "spec"],
  ["mayDiffer", "against"],
  ["updateBaseline", "baseline"],
] as const;

/** @throws {UsageError} for options that can't be combined. */
export function readArguments(values: OptionValues, url: string, program: ConformProgram): ConformArguments {
  const { strict = false, failOn, report = [], ...others } = values;
  for (const [option, needed] of needs) {
    if (values[option] !== undefined && values[needed] === undefined)
      throw new UsageError(`--${flagOf(option)} needs --${needed}.`);
  }
  const level = failOn === "should" ? "SHOULD" : "MUST";
  return { ...others, program, url, failOn: strict ? "heuristic" : level, reports: readReports(report, values) };
}

/** Formats that don't replace the report for people when they are written to the standard output too. */
const accompanying: ReadonlySet<string> = new Set(["terminal", "github"]);

function readReports(reports: readonly string[], { json, prometheus }: OptionValues): readonly WantedReport[] {
  const all: readonly WantedReport[] = [
    ...reports.map(readReport),
    ...(json === true ? [{ format: "json" } as const] : []),
    ...(prometheus === undefined ? [] : [{ format: "prometheus", file: prometheus } as const]),
  ];
  // A report that is requested twice, as by --json and --report json, is written once.
  const wanted = [...new Map(all.map((one) => [JSON.stringify([one.format, one.file]), one])).values()];
  const printed = wanted.filter(({ format, file }) => file === undefined && !accompanying.has(format));
  if (printed.length > 1)
    throw new UsageError(
      `Only one report fits on the standard output: give ${printed.map(({ format }) => format).join(" and ")} a file, --report ${printed[0]?.format}=FILE.`,
    );
  const files = wanted.flatMap(({ file }) => (file === undefined ? [] : [file]));
  const paths = files.map((file) => resolve(file));
  const twice = files.find((_, position) => paths.indexOf(paths[position] ?? "") !== position);
  if (twice !== undefined) throw new UsageError(`Two reports can't be written into ${twice}: name two files.`);
  const hasTerminal = wanted.some(({ format }) => format === "terminal");
  return printed.length > 0 || hasTerminal ? wanted : [{ format: "terminal" }, ...wanted];
}

function readReport(text: string): WantedReport {
  const [, format = "", file] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
  const names = reportFormats.map(({ name }) => name);
  const known = names.find((name) => name === format);
  if (known === undefined)
    throw new UsageError(
      `There is no report "${format}"${suggestion(format, names)}: it is one of ${names.join(", ")}.`,
    );
  if (file === "") throw new UsageError(`--report ${format}= needs a file after "=".`);
  return file === undefined ? { format: known } : { format: known, file };
}
