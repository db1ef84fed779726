import { resolve } from "node:path";
import type { FailOn } from "../contract/rule.ts";
import { type ReportFormatName, reportFormats } from "../report/report-format.ts";
import type { RunOptions } from "../contract/options.ts";
import type { ConformOption, ConformProgram } from "./conform-option.ts";
import { readDuration } from "../basics/duration.ts";
import { optionsOf, type ReadWords } from "./read-words.ts";
import { suggestion } from "../basics/suggestion.ts";
import { UsageError } from "../basics/usage-error.ts";

/** A report that was asked for: on the standard output where there is no file. */
export interface WantedReport {
  readonly format: ReportFormatName;
  readonly file?: string;
}

/** What a command line asks for, as it is written: no file is read yet, and the environment is not looked at. */
export interface ConformArguments {
  readonly program: ConformProgram;
  /** The target, as it was given; `{key}` may stand in it. */
  readonly url: string;
  readonly spec?: string;
  readonly operations: readonly string[];
  readonly allowRef: readonly string[];
  readonly api?: string;
  readonly key?: string;
  readonly keyFile?: string;
  readonly headers: readonly string[];
  readonly basic?: string;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly safe: readonly string[];
  readonly unsafe: readonly string[];
  readonly allowWrites: boolean;
  readonly plan: boolean;
  readonly examples?: NonNullable<RunOptions["examples"]>;
  readonly mayBeMissing: readonly string[];
  readonly enabled: readonly string[];
  readonly seed?: string;
  readonly rate?: number;
  readonly concurrency?: number;
  readonly timeoutMilliseconds?: number;
  readonly maxMilliseconds?: number;
  readonly maxRequests?: number;
  readonly maxCalls?: number;
  readonly against?: string;
  readonly mayDiffer?: string;
  /** Document, or package, and address of another interface. */
  readonly across?: { readonly document: string; readonly url: string };
  readonly everyMilliseconds?: number;
  readonly baseline?: string;
  readonly updateBaseline: boolean;
  readonly profile?: string;
  /** `any` with `--strict`. */
  readonly failOn: FailOn;
  readonly reports: readonly WantedReport[];
  readonly verbose: boolean;
  readonly quiet: boolean;
}

/**
 * Makes typed arguments of words.
 *
 * @throws {UsageError} for a value that its option can't have.
 */
export function readArguments(words: ReadWords, url: string, program: ConformProgram): ConformArguments {
  const read = new ValueReader(words, program);
  const examples = read.choice("examples");
  return {
    program,
    url,
    operations: read.list("operations"),
    allowRef: read.list("allow-ref"),
    headers: read.list("header"),
    only: read.list("only"),
    skip: read.list("skip"),
    safe: read.list("safe"),
    unsafe: read.list("unsafe"),
    allowWrites: read.flag("allow-writes"),
    plan: read.flag("plan"),
    ...(examples === "immutable" || examples === "exact" || examples === "types" ? { examples } : {}),
    mayBeMissing: read.list("may-be-missing"),
    enabled: read.list("enabled"),
    updateBaseline: read.flag("update-baseline"),
    failOn: readFailOn(read),
    reports: readReports(read),
    verbose: read.flag("verbose"),
    quiet: read.flag("quiet"),
    ...present({
      spec: read.text("spec"),
      api: read.text("api"),
      key: read.text("key"),
      keyFile: read.text("key-file"),
      basic: read.text("basic"),
      seed: readSeed(read.text("seed")),
      rate: read.number("rate"),
      concurrency: read.number("concurrency"),
      timeoutMilliseconds: read.duration("timeout"),
      maxMilliseconds: read.duration("max-time"),
      maxRequests: read.number("max-requests"),
      maxCalls: read.number("max-calls"),
      against: read.text("against"),
      mayDiffer: read.text("may-differ"),
      across: readAcross(read.text("across")),
      everyMilliseconds: read.duration("every"),
      baseline: read.text("baseline"),
      profile: read.text("profile"),
    }),
  };
}

function readFailOn(read: ValueReader): FailOn {
  if (read.flag("strict")) return "any";
  return read.choice("fail-on") === "should" ? "SHOULD" : "MUST";
}

function readAcross(text: string | undefined): ConformArguments["across"] {
  if (text === undefined) return undefined;
  const [, document, url] = /^(.+?)=(https?:.*)$/.exec(text) ?? [];
  if (document === undefined || url === undefined)
    throw new UsageError(
      `--across ${text}: a document and its address belong there, as openrpc.yaml=http://127.0.0.1:8332.`,
    );
  return { document, url };
}

/** The members that have a value: with exact optional properties, absent is not the same as undefined. */
function present<Members extends object>(
  members: Members,
): { [Name in keyof Members]?: Exclude<Members[Name], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Members]?: Exclude<Members[Name], undefined>;
  };
}

class ValueReader {
  readonly #words: ReadWords;
  readonly #options: ReadonlyMap<string, ConformOption>;

  constructor(words: ReadWords, program: ConformProgram) {
    this.#words = words;
    this.#options = optionsOf(program);
  }

  flag(name: string): boolean {
    return this.#words.flags.has(name);
  }

  text(name: string): string | undefined {
    return this.#words.values.get(name);
  }

  list(name: string): readonly string[] {
    return this.#words.lists.get(name) ?? [];
  }

  choice(name: string): string | undefined {
    const value = this.text(name);
    const choices = this.#options.get(name)?.choices ?? [];
    if (value === undefined || choices.includes(value)) return value;
    throw new UsageError(
      `--${name} can't be "${value}"${suggestion(value, choices)}: it is one of ${choices.join(", ")}.`,
    );
  }

  /** A number above 0, without fraction where the option counts. */
  number(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const number = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    const isCount = this.#options.get(name)?.type === "count";
    if (number > 0 && (isCount ? Number.isSafeInteger(number) : Number.isFinite(number))) return number;
    throw new UsageError(
      `--${name} can't be "${text}": it is ${isCount ? "a whole number from 1" : "a number above 0"}.`,
    );
  }

  duration(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const milliseconds = readDuration(text);
    if (milliseconds !== undefined) return milliseconds;
    throw new UsageError(
      `--${name} can't be "${text}": it is a time such as 500ms, 30s, 10m or 1h30m, above 0 and below 25 days.`,
    );
  }
}

function readSeed(seed: string | undefined): string | undefined {
  if (seed === undefined || /^[0-9a-f]{1,64}$/i.test(seed)) return seed?.toLowerCase();
  throw new UsageError(`--seed can't be "${seed}": it is 1 to 64 hexadecimal digits, as a report names it.`);
}

/** Forms that don't take the place of the report for people when they go to the standard output as well. */
const accompanying: ReadonlySet<string> = new Set(["terminal", "github"]);

function readReports(read: ValueReader): readonly WantedReport[] {
  const prometheus = read.text("prometheus");
  const asked: readonly WantedReport[] = [
    ...read.list("report").map(readReport),
    ...(read.flag("json") ? [{ format: "json" } as const] : []),
    ...(prometheus === undefined ? [] : [{ format: "prometheus", file: prometheus } as const]),
  ];
  // What is asked for twice, as by --json and --report json, is written once.
  const wanted = [...new Map(asked.map((one) => [JSON.stringify([one.format, one.file]), one])).values()];
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
  if (file === "") throw new UsageError(`--report ${format}= needs a file behind "=".`);
  return file === undefined ? { format: known } : { format: known, file };
}
